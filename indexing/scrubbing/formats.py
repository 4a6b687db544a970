"""The table of published credential formats: facts from the providers' own documentation.

Group 1 of a pattern is the value. `keywords` (lower case) are literals that occur in every value
or in the text right before it; the pattern is tried only where one of them occurs.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from indexing.scrubbing import structure
from indexing.scrubbing.edges import BASE64_END, DASH_END, LEFT, LEFT_BARE, UUID, WORD_END, left

Check = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Format:
    """`back` is how far before the keyword a value may begin; with `reach` the value lies behind
    the keyword (a provider's name), at most that many characters and three line ends away."""

    kind: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Check | None = None
    back: int = 0
    reach: int = 0
    published: bool = True


def _word(kind: str, keywords: str, body: str, check: Check | None = None) -> Format:
    return Format(kind, tuple(keywords.split()), re.compile(f"{LEFT}({body}){WORD_END}"), check)


def _dash(kind: str, keywords: str, body: str, check: Check | None = None) -> Format:
    return Format(kind, tuple(keywords.split()), re.compile(f"{LEFT}({body}){DASH_END}"), check)


def _b64(kind: str, keywords: str, body: str, check: Check | None = None) -> Format:
    return Format(kind, tuple(keywords.split()), re.compile(f"{LEFT}({body}){BASE64_END}"), check)


def _inside(
    kind: str, keywords: str, pattern: str, back: int, check: Check | None = None
) -> Format:
    """The keyword stands at most `back` characters behind the start of the pattern."""
    bounded = re.compile(f"(?s:.{{0,{back}}}?){pattern}")
    return Format(kind, tuple(keywords.split()), bounded, check, back=back)


def _after(kind: str, keywords: str, body: str, check: Check, reach: int = 120) -> Format:
    """A value without a shape of its own behind the provider's name."""
    pattern = re.compile(f"(?s:.{{0,{reach}}}?){LEFT_BARE}({body}){BASE64_END}")
    return Format(kind, tuple(keywords.split()), pattern, check, reach=reach, published=False)


FORMATS: tuple[Format, ...] = (
    _word(
        "aws_access_key_id",
        "akia asia abia acca",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
        structure.is_aws_key_id,
    ),
    _b64("aws_bedrock_api_key", "absk", r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    _word("aws_mws_token", "amzn.mws.", rf"amzn\.mws\.{UUID}"),
    _word("aws_appsync_key", "da2-", r"da2-[a-z0-9]{26}"),
    _word("github_pat", "ghp_", r"ghp_[A-Za-z0-9]{36,251}"),
    _word("github_oauth", "gho_", r"gho_[A-Za-z0-9]{36,251}"),
    _word("github_user_to_server", "ghu_", r"ghu_[A-Za-z0-9]{36,251}"),
    _word("github_server_to_server", "ghs_", r"ghs_[A-Za-z0-9]{36,251}"),
    _word("github_refresh", "ghr_", r"ghr_[A-Za-z0-9]{36,251}"),
    _word(
        "github_fine_grained_pat",
        "github_pat_",
        r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
    ),
    _dash(
        "github_installation_jwt",
        "ghs_",
        r"ghs_[0-9]{1,20}_eyJ[A-Za-z0-9_-]{15,2000}\.[A-Za-z0-9_-]{15,4000}\.[A-Za-z0-9_-]{15,1000}",
        structure.is_jwt,
    ),
    _dash("gitlab_pat", "glpat-", r"glpat-[A-Za-z0-9_-]{20}"),
    _dash(
        "gitlab_pat_routable",
        "glpat-",
        r"glpat-[A-Za-z0-9_-]{27,300}\.[0-9a-z]{2}\.?[0-9a-z]{7,9}",
    ),
    _dash(
        "gitlab_runner_token",
        "glrt- glrtr- gr1348941",
        r"(?:glrt-(?:t[0-9]_)?|glrtr-|GR1348941)[A-Za-z0-9_-]{20}",
    ),
    _dash("gitlab_deploy_token", "gldt-", r"gldt-[A-Za-z0-9_-]{20}"),
    _word("gitlab_trigger_token", "glptt-", r"glptt-[0-9a-f]{40}"),
    _dash("gitlab_job_token", "glcbt-", r"glcbt-[0-9a-zA-Z]{1,5}_[A-Za-z0-9_-]{20}"),
    _dash(
        "gitlab_other_token",
        "gloas- glsoat- glft- glimt- glagent- glffct-",
        r"gl(?:oas-[A-Za-z0-9_-]{64}|(?:soat|ft|ffct)-[A-Za-z0-9_-]{20}|imt-[A-Za-z0-9_-]{25}"
        r"|agent-[A-Za-z0-9_-]{50})",
    ),
    _dash("atlassian_api_token", "atatt3", r"ATATT3[A-Za-z0-9_=-]{186}"),
    _word("bitbucket_app_password", "atbb", r"ATBB[A-Za-z0-9]{24}[A-F0-9]{8}"),
    _dash(
        "slack_bot_token",
        "xoxb-",
        r"xoxb-[0-9]{8,14}-(?:[0-9]{10,13}-[A-Za-z0-9]{24}|[A-Za-z0-9]{18,26})",
    ),
    _dash("slack_user_token", "xoxp- xoxe-", r"xox[pe](?:-[0-9]{10,13}){3}-[A-Za-z0-9]{28,34}"),
    _dash("slack_app_token", "xapp-", r"xapp-[0-9]-A[A-Z0-9]{8,12}-[0-9]{10,13}-[a-f0-9]{64}"),
    _word("slack_config_token", "xoxe", r"xoxe(?:\.xox[bp])?-[0-9]-[A-Za-z0-9]{146,166}"),
    _word(
        "slack_session_token",
        "xoxc- xoxd-",
        r"xoxc(?:-[0-9]{9,15}){3}-[a-f0-9]{64}|xoxd-[A-Za-z0-9_/\\+%-]{100,600}={0,2}",
    ),
    _inside(
        "slack_webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/"
        r"(T[A-Z0-9]{8,12}/(?:B[A-Z0-9]{8,12}/)?[A-Za-z0-9/]{24,44})" + WORD_END,
        1,
        structure.is_bare_webhook,
    ),
    _inside(
        "discord_webhook",
        "/api/webhooks/",
        r"discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,80})" + DASH_END,
        16,
    ),
    _inside(
        "telegram_bot_token",
        ":aa",
        LEFT + r"(?:bot)?([0-9]{8,10}:AA[A-Za-z0-9_-]{33})" + DASH_END,
        14,
    ),
    _inside(
        "teams_webhook",
        ".webhook.office.com",
        r"\.webhook\.office\.com/webhookb2/([0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/"
        r"[0-9a-z]{32}/[0-9a-f-]{36})",
        1,
    ),
    _word("stripe_live_key", "sk_live_ rk_live_", r"[sr]k_live_[A-Za-z0-9]{20,247}"),
    _word("stripe_test_key", "sk_test_ rk_test_", r"[sr]k_test_[A-Za-z0-9]{20,247}"),
    _b64("stripe_webhook_secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,160}"),
    _dash("square_token", "sq0", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}"),
    _word(
        "braintree_access_token",
        "access_token$production$",
        r"access_token\$production\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    _word("shopify_token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _word(
        "plaid_access_token",
        "access-production- access-development- access-sandbox-",
        rf"access-(?:production|development|sandbox)-{UUID}",
    ),
    _dash("google_api_key", "aiza", r"AIza[A-Za-z0-9_-]{35}"),
    _dash("google_oauth_client_secret", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    _dash("google_oauth_access_token", "ya29.", r"ya29\.[A-Za-z0-9_-]{20,500}"),
    _dash("google_oauth_refresh_token", "1//0", r"1//0[A-Za-z0-9_-]{40,300}"),
    _dash("google_gemini_key", "aq.ab8rn6", r"AQ\.Ab8RN6[A-Za-z0-9_-]{44}"),
    _inside(
        "openai_key",
        "t3blbkfj",
        LEFT
        + r"(sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,80}T3BlbkFJ[A-Za-z0-9_-]{20,80})"
        + DASH_END,
        96,
    ),
    _dash("anthropic_key", "sk-ant-", r"sk-ant-(?:api03|admin01)-[A-Za-z0-9_-]{93}AA"),
    _word("huggingface_token", "hf_ api_org_", r"(?:hf_|api_org_)[A-Za-z]{34}"),
    _word("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    _word("xai_key", "xai-", r"xai-[A-Za-z0-9]{70,120}"),
    _word("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    _word("openrouter_key", "sk-or-v1-", r"sk-or-v1-[0-9a-f]{64}"),
    _word("replicate_token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _dash("nvidia_key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{60,70}"),
    _after("deepseek_key", "deepseek", r"sk-[a-f0-9]{32}", structure.is_hex_secret),
    _word("langsmith_key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _inside(
        "azure_ad_client_secret",
        "q~",
        rf"(?:{left('A-Za-z0-9_~.-')}|(?<=:-))"
        r"([A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,33}"
        r"[A-Za-z0-9_~-])(?![A-Za-z0-9_~-]|\.[A-Za-z0-9])",
        4,
    ),
    _inside(
        "azure_storage_key",
        "accountkey=",
        r"(?i:accountkey)=([A-Za-z0-9+/]{86}==)(?![A-Za-z0-9+/=_-])",
        0,
    ),
    _inside(
        "azure_devops_pat",
        "azdo",
        LEFT_BARE + r"([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})" + BASE64_END,
        76,
    ),
    _inside(
        "azure_servicebus_key",
        "sharedaccesskey=",
        r"(?i:sharedaccesskey)=([A-Za-z0-9+/]{43}=)",
        0,
    ),
    _word("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    _dash("heroku_key", "hrku-aa", r"HRKU-AA[A-Za-z0-9_-]{58}"),
    _word("cloudflare_origin_ca", "v1.0-", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    _word("databricks_token", "dapi", r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    _word("dynatrace_token", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _word(
        "doppler_token",
        "dp.pt. dp.st. dp.ct. dp.sa.",
        r"dp\.(?:pt|st|ct|sa)\.(?:[a-z0-9_-]{1,64}\.)?[A-Za-z0-9]{40,44}",
    ),
    _inside(
        "terraform_cloud_token",
        ".atlasv1.",
        LEFT + r"([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})" + DASH_END,
        14,
    ),
    _dash("vault_token", "hvs. hvb.", r"hv[sb]\.[A-Za-z0-9_-]{90,300}"),
    _word("pulumi_token", "pul-", r"pul-[a-f0-9]{40}"),
    _b64(
        "flyio_token",
        "fo1_ fm1 fm2",
        r"fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,1500}={0,3}",
    ),
    _word("vercel_token", "vcp_ vci_ vca_ vcr_ vck_", r"vc[acipkr]{1,2}_[A-Za-z0-9]{56}"),
    _word("netlify_token", "nfp_", r"nfp_[A-Za-z0-9]{36}"),
    _dash("supabase_token", "sbp_ sb_secret_", r"sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{31}"),
    _dash("planetscale_token", "pscale_", r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}"),
    _dash("mongodb_atlas_secret", "mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_-]{40}"),
    _dash(
        "tailscale_key",
        "tskey-",
        r"tskey-(?:api|auth|client|scim)-[A-Za-z0-9]{10,20}-[A-Za-z0-9]{20,40}",
    ),
    _dash("dockerhub_token", "dckr_", r"dckr_pat_[A-Za-z0-9_-]{27}|dckr_oat_[A-Za-z0-9_-]{32}"),
    _dash("docker_swarm_token", "swmtkn-1-", r"SWMTKN-1-[0-9a-z]{50}-[0-9a-z]{25}"),
    _dash("openshift_token", "sha256~", r"sha256~[A-Za-z0-9_-]{43}"),
    _word("npm_token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _dash("pypi_token", "pypi-ageichlwas5vcmc", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}"),
    _word("rubygems_key", "rubygems_", r"rubygems_[a-f0-9]{48}"),
    _word("nuget_key", "oy2", r"oy2[a-z0-9]{43}"),
    _after("crates_io_token", "crates cargo", r"cio[A-Za-z0-9]{32}", structure.is_hex_secret),
    _dash("artifactory_token", "akcp cmvmdgtuo", r"AKCp[A-Za-z0-9]{69}|cmVmdGtuO[A-Za-z0-9_-]{55}"),
    _word("circleci_token", "ccipat_", r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _word("buildkite_token", "bkua_", r"bkua_[a-z0-9]{40}"),
    _word("sonarqube_token", "squ_ sqp_ sqa_", r"sq[apu]_[0-9a-f]{40}"),
    _word("postman_key", "pmak-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _word("linear_key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    _word("notion_token", "ntn_", r"ntn_[0-9]{11}[A-Za-z0-9]{35}"),
    _dash("figma_token", "figd_", r"figd_[A-Za-z0-9_-]{38,42}"),
    _b64(
        "sentry_token",
        "sntryu_ sntrys_",
        r"sntryu_[a-f0-9]{64}|sntrys_eyJ[A-Za-z0-9+/=]{20,400}_[A-Za-z0-9+/]{43}",
    ),
    _b64(
        "grafana_token",
        "glsa_ glc_ey",
        r"glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_eyJ[A-Za-z0-9+/]{32,400}={0,3}",
    ),
    _dash("newrelic_key", "nrak- nrii-", r"NRAK-[A-Z0-9]{27}|NRII-[A-Za-z0-9-]{32}"),
    _b64(
        "onepassword_secret",
        "a3- ops_ey",
        r"A3-[A-Z0-9]{6}(?:-[A-Z0-9]{6}-[A-Z0-9]{5}|-[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3}"
        r"|ops_eyJ[A-Za-z0-9+/]{250,3000}={0,3}",
    ),
    _word(
        "age_secret_key",
        "age-secret-key-1",
        r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
    ),
    _word(
        "twilio_api_key",
        " ".join("sk" + digit for digit in "0123456789abcdef"),
        r"SK[0-9a-f]{32}",
        structure.is_hex_secret,
    ),
    _dash("sendgrid_key", "sg.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    _dash("mailgun_key", "key-", r"key-[0-9a-f]{32}", structure.is_hex_secret),
    _inside("mailchimp_key", "-us", LEFT + r"([0-9a-f]{32}-us[0-9]{1,2})" + DASH_END, 32),
    _word("brevo_key", "xkeysib-", r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _word("facebook_token", "eaa", r"EAA[A-Za-z0-9]{97,500}"),
    _b64("twitter_bearer", "a" * 20, r"A{20,22}[A-Za-z0-9%]{60,110}"),
    _word("alibaba_access_key_id", "ltai", r"LTAI[A-Za-z0-9]{12,20}"),
    Format(
        "jwt",
        ("eyj", "eyai", "ewog", "ewok"),
        re.compile(
            left("A-Za-z0-9+/.-") + r"(e[yw][A-Za-z0-9_-]{10,4000}\.e[yw][A-Za-z0-9_-]{5,8000}"
            r"\.[A-Za-z0-9_-]{10,2000})" + DASH_END
        ),
        structure.is_jwt,
    ),
    Format(  # an encrypted one has five parts, of which the second may be empty
        "jwt",
        ("eyj", "eyai", "ewog", "ewok"),
        re.compile(
            left("A-Za-z0-9+/.-") + r"(e[yw][A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,1000}"
            r"\.[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{1,8000}\.[A-Za-z0-9_-]{16,128})" + DASH_END
        ),
        structure.is_jwe,
    ),
    _inside(
        "totp_secret",
        "otpauth://",
        r"(?i:otpauth://[th]otp/[^\s\"'?]{0,200}\?(?:[^\s\"'&]{1,100}&){0,8}secret=)([A-Z2-7]{16,64})",
        0,
    ),
    replace(
        _inside(
            "internal_key",
            "-prod- -stage- -staging- -live-",
            LEFT
            + r"([A-Z]{2,8}-20[0-9]{2}-(?:PROD|STAGE|STAGING|LIVE)-[A-Z0-9]{20,40})"
            + DASH_END,
            13,
            structure.is_hex_secret,
        ),
        published=False,  # a house format: nobody but its owner knows the prefix
    ),
    _after(
        "datadog_key",
        "datadog dd_api dd_app dd-api ddapi",
        r"[a-f0-9]{32}|[a-f0-9]{40}",
        structure.is_hex_secret,
        80,
    ),
    _after("okta_token", "okta ssws", r"00[A-Za-z0-9_-]{40}", structure.is_mixed),
    _after(
        "cloudflare_api_token",
        "cloudflare cf_api cf-api cfapi",
        r"[A-Za-z0-9_-]{40}",
        structure.is_mixed,
    ),
    _after("twilio_auth_token", "twilio", r"[0-9a-f]{32}", structure.is_hex_secret, 80),
    _after(
        "aws_secret_access_key",
        "aws_secret aws-secret awssecret aws.secret secret_access_key secretaccesskey secretkey "
        "secret_key secret-access-key secret.access.key akia asia",
        r"[A-Za-z0-9/+]{40}",
        structure.is_mixed,
        160,
    ),
    _after(
        "aws_session_token",
        "session_token session-token sessiontoken security-token security_token session.token",
        r"[A-Za-z0-9/+]{100,3000}={0,3}",
        structure.is_aws_session,
    ),
    _after(
        "ethereum_private_key",
        "private_key privatekey private-key private.key deployer mnemonic",
        r"0x[0-9a-fA-F]{64}",
        structure.is_curve_scalar,
    ),
    _after(
        "azure_storage_key",
        "storage_key storagekey storage-key storage.key account_key accountkey account-key "
        "account.key azure",
        r"[A-Za-z0-9+/]{86}==",
        structure.is_mixed,
    ),
)
