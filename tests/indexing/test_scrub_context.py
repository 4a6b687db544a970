"""Credentials known by where they stand."""

import base64

import pytest

from indexing.scrub import scrub
from tests.indexing.scrub_samples import ALNUM, BASE64, HEX, chars

TOKEN = chars(ALNUM, 40)
PASSWORD = "z!y1g" + "Ve~B^FT3nBJ"
PAIR = base64.b64encode(f"svc-ann:{PASSWORD}".encode()).decode()

FOUND = [
    ("bearer_token", "Authorization: Bearer ", TOKEN, ""),
    ("bearer_token", "curl -H 'authorization: bearer ", chars(HEX, 40), "' https://a.b"),
    ("basic_auth_header", "Authorization: Basic ", PAIR, ""),
    ("url_credentials", "postgres://app:", "p4%40Zq!x", "@db.internal:5432/x"),
    ("url_credentials", "postgres://app:", "%C3%A4Kq9xvT2", "@db.internal:5432/x"),
    ("url_credentials", "amqp://app:", "Kq9?xv=T2", "@mq.internal/x"),
    ("url_credentials", "redis://:", "s3cr3tZq9", "@cache:6379/0"),
    ("url_credentials", 'x = "https://deploy:', "q7-Zr.x", '@git.acme.io/a.git"'),
    ("connection_string_password", "Server=db;User ID=sa;Password=", "S0me!pw", ";Encrypt=True"),
    ("connection_string_password", '"Data Source=db;Uid=sa;Pwd=', "S0me!pw", '"'),
    ("curl_user_password", "curl -fsS -u svc:", "zC.qb91x1A", " https://a.b"),
    ("curl_user_password", '"run\\ncurl -u svc:', "zC.qb91x1A", ' https://a.b"'),
    ("curl_user_password", "命令curl --user svc:", "zC.qb91x1A", " https://a.b"),
    ("connection_string_password", "Server=db;Uid=sa;Password=", "G.XVUmErTeZA09.PUt", ";"),
    ("netrc_password", "machine a.b login ann password ", "zC.qb91x1A", "\n"),
    ("netrc_password", "machine a.b\n  login ann\n  password ", "zC.qb91x1A", "\n"),
    ("docker_config_auth", '{"auths": {"r.io": {"auth": "', PAIR, '"}}}'),
]


@pytest.mark.parametrize(("kind", "before", "value", "after"), FOUND)
def test_only_the_secret_part_is_redacted(kind: str, before: str, value: str, after: str) -> None:
    done = scrub("deploy/run.txt", before + value + after)
    assert {found.kind for found in done.findings} == {kind}
    assert done.text.startswith(before + "[R")
    assert done.text.endswith(after)
    assert value not in done.text


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <your-access-token>",
        "Authorization: Bearer {{ access_token_value }}",
        'strings.TrimPrefix(header, "Bearer ")',
        "a bearer authentication-required-header is needed",
        "Authorization: Bearer abcdefg12345-._~+/=",
        "Basic authentication and Basic administration",
        "postgres://app:${PGPASSWORD}@db:5432/orders",
        "https://user:$VAR@host.io/",
        "https://user:password@host.io/",
        "https://user:****@host.io/",
        "http://a%20b:c%20d@host/",
        "http://user:%F0%9F%8D%A9@host/",
        "http://user:%3D%5B%5D%3A%3B%22~%7C@host/",
        "mysql://foo:bar%25bar@localhost/baz",
        "http://localhost:8080/login?next=/home@x",
        "http://localhost:8080?email=ann@host.io",
        "http://%HOST:%HTTPPORT#@127.0.0.1/x",
        "git clone git@github.com:quill/engine.git",
        'curl -u "$USER:$PASS" https://a.b',
        "curl -u user:password https://a.b",
        "machine a.b login ann password pass1\\n",
        "machine a.b login ann password <password>",
        "Server=db;User ID=sa;Password=${PW};Encrypt=True",
        '{"auth": "bm90IGEgcGFpciBhdCBhbGw="}',
        "; redis: network=tcp,addr=:6379,password=kite-x,db=0",
    ],
)
def test_references_and_stand_ins_stay(text: str) -> None:
    assert scrub("deploy/run.txt", text).findings == ()


def manifest(*, kind_first: bool) -> str:
    value = base64.b64encode(PASSWORD.encode()).decode()
    data = f"data:\n  user: bnVsbA==\n  conf: {value}\n"
    return f"apiVersion: v1\nkind: Secret\n{data}" if kind_first else f"{data}kind: Secret\n"


@pytest.mark.parametrize("kind_first", [True, False])
def test_a_kubernetes_secret_before_and_after_its_kind(*, kind_first: bool) -> None:
    done = scrub("k.yaml", manifest(kind_first=kind_first))
    assert "  conf: [REDACTED]__" in done.text
    assert "  user: bnVsbA==" in done.text


@pytest.mark.parametrize(
    ("key", "value", "stays"),
    [
        ("host", "shop-database", True),
        ("username", "shopuser", True),
        ("username", "shopuser1", True),  # padded in base64
        ("password", "shopuser", False),
        ("endpoint", "https://ann:Kq9x@kite", False),
        ("endpoint", "https://ann:hunter@database", False),
    ],
)
def test_where_a_service_is_stays_whether_encoded_or_not(
    key: str, value: str, *, stays: bool
) -> None:
    encoded = base64.b64encode(value.encode()).decode()
    for block, one in (("data", encoded), ("stringData", value)):
        done = scrub("k.yaml", f"kind: Secret\n{block}:\n  {key}: {one}\n")
        assert (one in done.text) is stays


def test_the_same_data_in_a_config_map_stays() -> None:
    text = manifest(kind_first=True).replace("Secret", "ConfigMap")
    assert scrub("k.yaml", text).findings == ()


def test_other_documents_of_the_file_stay() -> None:
    other = "---\nkind: ConfigMap\ndata:\n  note: aGVsbG8gd29ybGQgZnJpZW5k\n"
    done = scrub("k.yaml", other + "---\n" + manifest(kind_first=True) + other)
    assert done.text.count("aGVsbG8gd29ybGQgZnJpZW5k") == 2


def test_a_wrapped_value_of_a_kubernetes_secret_goes_line_by_line() -> None:
    lines = [chars(BASE64, 48, str(n)) for n in range(3)]
    body = "\r\n".join(f"    {line}" for line in lines)
    done = scrub("k.yaml", f"kind: Secret\r\ndata:\r\n  conf: |\r\n{body}\r\ntype: Opaque\r\n")
    assert [line for line in lines if line in done.text] == []
    assert done.text.endswith("\r\ntype: Opaque\r\n")
    assert len({found.group for found in done.findings}) == 1


def test_plain_values_of_string_data() -> None:
    done = scrub("k.yaml", 'kind: Secret\nstringData:\n  pw: "hunter-two"\n  ref: ${PW}\n')
    assert done.text == 'kind: Secret\nstringData:\n  pw: "[REDACTED]"\n  ref: ${PW}\n'


CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB" + chars(ALNUM, 60) + "\n-----END CERTIFICATE-----"
EMPTY_KEY = "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----"
SETTINGS = "global:\n  interval: 1m\nrules:\n  - /etc/rules.yml\n"


@pytest.mark.parametrize("value", [CERTIFICATE, EMPTY_KEY, "secret-value", "user_password"])
def test_what_is_public_or_stands_in_stays_in_a_kubernetes_secret(value: str) -> None:
    encoded = base64.b64encode(value.encode()).decode()
    assert scrub("k.yaml", f"kind: Secret\ndata:\n  tls.crt: {encoded}\n").findings == ()
    block = value.replace("\n", "\n    ")
    assert scrub("k.yaml", f"kind: Secret\nstringData:\n  a.crt: |\n    {block}\n").findings == ()


@pytest.mark.parametrize(
    ("content", "stays"), [(SETTINGS, True), (SETTINGS + "password: kite\n", False)]
)
def test_a_file_of_settings_stays_unless_it_names_a_secret(content: str, *, stays: bool) -> None:
    block = content.replace("\n", "\n    ").rstrip()
    done = scrub("k.yaml", f"kind: Secret\nstringData:\n  a.yml: |\n    {block}\n")
    assert ("interval: 1m" in done.text) is stays


def test_a_password_hash_is_flagged() -> None:
    value = "$2b$12$" + chars(ALNUM, 53)
    (found,) = scrub("users.sql", f"('ann', '{value}')").findings
    assert (found.kind, found.action) == ("password_hash", "flag")
    assert found.end_col - found.start_col == len(value)
