"""litellm keeps to what it is asked: our keys alone, no look-ups of its own, nothing in logs."""

import json
import logging
import subprocess
import sys

import pytest
from django.conf import settings as configured

from outbound import checks, failures, pricing, tokens
from outbound.completion import complete
from outbound.models import ModelCall

pytestmark = pytest.mark.django_db

ALONE = """
import os, socket, sys
seen = []
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *a, **k: (seen.append(host), real(host, *a, **k))[1]
from outbound import sealing
sealing.seal_environment()
import litellm
sealing.quiet(litellm)
litellm.completion(model="openai/m", messages=[{"role": "user", "content": "x"}],
                   api_key="ours", api_base=sys.argv[1])
import json
print(json.dumps([seen, sorted(name for name in os.environ if "OPENAI" in name)]))
"""


def test_a_process_with_other_keys_sends_ours_and_asks_nobody_else(host):
    theirs = {"OPENAI_API_KEY": "theirs", "OPENAI_BASE_URL": "http://127.0.0.1:9", "PATH": "/bin"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ALONE, host.url],
        env=theirs, cwd=configured.BASE_DIR, capture_output=True, text=True, check=True,
    )  # fmt: skip
    hosts, left = json.loads(done.stdout.splitlines()[-1])
    assert (set(hosts), left) == ({"127.0.0.1"}, [])
    assert host.requests[0].headers["authorization"] == "Bearer ours"


def test_neither_prompt_nor_reply_nor_key_is_logged(host, request_of, settings, caplog):
    caplog.set_level(logging.DEBUG)
    host.reply = "tangerine"
    complete(request_of("What is a pomelo?"))
    host.script()
    logged = caplog.text
    assert "pomelo" not in logged
    assert "tangerine" not in logged
    assert settings.MODEL_KEY not in logged


def test_the_key_is_in_no_row_and_no_message(host, request_of, settings):
    host.key = "another"
    with pytest.raises(failures.KeyRefused) as caught:
        complete(request_of())
    row = json.dumps(list(ModelCall.objects.values()), default=str)
    assert settings.MODEL_KEY not in row + str(caught.value)
    assert host.requests[0].headers["authorization"] == f"Bearer {settings.MODEL_KEY}"


def test_tokens_are_exact_where_the_tokenizer_is_known():
    assert (tokens.is_exact("openai/gpt-4o"), tokens.count("openai/gpt-4o", "hello world")) == (
        True, 2,
    )  # fmt: skip
    assert (tokens.is_exact("ollama/x"), tokens.count("ollama/x", "hello world")) == (False, 4)
    assert tokens.count("ollama/x", "") == tokens.count("openai/gpt-4o", "") == 0


def test_prices_are_known_unknown_or_nothing():
    assert pricing.cost_of("openai/gpt-4o-mini", 1_000_000, 0) == pricing.cost_of(
        "gpt-4o-mini", 1_000_000, 0
    )
    assert pricing.cost_of("openai/nobody-knows", 1, 1) is None
    assert pricing.cost_of("ollama/llama2", 1000, 1000) == 0
    assert pricing.price_of("anthropic/gpt-4o-mini") is None


def test_a_name_that_nobody_knows_is_told_at_the_start(settings):
    settings.EMBEDDING_MODEL, settings.ANSWER_MODEL = "locall", "gpt-4o-mini"
    (error,) = checks.model_names(None)
    assert error.msg == "FOOTNOTE_EMBEDDING_MODEL is 'locall', which names no model that is known."
    assert str(error.hint).startswith('Write provider and model, as in "openai/locall"')
    settings.EMBEDDING_MODEL = "ollama/nomic-embed-text"
    assert checks.model_names(None) == []
