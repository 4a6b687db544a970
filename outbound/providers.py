"""Where a model is asked: provider, address and key, from the settings. The only reader of keys."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from outbound.failures import NotConfigured

# litellm wants a key even where a server asks for none, and would else look for one in the
# environment.
NO_KEY = "none"
OWN_KEY_ALONE = frozenset({"ollama", "ollama_chat", "hosted_vllm", "lm_studio", "llamafile"})
# Sites whose name has no provider before the slash.
DEFAULT_PROVIDER = "openai"


@dataclass(frozen=True, slots=True)
class Target:
    """`name` is the whole name, as configured; `host` is what people are told."""

    name: str
    provider: str
    base_url: str
    key: str = field(repr=False)

    @property
    def host(self) -> str:
        """Host and port of the address, or the provider where it is the provider's own."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] or self.provider


def chat_target(name: str) -> Target:
    """Raises NotConfigured."""
    return _target(name, settings.MODEL_BASE_URL, settings.MODEL_KEY, "FOOTNOTE_MODEL_KEY")


def embedding_target(name: str) -> Target:
    """Raises NotConfigured."""
    base_url, key = settings.EMBEDDING_BASE_URL, settings.EMBEDDING_KEY
    return _target(name, base_url, key, "FOOTNOTE_EMBEDDING_KEY")


def _target(name: str, base_url: str, key: str, setting: str) -> Target:
    if not name:
        raise NotConfigured(_("No model is set up: see FOOTNOTE_ANSWER_MODEL in README.md."))
    provider = provider_of(name)
    if not (key or base_url or provider in OWN_KEY_ALONE):
        message = _("%(model)s needs a key: set %(setting)s.")
        raise NotConfigured(message % {"model": name, "setting": setting})
    return Target(name, provider, base_url, key or NO_KEY)


def provider_of(name: str) -> str:
    provider, slash, _model = name.partition("/")
    return provider if slash else DEFAULT_PROVIDER
