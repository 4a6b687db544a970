"""Personal data, and the numbers and @ signs that are none."""

import pytest

from indexing.scrub import scrub
from indexing.scrubbing.policy import Policy

FOUND = [
    ("email", "ines.kessler@brightfen.co.uk"),
    ("email", "mira+build@kitehouse.net"),
    ("email_obfuscated", "ann [at] kitehouse.net"),
    ("email_obfuscated", "ann(at)kitehouse(dot)co(dot)uk"),
    ("email_obfuscated", "ann&#64;kitehouse.net"),
    ("email_obfuscated", "ann%40kitehouse.net"),
    ("phone_nanp", "415-679-0285"),
    ("phone_nanp", "(512) 421-0827"),
    ("phone_nanp", "+1 212 666 4201"),
    ("phone_nanp", "+14156270123"),
    ("phone_nanp", "415.679.0285"),
    ("ssn", "488-64-7219"),
    ("ssn", "179 52 6710"),
    ("credit_card", "4539 1488 0343 6467"),
    ("credit_card", "4539148803436467"),
    ("iban", "DE75512108001245126199"),
    ("iban", "GB33 BUKB 2020 1555 5555 55"),
]


@pytest.mark.parametrize(("kind", "value"), FOUND)
@pytest.mark.parametrize("around", ["# owner: {}", '{{"x": "{}"}}', "1,{},2", "<b>{}</b>"])
def test_personal_data_is_redacted(kind: str, value: str, around: str) -> None:
    text = around.format(value)
    (found,) = scrub("data/people.txt", text).findings
    assert (found.kind, text[found.start_col : found.end_col]) == (kind, value)


@pytest.mark.parametrize("line", ["tel: 4156790285", 'phone="4156790285"', "call 415 679 0285"])
def test_a_bare_number_is_a_phone_number_where_one_is_expected(line: str) -> None:
    assert [found.kind for found in scrub("a.txt", line).findings] == ["phone_nanp"]


@pytest.mark.parametrize(
    "line",
    [
        "admin@example.com bob@corp.example user@localhost test@test.invalid",
        "noreply@kitehouse.net git@github.com:a/b.git deploy@web01:/srv",
        "@app.route('/x') @javax.inject.Named y = x@w.data logo@2x.png",
        "https://medium.com/@team/how https://u:pass@complex.io/x npm:@preact/compat@17.1.2",
        "pnpm@9.1.0 a@self.weight.float() {@link io.quill.Client}",
        "name [at] example.com and lines [at] the end",
        "081-953-7294 152-415-4593 100-200-3000 911-222-3333",
        "+1 212 555 0123 and (415) 555-2671",
        "x415-679-0285 415-679-02851 1.415-679-0285 415-679-0285-1",
        "epoch 1703841468 id 2135554263 ratio = 379.3357773",
        "'869 869 2281' 1185 1150 1151 2476 2477",
        "000-12-3456 666-12-3456 912-34-5678 123-00-4567 123-45-0000 078-05-1120 123-45-6789",
        "2026-02-11 347-38-2326-21 A798-68-7735",
        "4111 1111 1111 1111 4242424242424242 4539148803436468",
        "ISBN 978-0-13-468599-1 EAN 4006381333931",
        "DE75512108001245126198 AB00000000000000",
        "Optional[at] foo(at) x",
        "my_mail@kitehouse.net your.email@kitehouse.net",
    ],
)
def test_what_only_looks_like_it_stays(line: str) -> None:
    assert scrub("src/notes.md", line).findings == ()


@pytest.mark.parametrize(
    ("policy", "value"),
    [
        (Policy(emails=False), "ann@kitehouse.net"),
        (Policy(emails=False), "ann [at] kitehouse.net"),
        (Policy(phones=False), "415-679-0285"),
        (Policy(social_security_numbers=False), "488-64-7219"),
        (Policy(payment_numbers=False), "4539 1488 0343 6467"),
    ],
)
def test_each_sort_can_be_switched_off(policy: Policy, value: str) -> None:
    assert scrub("a.txt", value, policy=policy).findings == ()
    assert len(scrub("a.txt", value).findings) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("ssn=566420868", "ssn"),
        ("social security number: 566420868", "ssn"),
        ('"ssn": "566420868"', "ssn"),
        ("(415) 234-8274x123", "phone_nanp"),
        ("415\u2011234\u20118274", "phone_nanp"),
        ("IBAN DE89-3704-0044-0532-0130-00", "iban"),
        ("IBAN MU17BOMM0101101030300200000MUR", "iban"),
        ("konto=PK36SCBL0000001123456702", "iban"),
        ("PHONE=415-234-8274", "phone_nanp"),
        ('"a\\n415-234-8274\\n"', "phone_nanp"),
        ('"a\\n566-42-0868\\n"', "ssn"),
        ("card 3566 0020 2036 0505", "credit_card"),
        ("JCB 3566002020360505", "credit_card"),
        ("diners: 36227206271667", "credit_card"),
        ("card: 3622 720627 1667", "credit_card"),
        ("old visa card 4556737586898", "credit_card"),
    ],
)
def test_numbers_in_other_dress_are_found(text: str, kind: str) -> None:
    assert {found.kind for found in scrub("docs/a.md", text + "\n").findings} == {kind}


@pytest.mark.parametrize(
    "text",
    [
        "assn 566420868",
        "id=566420868",
        '"{9A19103F-16F7-4668-DE89-37040044053201300}"',
        "4444-3333-2222-1111",
        "lifetime: 2592000000000000",
        "{ 2241493124984347, 1425987919032274, 2207028919301688, 1000146726742088 }",
        'setTelephone("6085551023")',
        "(e.g. +15559876543)",
        "barcode 4556737586898",
        "id 36227206271667",
        "id 3566002020360505",
    ],
)
def test_numbers_that_only_look_like_one_stay(text: str) -> None:
    assert scrub("src/a.py", text + "\n").findings == ()
