"""Which addresses are a person's (docs/decisions/0019-addresses-of-persons.md)."""

import re

import pytest

from indexing.scrub import scrub


@pytest.mark.parametrize(
    "text",
    [
        "Copyright (C) 2009 Ann Kite <ann@kitehouse.net>",
        '{name = "Ann", email = "ann@kitehouse.net"}',
        "mailto:ann@kitehouse.net?subject=x",
        "邮箱ann@kitehouse.net。",
        '"a\\nann@kitehouse.net\\n"',
        "o'brien@kitehouse.net",
        "ann@mail.ru",
        "ann@list.ru",
        "ann@email.cz",
        "References: Ann Kite, ann@kitehouse.net",
        "my.kite@kitehouse.net",
        "%sven@kitehouse.net",
        "ssh-ed25519 AAAAC3Nz ann@kitehouse.net",
        "git config user.email=ann@kitehouse.net",
        "ann at kitehouse dot net",
        "ann AT mail DOT kitehouse DOT net",
        "ann&commat;kitehouse.net",
        '"ann\\u0040kitehouse.net"',
        "u=ann%40kitehouse.net&x",
        "ann [ at ] kitehouse [ dot ] net",
        "ann[@]kitehouse.net",
        "ann&#64;kitehouse&period;net",
        '"ann\\x40kitehouse.net"',
        "ann at kitehouse dot me".replace("dot me", "dot dev"),
        "'ann' + '@' + 'kitehouse.net'",
        "".join(f"&#{ord(letter)};" for letter in "ann@kitehouse.net"),
        "".join(f"&#x{ord(letter):x};" for letter in "ann@kitehouse.net"),
    ],
)
def test_an_address_of_a_person_is_covered(text: str) -> None:
    done = scrub("docs/a.md", text + "\n")
    assert {found.action for found in done.findings} == {"redact"}
    assert len({found.group for found in done.findings}) == 1
    assert "kitehouse" not in done.text
    assert not re.search(r"(?:mail|list)\.ru|email\.cz", done.text)


@pytest.mark.parametrize(
    "text",
    [
        "Report to security@kitehouse.net or abuse@kitehouse.net.",
        "info+docs@kitehouse.net",
        "python-announce-list@python.org",
        "curl-library@lists.kitehouse.se",
        "kite-users@googlegroups.com",
        "noreply@kitehouse.net, 41898282+github-actions[bot]@users.noreply.github.com",
        "build-bot@kitehouse.net",
        "jane.doe@kitehouse.net, john@doe.com",
        "you@your-domain.com",
        "your-name@kitehouse.net",
        "my-name@kitehouse.net",
        "git clone git@kitehouse.net:app/lib.git",
        "b'git@kitehouse.net:app/lib.git'",
        "ssh -p 22 ann@build.kitehouse.net",
        "scp a.tgz ann@build.kitehouse.net:/srv/",
        "rsync -a x/ ann@build.kitehouse.net:~/x",
        "ann@build.kitehouse.net:backups/today.tgz",
        '"$CI_USER@build.kitehouse.net"',
        '"%s@kitehouse.net"',
        '"\\x05BBZ@kitehouse.net/a/b"',
        "Ciphers chacha20-poly1305@openssh.com,curve25519-sha256@libssh.org",
        "Message-ID: <comment.jow5ro.1373989038@kitehouse.net>",
        "References: <a.1@kitehouse.net> <b.2@kitehouse.net>",
        "11111111-1111-1111-1111-111111111111@kitehouse.net",
        "Meet Ann at kitehouse.net or look at dot com prices",
    ],
)
def test_what_is_no_address_of_a_person_stays(text: str) -> None:
    assert scrub("docs/a.md", text + "\n").findings == ()
