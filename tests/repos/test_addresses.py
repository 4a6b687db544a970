"""What people paste: one address for each project, or a refusal that says why."""

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repos.addresses import (
    DEFAULT_HOSTS,
    Address,
    AddressRefused,
    HostUnknown,
    check_public,
    guess_provider,
    host_link,
    parse_address,
    resolve_tree_ref,
)

HOSTS = [*DEFAULT_HOSTS, "git.corp.test", "git.corp.test:8443", "lab.corp.test", "127.0.0.1:9443"]
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def parse(text: str) -> Address:
    return parse_address(text, allowed_hosts=HOSTS)


def refusal(text: str) -> str:
    with pytest.raises(AddressRefused) as caught:
        parse(text)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "https://github.com/Owner/Name",
        "https://github.com/Owner/Name/",
        "https://github.com/Owner/Name.git",
        "https://github.com/Owner/Name.git/",
        "  https://github.com/Owner/Name \n",
        "HTTPS://GitHub.com/Owner/Name",
        "https://github.com:443/Owner/Name",
        "https://github.com./Owner/Name",
        "https://www.github.com/Owner/Name",
        "www.github.com/Owner/Name",
        "github.com/Owner/Name",
        "https://github.com//Owner///Name",
        "https://github.com/Owner/Name?tab=readme-ov-file#usage",
        "https://github.com/Owner/Name/issues/12",
        "https://github.com/Owner/Name/pull/3/files",
        "https://github.com/Owner/Name/tree/main/src",
        "https://github.com/Owner/%4eame",
        "git@github.com:Owner/Name.git",
        "git@github.com:/Owner/Name.git",
        "github.com:Owner/Name.git",
        "ssh://git@github.com/Owner/Name.git",
        "ssh://git@github.com:22/Owner/Name.git",
    ],
)
def test_spellings_of_one_project(text):
    found = parse(text)
    assert (found.url, found.key) == ("https://github.com/Owner/Name", "github.com/Owner/Name")


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://git.corp.test:8443/a/b.git", "https://git.corp.test:8443/a/b"),
        ("https://lab.corp.test/g/s/t/app/-/tree/main", "https://lab.corp.test/g/s/t/app"),
        ("https://gitlab.com/g/s/app/-/issues/4", "https://gitlab.com/g/s/app"),
        ("https://gitlab.com/g/s/app.git/", "https://gitlab.com/g/s/app"),
        ("https://git.corp.test/forge/a/b.git", "https://git.corp.test/forge/a/b"),
        ("https://127.0.0.1:9443/a/b", "https://127.0.0.1:9443/a/b"),
        ("https://git.corp.test/a/b.js", "https://git.corp.test/a/b.js"),
        ("git@lab.corp.test:g/s/app.git", "https://lab.corp.test/g/s/app"),
    ],
)
def test_self_hosted_and_nested(text, url):
    assert parse(text).url == url


def test_ssh_takes_the_https_port_of_the_list():
    found = parse_address("git@forge.test:a/b.git", allowed_hosts=["forge.test:8443"])
    assert (found.url, found.port) == ("https://forge.test:8443/a/b", 8443)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://lab.corp.test/g/s/app", "https://lab.corp.test/g/app"),
        ("https://lab.corp.test/g/s/app", "https://lab.corp.test/s/app"),
        ("https://git.corp.test/a/b", "https://git.corp.test:8443/a/b"),
        ("https://git.corp.test/a/b", "https://git.corp.test/A/b"),
        ("https://git.corp.test/a/b", "https://git.corp.test/a/b.js"),
    ],
)
def test_different_projects_never_share_a_key(one, other):
    assert parse(one).key != parse(other).key


@pytest.mark.parametrize(
    ("text", "ref", "subpath"),
    [
        ("https://github.com/o/n/tree/main", "main", None),
        ("https://github.com/o/n/blob/main/src/a.py#L3", "main", "src/a.py"),
        ("https://github.com/o/n/releases/tag/v1.2", "v1.2", None),
        (f"https://github.com/o/n/commit/{COMMIT}", COMMIT, None),
        ("https://gitlab.com/g/s/n/-/blob/dev/a%20b.py?ref_type=heads", "dev", "a b.py"),
        ("https://gitlab.com/g/n/-/tags/v1", "v1", None),
        ("https://bitbucket.org/o/n/src/main/a.py", "main", "a.py"),
        ("https://codeberg.org/o/n/src/branch/main/a.py", "main", "a.py"),
        ("https://codeberg.org/o/n/src/tag/v1/a.py", "v1", "a.py"),
        (f"https://gitea.com/o/n/src/commit/{COMMIT}/a.py", COMMIT, "a.py"),
        ("https://github.com/o/n/issues/4", None, None),
        ("https://github.com/o/n", None, None),
    ],
)
def test_the_branch_of_a_pasted_page(text, ref, subpath):
    found = parse(text)
    assert (found.ref, found.subpath) == (ref, subpath)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("https://github.com/", "names no project"),
        ("https://github.com/owner", "names no project"),
        ("https://github.com/owner/.git", "characters that no code host"),
        ("https://github.com/orgs/acme/repositories", "names no project"),
        ("http://github.com/o/n", "Use https://github.com/o/n instead"),
        ("git://github.com/o/n", "Only https"),
        ("file:///etc/passwd", "Only https"),
        ("ext::sh%20-c/x", "not on the list"),
        ("https://elsewhere.test/o/n", "elsewhere.test is not on the list"),
        ("https://github.com:8443/o/n", "github.com:8443 is not on the list"),
        ("https://github.com.elsewhere.test/o/n", "not on the list"),
        ("https://elsewhere.test#@github.com/o/n", "elsewhere.test is not on the list"),
        ("https://github.com@elsewhere.test/o/n", "token field"),
        ("https://github.com:99999/o/n", "between 1 and 65535"),
        ("https://github.com\\@elsewhere.test/o/n", "not an address"),
        ("--upload-pack=touch", "not an address"),
        ("https://-oProxyCommand=x/o/n", "malformed"),
        ("https://github.com/-o/n", "characters that no code host"),
        ("https://github.com/o/--upload-pack=x", "characters that no code host"),
        ("https://github.com/../n", "characters that no code host"),
        ("https://github.com/%2e%2e/n", "characters that no code host"),
        ("https://github.com/o%2fp/n", "characters that no code host"),
        ("https://github.com/o/n%00", "control characters"),
        ("https://github.com/o/n%ff", "broken %-escapes"),
        ("https://github.com/o/\nn", "invisible"),
        ("https://github.com/o/\u202en", "invisible"),
        ("https://git\u200bhub.com/o/n", "invisible"),
        ("https://github.com/o/n/tree/../../x", "cannot exist"),
        ("https://github.com/o/n/tree/--upload-pack=x", "cannot exist"),
        ("https://" + "a" * 3000, "longer than"),
        ("https:///o/n", "missing or malformed"),
    ],
)
def test_refusals_say_why(text, reason):
    assert reason in refusal(text)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[fd00::1]", "[::ffff:10.0.0.1]"]
)
def test_private_addresses_are_refused_unless_listed(host):
    url = f"https://{host}/o/n"
    assert "is a private address" in refusal(url)
    assert parse_address(url, allowed_hosts=[host]).path == "o/n"


@pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "0177.0.0.1", "127.1", "0x7f000001"])
def test_numbers_in_disguise_are_refused_even_when_the_address_is_listed(host):
    with pytest.raises(AddressRefused, match="unusual form"):
        parse_address(f"https://{host}/o/n", allowed_hosts=["127.0.0.1"])


def test_a_look_alike_host_is_shown_as_what_it_is():
    assert "xn--gthub-n2e.com" in refusal("https://g\u0456thub.com/o/n")


def test_full_width_letters_do_not_become_a_listed_host():
    assert "only look like" in refusal("https://\uff47ithub.com/o/n")


def test_an_international_host_can_be_listed_in_either_form():
    for entry in ("m\u00fcller.test", "xn--mller-kva.test"):
        found = parse_address("https://M\u00fcller.test/o/n", allowed_hosts=[entry])
        assert found.host == "xn--mller-kva.test"


SECRETS = [
    ("https://oauth2:glpat-SECRETSECRET@git.corp.test/a/b.git", "glpat-SECRETSECRET"),
    ("https://ghp_SECRETSECRET@github.com/a/b.git", "ghp_SECRETSECRET"),
    ("https://user:p%40ss%2Fw@github.com/a/b", "p%40ss%2Fw"),
    ("https://user:p/ss@github.com/a/b", "p/ss"),
    ("ghp_SECRETSECRET:x@github.com/a/b", "ghp_SECRETSECRET"),
    ("ghp_SECRETSECRET@github.com/a/b", "ghp_SECRETSECRET"),
    ("http://ghp_SECRETSECRET@github.com/a/b", "ghp_SECRETSECRET"),
    ("ssh://git:SECRETSECRET@github.com/a/b", "SECRETSECRET"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_credentials_are_refused_and_not_repeated(text, secret):
    message = refusal(text)
    assert "token field" in message
    assert secret not in message


def test_a_token_in_the_query_is_dropped():
    found = parse("https://github.com/o/n?private_token=SECRETSECRET")
    assert "SECRET" not in repr(found)


@given(st.text(max_size=60), st.sampled_from(["", "https://", "https://github.com/", "git@"]))
def test_any_text_is_parsed_or_refused(text, start):
    try:
        found = parse(start + text)
    except AddressRefused:
        return
    assert found.url.startswith("https://")


SEGMENT = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,8}", fullmatch=True)


@given(st.sampled_from(HOSTS), st.lists(SEGMENT, min_size=2, max_size=5))
def test_the_canonical_address_is_its_own_canonical_address(host, parts):
    try:
        first = parse(f"https://{host}/{'/'.join(parts)}")
    except AddressRefused:
        return
    again = parse(first.url)
    assert (again.url, again.key) == (first.url, first.key)


REFS = ["HEAD", "refs/heads/main", "refs/heads/feature/login", "refs/heads/src", "refs/tags/v1"]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("main", ("refs/heads/main", "")),
        ("main/feature", ("refs/heads/main", "feature")),
        ("feature/login", ("refs/heads/feature/login", "")),
        ("feature/login/src/a.py", ("refs/heads/feature/login", "src/a.py")),
        ("src/src", ("refs/heads/src", "src")),
        ("v1/docs/", ("refs/tags/v1", "docs")),
        ("HEAD/src", ("HEAD", "src")),
        ("refs/heads/main/src", ("refs/heads/main", "src")),
        (f"{COMMIT}/src", (COMMIT, "src")),
    ],
)
def test_refs_with_slashes_the_longest_wins(rest, expected):
    assert resolve_tree_ref(rest, REFS) == expected


def test_short_names_come_back_short():
    assert resolve_tree_ref("fix/#1/a.py", ["fix/#1", "fix"]) == ("fix/#1", "a.py")


def test_a_branch_goes_before_a_tag_of_its_name():
    refs = ["refs/tags/main", "refs/heads/main"]
    assert resolve_tree_ref("main", refs) == ("refs/heads/main", "")


@pytest.mark.parametrize("rest", ["feature", "mai", "main2/src", ""])
def test_no_ref_is_guessed(rest):
    with pytest.raises(AddressRefused, match="No branch, tag or commit"):
        resolve_tree_ref(rest, REFS)


def test_an_address_settles_its_own_ref():
    pasted = parse("https://git.corp.test/a/b/src/branch/user/ana/fix%2312/src/a.py")
    settled = pasted.resolved(["refs/heads/user/ana/fix#12"])
    assert (settled.ref, settled.subpath) == ("refs/heads/user/ana/fix#12", "src/a.py")
    assert settled.provider == "gitea"


def test_an_address_without_a_ref_stays_as_it_is():
    found = parse("https://github.com/o/n")
    assert found.resolved([]) is found


@pytest.mark.parametrize(
    ("host", "provider"),
    [
        ("github.com", "github"),
        ("codeberg.org", "gitea"),
        ("bitbucket.org", "bitbucket"),
        ("gitlab.corp.test:8443", "gitlab"),
        ("forgejo.corp.test", "gitea"),
        ("github.corp.test", "github"),
        ("git.corp.test", "generic"),
    ],
)
def test_what_a_host_runs(host, provider):
    assert guess_provider(host) == provider


@pytest.mark.parametrize(
    ("provider", "expected"),
    [
        ("github", f"https://h/o/n/blob/{COMMIT}/a.py#L10-L20"),
        ("gitlab", f"https://h/o/n/-/blob/{COMMIT}/a.py#L10-20"),
        ("bitbucket", f"https://h/o/n/src/{COMMIT}/a.py#lines-10:20"),
        ("gitea", f"https://h/o/n/src/commit/{COMMIT}/a.py#L10-L20"),
        ("generic", ""),
    ],
)
def test_links_to_lines(provider, expected):
    assert host_link("https://h/o/n", provider, COMMIT, "a.py", 10, 20) == expected


def test_a_single_line_and_a_whole_file():
    link = f"https://h/o/n/blob/{COMMIT}/a.py"
    assert host_link("https://h/o/n.git", "github", COMMIT, "a.py", 7, 7) == f"{link}#L7"
    assert host_link("https://h/o/n", "github", COMMIT, "a.py", 7) == f"{link}#L7"
    assert host_link("https://h/o/n", "github", COMMIT, "a.py") == link


def test_lines_of_a_rendered_page_are_shown_as_source():
    link = host_link("https://h/o/n", "github", COMMIT, "README.md", 7)
    assert link.endswith("/README.md?plain=1#L7")


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a b/50%.py", "a%20b/50%25.py"),
        ("100%25.py", "100%2525.py"),
        ("hash#1?.py", "hash%231%3F.py"),
        ("caf\u00e9.md", "caf%C3%A9.md"),
        ("new\nline.py", "new%0Aline.py"),
        ("<b>+~.py", "%3Cb%3E%2B~.py"),
        (b"latin\xe9.py".decode(errors="surrogateescape"), "latin%E9.py"),
    ],
)
def test_paths_are_encoded_once(path, encoded):
    assert host_link("https://h/o/n", "github", COMMIT, path).endswith(f"/{COMMIT}/{encoded}")


@pytest.fixture
def resolves_to(monkeypatch):
    """Let every name resolve to the given IP addresses."""

    def answer(*addresses: str) -> None:
        found = [(0, 0, 0, "", (ip, 443)) for ip in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_options: found)

    return answer


PRIVATE = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"]
HIDDEN = ["::1", "fe80::1%eth0", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::"]


@pytest.mark.parametrize("ip", [*PRIVATE, *HIDDEN])
def test_a_public_service_must_not_resolve_to_a_private_address(resolves_to, ip):
    resolves_to("140.82.121.4", ip)
    with pytest.raises(AddressRefused, match="leads to a private network"):
        check_public(parse("https://github.com/o/n"), HOSTS)


def test_a_host_no_longer_on_the_list_is_checked_too(resolves_to):
    resolves_to("10.1.2.3")
    with pytest.raises(AddressRefused, match="leads to a private network"):
        check_public(parse("https://git.corp.test/o/n"), DEFAULT_HOSTS)


def test_a_listed_host_may_be_private(resolves_to):
    resolves_to("10.1.2.3", "10.1.2.3")
    assert check_public(parse("https://git.corp.test/o/n"), HOSTS) == ("10.1.2.3",)


def test_the_public_addresses_are_returned_for_pinning(resolves_to):
    resolves_to("140.82.121.4", "2606:50c0:8000::64")
    found = check_public(parse("https://github.com/o/n"), HOSTS)
    assert found == ("140.82.121.4", "2606:50c0:8000::64")


def test_a_name_that_does_not_resolve(monkeypatch):
    def fail(*_args, **_options):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(HostUnknown, match=r"github\.com cannot be found"):
        check_public(parse("https://github.com/o/n"), HOSTS)


def test_parsing_never_asks_the_network(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", None)
    assert parse("https://github.com/o/n").path == "o/n"
