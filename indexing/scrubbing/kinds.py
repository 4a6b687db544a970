"""The kinds of finding that the built-in rules give."""

from indexing.scrubbing.formats import FORMATS
from indexing.scrubbing.policy import (
    EMAILS,
    PAYMENT_NUMBERS,
    PHONES,
    SOCIAL_SECURITY_NUMBERS,
)

_BY_PLACE = (
    "assigned_password assigned_secret azure_sas_signature azure_storage_key basic_auth_header "
    "bearer_token connection_string_password curl_user_password docker_config_auth high_entropy "
    "jwk_private kubernetes_secret_data netrc_password nkey_seed password_hash private_key "
    "putty_private_key url_credentials wireguard_private_key"
)
PERSONAL = frozenset((*EMAILS, *PHONES, *SOCIAL_SECURITY_NUMBERS, *PAYMENT_NUMBERS))
BUILT_IN = frozenset({*(rule.kind for rule in FORMATS), *_BY_PLACE.split(), *PERSONAL})
