"""Which files are never opened because their name says that they hold credentials.

Names are compared without case. Only the name decides: a file listed here is shown in the tree
with its reason, and its bytes never reach memory.
"""

import re

# A copy of a secret under another name is still the secret.
_BACKUP = re.compile(r"(~|\.(bak|old|orig|backup|save|saved|copy|tmp|swp|swo|prev|\d))+$")

# A file made to be filled in; its values are placeholders.
_EXAMPLE = re.compile(
    r"[._-](example|examples|sample|samples|template|templates|tmpl|tpl|dist|defaults?|schema|j2|erb)"
    r"(\.(json|ya?ml|toml|ini|env|md|txt|tfvars|conf|properties|xml))?$"
)

# Source and prose that merely speak of keys: id_rsa_parser.go, kubeconfig.md.
_SOURCE = re.compile(
    r"\.(adoc|bat|c|cc|cjs|clj|cpp|cs|css|dart|ex|exs|feature|go|h|hpp|hs|html?|java|jl|js|jsx|kt|"
    r"kts|lua|m|md|mdx|mjs|ml|php|pl|proto|ps1|py|pyi|r|rb|rs|rst|scala|scss|sh|sql|swift|tex|"
    r"tf|ts|tsx|vue|svelte|zig)$"
)

_ENV = re.compile(r"\.env(rc|s)?([._-].*)?|.+\.env|\.dev\.vars(\..+)?|\.flaskenv")
_ENV_EXAMPLE = re.compile(r"(example|sample|template|default|dist|dummy)s?([._-].*)?\.env")

_KEY_SUFFIXES: dict[str, str] = {
    suffix: reason
    for reason, suffixes in {
        "private key or certificate": "pem key p8 pk8 pkcs8 pvk snk ppk agekey",
        "key store": "p12 pfx pkcs12 jks jceks keystore bks truststore keytab keychain keychain-db",
        "password store": "kdbx kdb psafe3 1pux wallet",
        "key ring": "gpg pgp",
        "VPN profile with keys": "ovpn",
        "Terraform values or state": "tfvars tfstate",
        "cluster credentials": "kubeconfig",
    }.items()
    for suffix in suffixes.split()
}

_NAMES: dict[str, str] = {
    name: reason
    for reason, names in {
        "package registry credentials": ".npmrc .pypirc",
        "login credentials": ".netrc _netrc .authinfo .git-credentials "
        ".gitcredentials .htpasswd htpasswd .htdigest .passwd .credentials credentials "
        "proftpdpasswd .cvspass .fetchmailrc .msmtprc shadow gshadow .secrets .secret "
        ".secrets.toml .secrets.yaml .secrets.yml .secrets.json .ftpconfig .ftppass "
        ".remote-sync.json sftp-config.json sftp.json ws_ftp.ini recentservers.xml sitemanager.xml "
        "datasources.local.xml webservers.xml logins.json key3.db key4.db wallet.dat "
        "settings-security.xml",
        "database credentials": ".pgpass pgpass.conf .my.cnf .mylogin.cnf",
        "container registry credentials": ".dockercfg .dockerconfigjson",
        "cloud credentials": ".s3cfg .boto .passwd-s3fs rclone.conf .databrickscfg "
        "accesstokens.json application_default_credentials.json access_tokens.db rootkey.csv "
        "accesskeys.csv local.settings.json kaggle.json .terraformrc terraform.rc oauth_creds.json "
        "token.pickle",
        "vault token or password": ".vault-token vault-token .vaultpass",
        "signing passwords": "keystore.properties key.properties signing.properties",
        "cluster credentials": "kube.config",
        "Jenkins secret": "hudson.util.secret",
    }.items()
    for name in names.split()
}

_DATA_SUFFIX = r"(json|ya?ml|toml|ini|csv|xml|properties|db|txt|cfg|conf)"

_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), reason)
    for pattern, reason in (
        (r"id_(rsa|dsa|ecdsa|ed25519|ed448|xmss)([._-].*)?", "SSH private key"),
        (r"(.*[._-])?(rsa|dsa|ecdsa|ed25519)([._-]key)?", "SSH private key"),
        (r"(sec|priv)ring(\..+)?", "key ring"),
        (r".*(private|secret)[._-]?(key)?.*\.(asc|der|jwk|jwks|xml)", "private key"),
        (r".*(priv|key).*\.der", "private key"),
        (r".+\.tfvars\.json|.+\.tfstate\..+|.*\.tfrc(\.json)?", "Terraform values or state"),
        (r"kubeconfig([._-].*)?|.+[._-]kubeconfig(\.ya?ml)?", "cluster credentials"),
        (r"(.*[._-])?(credentials?|creds)([._-].*)?\." + _DATA_SUFFIX, "credentials file"),
        (r".*service[-_]?accounts?([-_]?key)?.*\.(json|p12)", "service account key"),
        (r"(.*[._-])?(gcp|gcloud|google)[-_]?(key|auth|sa).*\.json", "service account key"),
        (r".*firebase[-_]?adminsdk.*\.json|gha-creds-.*\.json", "service account key"),
        (r"client_?secrets?.*\.json", "OAuth client secret"),
        (r"secrets?\.(json|toml|env|ini|properties)|secrets\.ya?ml", "secrets file"),
        (r".*_access_?keys\.csv", "cloud credentials"),
        (r".*\.publishsettings", "cloud credentials"),
        (r"msal_token_cache\..+", "cloud credentials"),
        (r"passwords?\.(txt|csv|json|ya?ml|xlsx?)", "password list"),
        (r"\.[a-z_]+_history", "shell history"),
        (r"\.?vault[-_]?pass(word)?(\.txt)?", "vault token or password"),
        (r"utc--\d{4}-.*", "wallet key"),
        (r"ssh_host_.*_key", "SSH private key"),
    )
)

# The end of the whole path: names that are ordinary elsewhere.
_PATHS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(r"(?:.*/)?" + pattern), reason)
    for pattern, reason in (
        (r"\.ssh/(?!config$|known_hosts|authorized_keys)[^/]+", "SSH private key"),
        (r"\.gnupg/(?!.*\.conf$|pubring|trustdb|.*\.pub$).+", "key ring"),
        (r"private-keys-v1\.d/.+|\.password-store/.+\.gpg", "key ring"),
        (r"\.aws/(credentials|config|.*cache/.+)", "cloud credentials"),
        (r"\.(azure|oci|bluemix|aliyun|snowsql)/.+", "cloud credentials"),
        (r"(\.config/)?gcloud/.+\.(db|json|boto)", "cloud credentials"),
        (r"\.config/(gh|hub|glab-cli|doctl|op)(/.*)?", "cloud credentials"),
        (r"\.docker/config\.json", "container registry credentials"),
        (r"(containers|\.composer)/auth\.json", "package registry credentials"),
        (r"\.kube/(config|cache/.+|.*\.conf)", "cluster credentials"),
        (r"(kubernetes|k3s|rke2)/(admin|kubelet|k3s|rke2)\.(conf|yaml)", "cluster credentials"),
        (r"\.(cargo|gem|ivy2|sbt)/\.?credentials(\.toml)?", "package registry credentials"),
        (r"\.m2/settings\.xml|\.gradle/gradle\.properties", "package registry credentials"),
        (r"\.envs/.+", "environment file with settings"),
        (r"\.streamlit/secrets\.toml", "secrets file"),
        (r"(\.cache/)?\.?huggingface/token", "cloud credentials"),
        (r"sops/age/keys\.txt", "private key"),
        (r"\.svn/auth/.+|\.subversion/auth/.+", "login credentials"),
        (r"\.(opvault|agilekeychain)/.+|.+\.(opvault|agilekeychain)/.+", "password store"),
    )
)


def is_secret_path(path: str) -> str | None:
    """Why the file is never opened, or None when it may be read."""
    lowered = path.lower()
    folder, _, name = lowered.rpartition("/")
    name = _original_name(name)
    if name.endswith(".pub") or _EXAMPLE.search(name):
        return None
    reason = _by_name(name, folder) or _by_path(f"{folder}/{name}" if folder else name, name)
    return f"{reason}: listed, never opened" if reason else None


def _original_name(name: str) -> str:
    """The name a backup or editor swap file was made from."""
    stripped = _BACKUP.sub("", name)
    if name.endswith((".swp", ".swo")):
        stripped = stripped.removeprefix(".")  # .server.key.swp belongs to server.key
    return stripped or name


def _by_name(name: str, folder: str) -> str | None:
    if _ENV.fullmatch(name):
        prose = _ENV_EXAMPLE.fullmatch(name) or name.endswith((".md", ".rst", ".d.ts"))
        return None if prose else "environment file with settings"
    if name in _NAMES:
        return _NAMES[name]
    stem, dot, suffix = name.rpartition(".")
    if dot and suffix in _KEY_SUFFIXES and not (suffix in {"gpg", "pgp"} and "pub" in stem):
        return _KEY_SUFFIXES[suffix]
    if _SOURCE.search(name) or (name.startswith("secrets.y") and folder.endswith("templates")):
        return None  # a Helm template names secrets and holds none
    return _first(_PATTERNS, name)


def _by_path(path: str, name: str) -> str | None:
    if path == "auth.json":  # Composer reads it at the top; deeper it is often a translation
        return "package registry credentials"
    return None if _SOURCE.search(name) else _first(_PATHS, path)


def _first(rules: tuple[tuple[re.Pattern[str], str], ...], text: str) -> str | None:
    return next((reason for pattern, reason in rules if pattern.fullmatch(text)), None)
