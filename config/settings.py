"""All settings. Every value that differs between installations comes from the environment."""

from pathlib import Path

import django_stubs_ext

from config import database, postgres
from config.env import Environment

# Lets Django's own classes take type parameters at run time (`BaseUserCreationForm[User]`).
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
env = Environment()

# --- where things are -----------------------------------------------------------------------
DATA = env.folder("FOOTNOTE_DATA", BASE_DIR / "var")
CLONES = DATA / "clones"
UPLOADS = DATA / "uploads"
BIND = env.text("FOOTNOTE_BIND", "127.0.0.1")
PORT = env.number("FOOTNOTE_PORT", 8000, least=1, most=65535)

# --- security -------------------------------------------------------------------------------
SECRET_KEY = env.secret("FOOTNOTE_SECRET_KEY") or postgres.read_or_create_secret(
    DATA / "secrets" / "django"
)
# Keys for what is encrypted or fingerprinted; the first is used, the others still open old rows.
TOKEN_KEYS = [k for k in env.secret("FOOTNOTE_TOKEN_KEYS").split(",") if k] or [SECRET_KEY]
AUDIT_KEYS = [k for k in env.secret("FOOTNOTE_AUDIT_KEYS").split(",") if k] or [SECRET_KEY]
DELETION_KEYS = [k for k in env.secret("FOOTNOTE_DELETION_KEYS").split(",") if k] or [SECRET_KEY]
AUDIT_DAYS = env.number("FOOTNOTE_AUDIT_DAYS", 0, most=36500)  # 0: kept for ever
# The first makes new fingerprints, all are recognised; the secret key was the default before.
FINGERPRINT_KEYS = list(
    dict.fromkeys(
        [
            *[k for k in env.secret("FOOTNOTE_FINGERPRINT_KEYS").split(",") if k],
            *[k for k in [env.secret("FOOTNOTE_FINGERPRINT_KEY")] if k],
            SECRET_KEY,
        ]
    )
)
DEBUG = env.flag("FOOTNOTE_DEBUG", default=False)
HTTPS = env.flag("FOOTNOTE_HTTPS", default=False)
# The address it listens on is one of its names, unless that is every address.
EVERY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not listened on
OWN_HOSTS = [] if BIND in EVERY_ADDRESS else [f"[{BIND}]" if ":" in BIND else BIND]
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", *OWN_HOSTS, *env.words("FOOTNOTE_HOSTS")]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in env.words("FOOTNOTE_HOSTS")] if HTTPS else []
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * env.number("FOOTNOTE_SESSION_DAYS", 14, least=1, most=365)
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "config.error_pages.csrf_failure"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- applications ---------------------------------------------------------------------------
INSTALLED_APPS = [
    "compliance.rows_app.RowsConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "axes",
    "csp",
    "django_htmx",
    "django_q",
    "template_partials",
    "accounts",
    "repos",
    "outbound",
    "indexing",
    "search",
    "answers",
    "compliance",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "compliance.middleware.AuditMiddleware",
    "accounts.middleware.FirstRunMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["template_partials.templatetags.partials"],
        },
    }
]

# --- database -------------------------------------------------------------------------------
DATABASE_URL = env.secret("DATABASE_URL")
EMBEDDED = None if DATABASE_URL else database.EmbeddedServer(DATA)
DATABASES = {
    "default": {
        **(
            database.embedded_settings(EMBEDDED, postgres.read_password(EMBEDDED))
            if EMBEDDED
            else database.url_settings(DATABASE_URL)
        ),
        "CONN_MAX_AGE": 0,
        "TEST": {"NAME": env.text("FOOTNOTE_TEST_DATABASE", "test_footnote")},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- people ---------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "repos:list"
LOGOUT_REDIRECT_URL = "accounts:sign_in"
AXES_FAILURE_LIMIT = env.number("FOOTNOTE_SIGN_IN_ATTEMPTS", 5, least=1, most=1000)
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "accounts.trail.sign_ins.attempted_name"
AXES_LOCKOUT_TEMPLATE = "accounts/locked_out.html"
AXES_RESET_ON_SUCCESS = True

# --- jobs -----------------------------------------------------------------------------------
# django-q2's defaults rerun long jobs for ever. Ours claim their own row and are retaken by
# heartbeat (indexing/jobs.py), so the queue delivers each task once and never times it out.
Q_CLUSTER = {
    "name": "footnote",
    "orm": "default",
    "workers": env.number("FOOTNOTE_WORKERS", 2, least=1, most=64),
    "timeout": 24 * 3600,
    "retry": 24 * 3600 + 60,
    "max_attempts": 1,
    "ack_failures": True,
    "catch_up": False,
    "daemonize_workers": False,  # a daemon may not start the parser's child processes
    "poll": 0.5,
    "save_limit": 500,
    "recycle": 50,
    "label": "Jobs",
}
RUN_HEARTBEAT_SECONDS = 5
RUN_DEAD_AFTER_SECONDS = 30
RUN_ATTEMPTS = 5

# --- import limits --------------------------------------------------------------------------
GIT_HOSTS = env.words("FOOTNOTE_GIT_HOSTS")  # added to repos.addresses.DEFAULT_HOSTS
GIT_CA_FILE = env.text("FOOTNOTE_GIT_CA_FILE")
FOLDER_ROOTS = env.folders("FOOTNOTE_FOLDER_ROOTS")
IMPORT_MAX_BYTES = env.number("FOOTNOTE_IMPORT_MAX_MB", 2048, least=1) * 2**20
IMPORT_MAX_SECONDS = env.number("FOOTNOTE_IMPORT_MAX_SECONDS", 900, least=1)
ARCHIVE_MAX_BYTES = env.number("FOOTNOTE_ARCHIVE_MAX_MB", 512, least=1) * 2**20
FILE_MAX_BYTES = env.number("FOOTNOTE_FILE_MAX_KB", 1024, least=1) * 2**10
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 2**20
FILE_UPLOAD_TEMP_DIR = UPLOADS

# --- indexing -------------------------------------------------------------------------------
PARSER_PROCESSES = env.number("FOOTNOTE_PARSER_PROCESSES", 0, most=64)  # 0: one a core
PARSE_SECONDS = env.number("FOOTNOTE_PARSE_SECONDS", 10, least=1, most=600)
KEEP_SNAPSHOTS = env.number("FOOTNOTE_KEEP_SNAPSHOTS", 20, least=1)

# --- models (read by outbound alone) --------------------------------------------------------
# Names are litellm's: "openai/gpt-x", "ollama/llama3", "azure/deployment"; "" is off.
ANSWER_MODEL = env.text("FOOTNOTE_ANSWER_MODEL")
ANSWER_FALLBACK_MODEL = env.text("FOOTNOTE_ANSWER_FALLBACK_MODEL")
REWRITE_MODEL = env.text("FOOTNOTE_REWRITE_MODEL")
RERANK_MODEL = env.text("FOOTNOTE_RERANK_MODEL")
JUDGE_MODEL = env.text("FOOTNOTE_JUDGE_MODEL")
MODEL_BASE_URL = env.text("FOOTNOTE_MODEL_BASE_URL")
MODEL_KEY = env.secret("FOOTNOTE_MODEL_KEY")
MODEL_WINDOW_TOKENS = env.number("FOOTNOTE_MODEL_WINDOW_TOKENS", 0)  # 0: as known of the model
ANSWER_THREADS = env.number("FOOTNOTE_ANSWER_THREADS", 8, least=1, most=64)
MODEL_TIMEOUT_SECONDS = env.number("FOOTNOTE_MODEL_TIMEOUT_SECONDS", 60, least=1, most=3600)
EMBEDDING_MODEL = env.text("FOOTNOTE_EMBEDDING_MODEL", "local")  # or "none", or as above
EMBEDDING_BASE_URL = env.text("FOOTNOTE_EMBEDDING_BASE_URL")
EMBEDDING_KEY = env.secret("FOOTNOTE_EMBEDDING_KEY")
# A day each (UTC); 0 is no limit.
BUDGET_DAY_TOKENS = env.number("FOOTNOTE_BUDGET_DAY_TOKENS", 0)
BUDGET_DAY_USD = env.amount("FOOTNOTE_BUDGET_DAY_USD")
BUDGET_PERSON_TOKENS = env.number("FOOTNOTE_BUDGET_PERSON_TOKENS", 0)
BUDGET_PERSON_USD = env.amount("FOOTNOTE_BUDGET_PERSON_USD")
BUDGET_REPOSITORY_TOKENS = env.number("FOOTNOTE_BUDGET_REPOSITORY_TOKENS", 0)
BUDGET_REPOSITORY_USD = env.amount("FOOTNOTE_BUDGET_REPOSITORY_USD")

# --- pages ----------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
MEDIA_ROOT = UPLOADS
WHITENOISE_USE_FINDERS = True
WHITENOISE_MANIFEST_STRICT = False
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {"axes": {"level": "WARNING"}, "django-q": {"level": "WARNING"}},
}

env.refuse_unknown()
