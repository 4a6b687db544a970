"""Invented values of each format, put together at run time: no scanner blocks this file."""

import base64
import hashlib
import json
import string

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
URL64 = ALNUM + "-_"
BASE64 = ALNUM + "+/"


def chars(alphabet: str, length: int, seed: str = "") -> str:
    """Characters that look random and are the same in every run."""
    stream = bytearray()
    while len(stream) < length:
        stream += hashlib.sha256(f"{alphabet}{seed}{len(stream)}".encode()).digest()
    return "".join(alphabet[byte % len(alphabet)] for byte in stream[:length])


def uuid(seed: str = "") -> str:
    return "-".join(chars(HEX, size, f"{seed}{n}") for n, size in enumerate((8, 4, 4, 4, 12)))


def encoded(value: object) -> str:
    raw = json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def jwt(**claims: str) -> str:
    return f"{encoded({'alg': 'HS256'})}.{encoded(claims or {'sub': '1'})}.{chars(URL64, 43)}"


def pem(kind: str = "RSA PRIVATE KEY", lines: int = 4) -> list[str]:
    """The lines of a key block; the last body line is a short one."""
    body = [chars(BASE64, 64, str(n)) for n in range(lines)]
    return [f"-----BEGIN {kind}-----", *body, "Qg==", f"-----END {kind}-----"]


def _join(*parts: str) -> str:
    return "".join(parts)


FORMATS = {
    "aws_access_key_id": _join("AK", "IA", chars(BASE32, 16)),
    "aws_bedrock_api_key": _join("AB", "SK", chars(BASE64, 110, "b")),
    "aws_mws_token": _join("amzn", ".mws.", uuid()),
    "aws_appsync_key": _join("da", "2-", chars(string.ascii_lowercase + string.digits, 26)),
    "github_pat": _join("gh", "p_", chars(ALNUM, 36)),
    "github_oauth": _join("gh", "o_", chars(ALNUM, 36)),
    "github_user_to_server": _join("gh", "u_", chars(ALNUM, 36)),
    "github_server_to_server": _join("gh", "s_", chars(ALNUM, 36)),
    "github_refresh": _join("gh", "r_", chars(ALNUM, 40)),
    "github_fine_grained_pat": _join("github", "_pat_", chars(ALNUM, 22), "_", chars(ALNUM, 59)),
    "github_installation_jwt": _join("gh", "s_", "123456_", jwt()),
    "gitlab_pat": _join("gl", "pat-", chars(ALNUM, 20)),
    "gitlab_pat_routable": _join("gl", "pat-", chars(ALNUM, 30), ".01.", chars(HEX, 9)),
    "gitlab_runner_token": _join("gl", "rt-", chars(ALNUM, 20)),
    "gitlab_deploy_token": _join("gl", "dt-", chars(ALNUM, 20)),
    "gitlab_trigger_token": _join("gl", "ptt-", chars(HEX, 40)),
    "gitlab_job_token": _join("gl", "cbt-", "64_", chars(ALNUM, 20)),
    "gitlab_other_token": _join("gl", "ft-", chars(ALNUM, 20)),
    "atlassian_api_token": _join("ATA", "TT3", chars(ALNUM, 186)),
    "bitbucket_app_password": _join("AT", "BB", chars(ALNUM, 24), chars(HEX, 8).upper()),
    "slack_bot_token": _join("xo", "xb-", "2512345678-3512345678-", chars(ALNUM, 24)),
    "slack_user_token": _join("xo", "xp-", "2512345678-3512345678-4512345678-", chars(HEX, 32)),
    "slack_app_token": _join("xa", "pp-1-A", chars(UPPER, 10), "-2512345678-", chars(HEX, 64)),
    "slack_config_token": _join("xo", "xe-1-", chars(ALNUM, 146)),
    "slack_session_token": _join("xo", "xc-251234567-351234567-451234567-", chars(HEX, 64)),
    "telegram_bot_token": _join("251234567", ":AA", chars(URL64[:-2], 33)),
    "stripe_live_key": _join("sk", "_live_", chars(ALNUM, 24)),
    "stripe_test_key": _join("rk", "_test_", chars(ALNUM, 24)),
    "stripe_webhook_secret": _join("wh", "sec_", chars(ALNUM, 32)),
    "square_token": _join("sq", "0atp-", chars(ALNUM, 22)),
    "braintree_access_token": _join(
        "access_token", "$production$", chars(HEX, 16), "$", chars(HEX, 32)
    ),
    "shopify_token": _join("shp", "at_", chars(HEX, 32)),
    "plaid_access_token": _join("access-", "production-", uuid()),
    "google_api_key": _join("AI", "za", chars(ALNUM, 35)),
    "google_oauth_client_secret": _join("GOC", "SPX-", chars(ALNUM, 28)),
    "google_oauth_access_token": _join("ya", "29.", chars(ALNUM, 60)),
    "google_oauth_refresh_token": _join("1/", "/0", chars(ALNUM, 41)),
    "google_gemini_key": _join("AQ", ".Ab8RN6", chars(ALNUM, 44)),
    "openai_key": _join("sk", "-proj-", chars(ALNUM, 40), "T3Blbk", "FJ", chars(ALNUM, 40, "b")),
    "anthropic_key": _join("sk", "-ant-api03-", chars(ALNUM, 93), "AA"),
    "huggingface_token": _join("h", "f_", chars(string.ascii_letters, 34)),
    "groq_key": _join("gs", "k_", chars(ALNUM, 52)),
    "xai_key": _join("x", "ai-", chars(ALNUM, 80)),
    "perplexity_key": _join("pp", "lx-", chars(ALNUM, 48)),
    "openrouter_key": _join("sk", "-or-v1-", chars(HEX, 64)),
    "replicate_token": _join("r", "8_", chars(ALNUM, 37)),
    "nvidia_key": _join("nv", "api-", chars(ALNUM, 64)),
    "langsmith_key": _join("ls", "v2_pt_", chars(HEX, 32), "_", chars(HEX, 10)),
    "azure_ad_client_secret": _join("aB3", "8Q", "~", chars(ALNUM, 34)),
    "azure_devops_pat": _join(chars(ALNUM, 76), "AZ", "DO", chars(ALNUM, 4)),
    "digitalocean_token": _join("do", "p_v1_", chars(HEX, 64)),
    "heroku_key": _join("HR", "KU-AA", chars(ALNUM, 58)),
    "cloudflare_origin_ca": _join("v1", ".0-", chars(HEX, 24), "-", chars(HEX, 146)),
    "databricks_token": _join("da", "pi", chars(HEX, 32)),
    "dynatrace_token": _join("dt", "0c01.", chars(UPPER, 24), ".", chars(UPPER, 64)),
    "doppler_token": _join("dp", ".pt.", chars(ALNUM, 43)),
    "terraform_cloud_token": _join(chars(ALNUM, 14), ".atlas", "v1.", chars(ALNUM, 64)),
    "vault_token": _join("hv", "s.", chars(ALNUM, 95)),
    "pulumi_token": _join("pu", "l-", chars(HEX, 40)),
    "flyio_token": _join("fo", "1_", chars(ALNUM, 43)),
    "vercel_token": _join("vc", "p_", chars(ALNUM, 56)),
    "netlify_token": _join("nf", "p_", chars(ALNUM, 36)),
    "supabase_token": _join("sb", "p_", chars(HEX, 40)),
    "planetscale_token": _join("pscale", "_tkn_", chars(ALNUM, 43)),
    "mongodb_atlas_secret": _join("mdb", "_sa_sk_", chars(ALNUM, 40)),
    "tailscale_key": _join("ts", "key-auth-", chars(ALNUM, 16), "-", chars(ALNUM, 32)),
    "dockerhub_token": _join("dckr", "_pat_", chars(ALNUM, 27)),
    "docker_swarm_token": _join("SWM", "TKN-1-", chars(HEX, 50), "-", chars(HEX, 25)),
    "openshift_token": _join("sha", "256~", chars(ALNUM, 43)),
    "npm_token": _join("np", "m_", chars(ALNUM, 36)),
    "pypi_token": _join("py", "pi-", "AgEIcHlwaS5vcmc", chars(ALNUM, 70)),
    "rubygems_key": _join("ruby", "gems_", chars(HEX, 48)),
    "nuget_key": _join("oy", "2", chars(string.ascii_lowercase + string.digits, 43)),
    "artifactory_token": _join("AK", "Cp", chars(ALNUM, 69)),
    "circleci_token": _join("CCI", "PAT_", chars(ALNUM, 22), "_", chars(HEX, 40)),
    "buildkite_token": _join("bk", "ua_", chars(HEX, 40)),
    "sonarqube_token": _join("sq", "u_", chars(HEX, 40)),
    "postman_key": _join("PM", "AK-", chars(HEX, 24), "-", chars(HEX, 34)),
    "linear_key": _join("lin", "_api_", chars(ALNUM, 40)),
    "notion_token": _join("nt", "n_", "12345678901"[::-1], chars(ALNUM, 35)),
    "figma_token": _join("fi", "gd_", chars(ALNUM, 40)),
    "airtable_token": _join("pa", "t", chars(ALNUM, 14), ".", chars(HEX, 64)),
    "sentry_token": _join("sntr", "yu_", chars(HEX, 64)),
    "grafana_token": _join("gl", "sa_", chars(ALNUM, 32), "_", chars(HEX, 8)),
    "newrelic_key": _join("NR", "AK-", chars(UPPER, 27)),
    "onepassword_secret": "-".join(("A3", *(chars(UPPER, n, str(n)) for n in (6, 11, 5, 5, 5)))),
    "age_secret_key": _join("AGE-", "SECRET-KEY-1", chars("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "twilio_api_key": _join("S", "K", chars(HEX, 32)),
    "sendgrid_key": _join("S", "G.", chars(ALNUM, 22), ".", chars(ALNUM, 43)),
    "mailgun_key": _join("ke", "y-", chars(HEX, 32)),
    "mailchimp_key": _join(chars(HEX, 32), "-us", "12"),
    "brevo_key": _join("xkey", "sib-", chars(HEX, 64), "-", chars(ALNUM, 16)),
    "facebook_token": _join("EA", "A", chars(ALNUM, 120)),
    "twitter_bearer": _join("A" * 21, chars(ALNUM[26:], 80)),
    "alibaba_access_key_id": _join("LT", "AI", chars(ALNUM, 20)),
    "jwt": jwt(),
    "discord_bot_token": ".".join(
        (
            base64.b64encode(b"845746206792988384").decode(),
            chars(ALNUM, 6),
            chars(ALNUM, 38),
        )
    ),
    "internal_key": _join("AC", "ME-2026-PROD-", chars(UPPER, 24)),
}
# What the pattern needs before the value, and the value.
IN_PLACE = {
    "slack_webhook": (
        "https://hooks.slack.com/services/",
        f"T{chars(UPPER, 9)}/B{chars(UPPER, 9)}/{chars(ALNUM, 24)}",
    ),
    "discord_webhook": (
        "https://discord.com/api/webhooks/",
        f"123456789012345678/{chars(ALNUM, 68)}",
    ),
    "teams_webhook": (
        "https://acme.webhook.office.com/webhookb2/",
        f"{uuid('a')}@{uuid('b')}/IncomingWebhook/{chars(HEX, 32)}/{uuid('c')}",
    ),
    "azure_storage_key": ("AccountName=a;AccountKey=", chars(BASE64, 86) + "=="),
    "azure_servicebus_key": ("Endpoint=sb://a.b/;SharedAccessKey=", chars(BASE64, 43) + "="),
    "azure_sas_signature": ("https://a.b/c?sv=2023-11-03&se=2027&sig=", chars(ALNUM, 43) + "%3D"),
    "totp_secret": ("otpauth://totp/Acme:ann?issuer=Acme&secret=", chars(BASE32, 32)),
    "datadog_key": ("DD_API_KEY: ", chars(HEX, 32)),
    "okta_token": ("Authorization: SSWS ", "00" + chars(ALNUM, 40)),
    "cloudflare_api_token": ("CLOUDFLARE_API_TOKEN=", chars(ALNUM, 40)),
    "twilio_auth_token": ("twilio_auth_token = ", chars(HEX, 32)),
    "deepseek_key": ("DEEPSEEK_API_KEY=", "sk" + "-" + chars(HEX, 32)),
    "crates_io_token": ("cargo login ", "c" + "io" + chars(ALNUM, 32)),
    "aws_secret_access_key": ("aws_secret_access_key = ", chars(BASE64, 39) + "/"),
    "aws_session_token": ("aws_session_token = ", "IQoJb3JpZ2luX2Vj" + chars(BASE64, 200)),
    "ethereum_private_key": ("deployer: ", "0x" + chars(HEX, 64)),
}
