"""Imports litellm, and keeps it to what it is asked: no keys of the environment, no network of its
own, no logs. The only file that imports it."""

import gc
import logging
import os
import re
from functools import lru_cache
from typing import Any

# litellm and the SDKs below it look for keys and for addresses in dozens of variables. A key that
# somebody has set for another program must not be used, nor an address to which it would be sent.
FOREIGN = re.compile(
    r"^(OPENAI|AZURE|ANTHROPIC|LITELLM|OLLAMA|GEMINI|GOOGLE|VERTEX\w*|MISTRAL|COHERE|CO|GROQ|AWS|HF"
    r"|HUGGINGFACE|HUGGING_FACE)_"
    r"|_API_(KEY|BASE|TOKEN|SECRET)$|_BASE_URL$|_ACCESS_KEY$"
)
OURS = "FOOTNOTE_"
FIXED = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # prices come with the package, not from the network
    "LITELLM_MODE": "PRODUCTION",  # no .env file is read
    "LITELLM_LOG": "ERROR",
    "DEFAULT_MAX_RETRIES": "0",
}


@lru_cache(maxsize=1)
def load() -> Any:
    """litellm, imported when it is needed: it takes seconds and 200 MB."""
    seal_environment()
    import litellm  # noqa: PLC0415

    quiet(litellm)
    gc.collect()
    gc.freeze()  # it stays, and is not looked at again by each full collection
    return litellm


def seal_environment() -> None:
    """Take from this process's environment what litellm would read, and set what it must."""
    for name in list(os.environ):
        if FOREIGN.search(name) and not name.startswith(OURS):
            del os.environ[name]
    os.environ.update(FIXED)


def quiet(litellm: Any) -> None:
    """Switch off what litellm does beside asking: telemetry, callbacks, logs, retries."""
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.disable_streaming_logging = True
    litellm.disable_hf_tokenizer_download = True
    litellm.drop_params = True  # a parameter that a provider does not know is left out
    litellm.num_retries = 0
    litellm.DEFAULT_MAX_RETRIES = 0  # which 0 as an argument does not overrule
    for name in ("callbacks", "success_callback", "failure_callback", "input_callback"):
        setattr(litellm, name, [])
    for name in ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router", "httpx", "openai"):
        logger = logging.getLogger(name)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
        logger.disabled = True


def errors_of(litellm: Any) -> tuple[type[BaseException], ...]:
    """What a call may raise: its errors all derive from the SDK's, plus what slips through."""
    openai, httpx = litellm.exceptions.openai, litellm.exceptions.httpx
    return (openai.OpenAIError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError)
