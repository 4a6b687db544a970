"""What reviews, settings and house patterns do to one file: pure, no database."""

import pickle
import re

import pytest

from indexing.scrub import Scrubbed, redact_flagged, scrub
from indexing.scrubbing.custom import MOST_MATCHES, CustomPattern, PatternRefused, check
from indexing.scrubbing.policy import EMAILS, Policy, fingerprint, key_id
from indexing.scrubbing.reviews import (
    NO_REVIEWS,
    Decision,
    PathReview,
    Reviews,
    exact_path,
    matches_path,
    path_pattern,
)
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars

KEY, OLDER = b"present", b"older"
PAT = FORMATS["github_pat"]
MAIL = "ann.lee" + "@kitehouse.net"
FLAGGED = f'app_secret = "{chars(ALNUM, 32)}"\n'
NO, YES = Decision.DISMISSED, Decision.CONFIRMED


def policy(reviews: Reviews = NO_REVIEWS, **more) -> Policy:
    return Policy(key=KEY, reviews=reviews, **more)


def seen(done: Scrubbed) -> list[tuple[str, str, str]]:
    return [(one.kind, one.action, one.confidence) for one in done.findings]


def of_value(kind: str, value: str, decision: Decision = NO, key: bytes = KEY) -> Reviews:
    return Reviews({(kind, fingerprint(value, key)): decision})


def test_a_dismissed_value_stays_and_is_reported_as_allowed() -> None:
    text = f"mail {MAIL} or bob.ray@kitehouse.net\n"
    done = scrub("a.md", text, policy=policy(of_value("email", MAIL)))
    assert done.text == f"mail {MAIL} or [REDACTED:EMAIL]_____\n"
    assert [(f.start_col, f.action) for f in done.findings] == [(5, "allow"), (30, "redact")]


def test_a_dismissal_does_not_uncover_what_another_rule_finds() -> None:
    text = f'password = "{MAIL}"\n'
    with_words = CustomPattern("house_mail", r"[a-z.]+@kitehouse\.net")
    done = scrub("a.py", text, policy=policy(of_value("email", MAIL), custom=(with_words,)))
    assert MAIL not in done.text
    assert ("house_mail", "redact", "high") in seen(done)


def test_a_dismissed_kind_leaves_other_kinds_alone() -> None:
    text = f"{MAIL} {PAT}\n"
    done = scrub("a.md", text, policy=policy(Reviews(kinds={"email": NO})))
    assert done.text.startswith(f"{MAIL} [REDACTED:GITHUB_PAT]")


def test_a_dismissed_path_speaks_of_its_files_only() -> None:
    reviews = Reviews(paths=(PathReview("email", path_pattern("docs/**"), NO),))
    assert MAIL in scrub("docs/a/b.md", MAIL, policy=policy(reviews)).text
    assert MAIL not in scrub("src/docs/b.md", MAIL, policy=policy(reviews)).text


def test_the_more_precise_review_counts() -> None:
    reviews = Reviews(
        {("email", fingerprint(MAIL, KEY)): YES},
        (PathReview("email", path_pattern("*.md"), NO),),
        {"email": NO},
    )
    other = "bob.ray" + "@kitehouse.net"
    done = scrub("a.md", f"{MAIL}\n{other}\n", policy=policy(reviews))
    assert seen(done) == [("email", "redact", "high"), ("email", "allow", "medium")]


def test_of_two_path_reviews_the_newer_counts() -> None:
    newer = PathReview("email", path_pattern("a.md"), YES)
    older = PathReview("email", path_pattern("*"), NO)
    reviews = Reviews(paths=(newer, older))
    assert seen(scrub("a.md", MAIL, policy=policy(reviews))) == [("email", "redact", "high")]


def test_a_confirmed_flag_is_redacted() -> None:
    plain = scrub("tests/test_a.py", FLAGGED, policy=policy())
    (found,) = plain.findings
    assert found.action == "flag"
    reviews = Reviews({(found.kind, found.fingerprint): YES})
    sure = scrub("tests/test_a.py", FLAGGED, policy=policy(reviews))
    assert seen(sure) == [(found.kind, "redact", "high")]
    assert sure.findings[0].fingerprint == found.fingerprint


def test_a_review_by_an_earlier_key_is_recognised_and_says_so() -> None:
    reviews = of_value("email", MAIL, key=OLDER)
    rotated = Policy(key=KEY, earlier_keys=(OLDER,), reviews=reviews)
    done = scrub("a.md", MAIL, policy=rotated)
    assert done.text == MAIL
    assert done.recognised == ((fingerprint(MAIL, OLDER), fingerprint(MAIL, KEY)),)
    assert scrub("a.md", MAIL, policy=policy(reviews)).text != MAIL
    assert key_id(KEY) != key_id(OLDER)


def test_personal_data_may_be_flagged_only() -> None:
    done = scrub("a.md", f"{MAIL} {PAT}", policy=policy(flagged_kinds=frozenset(EMAILS)))
    assert done.text.startswith(MAIL)
    assert seen(done)[0] == ("email", "flag", "medium")
    assert MAIL not in redact_flagged(done.text, done.findings)


def test_a_dismissed_secret_that_spans_lines_is_allowed_as_one() -> None:
    pattern = CustomPattern("note", r"(?s)begin.*end")
    text = "x begin\nmiddle\nend y\n"
    done = scrub("a", text, policy=policy(Reviews(kinds={"note": NO}), custom=(pattern,)))
    assert done.text == text
    assert [(f.line, f.group, f.action) for f in done.findings] == [
        (1, 0, "allow"), (2, 0, "allow"), (3, 0, "allow"),
    ]  # fmt: skip


def test_the_policy_goes_to_child_processes() -> None:
    reviews = of_value("email", MAIL)
    sent = pickle.loads(pickle.dumps(policy(reviews, custom=(CustomPattern("a", "b+"),))))
    assert sent.reviews.values == reviews.values
    assert scrub("a.md", f"{MAIL} bbb", policy=sent).text == f"{MAIL} [R]"


@pytest.mark.parametrize(
    ("glob", "path", "does"),
    [
        ("a.py", "a.py", True),
        ("a.py", "aXpy", False),
        ("a.py", "b/a.py", False),
        ("*.py", "a/b.py", False),
        ("**/*.py", "a/b.py", True),
        ("**/*.py", "b.py", True),
        ("tests/**", "tests/a/b.py", True),
        ("tests/**", "mytests/a", False),
        ("?.py", "a.py", True),
        ("a(b)+[c]{1}|$^.py", "a(b)+[c]{1}|$^.py", True),
        (r"a\*b", "a*b", True),
        (r"a\*b", "axb", False),
        ("**", "line\nfeed", True),
    ],
)
def test_globs(glob, path, does) -> None:
    assert matches_path(path_pattern(glob), path) is does


def test_the_exact_path_of_an_odd_name() -> None:
    for path in ["a*b?.py", "a\\b", "[x].py", "é.py"]:
        assert matches_path(path_pattern(exact_path(path)), path)
    assert not matches_path(path_pattern(exact_path("a*b")), "axb")


def test_columns_of_a_house_pattern_are_those_of_code_points() -> None:
    house = CustomPattern("house", r"RPTX-[0-9]{4}-[A-Z]+")
    done = scrub("a.txt", "é漢🔑 RPTX-2026-PROD é\nRPTX-2026-TEST", policy=policy(custom=(house,)))
    assert done.text == "é漢🔑 [REDACTED]____ é\n[REDACTED]____"
    assert [(f.line, f.start_col, f.end_col) for f in done.findings] == [(1, 4, 18), (2, 0, 14)]


def test_the_group_of_a_house_pattern_is_the_secret() -> None:
    house = CustomPattern("house", r"badge: ([a-z]+)", confidence="low")
    done = scrub("a.txt", "badge: abcdef", policy=policy(custom=(house,)))
    assert done.text == "badge: abcdef"
    assert [(f.start_col, f.end_col, f.action) for f in done.findings] == [(7, 13, "flag")]


def test_a_pattern_without_its_keyword_is_not_tried() -> None:
    house = CustomPattern("house", r"[a-z]+", ("badge",))
    assert scrub("a.txt", "abc", policy=policy(custom=(house,))).findings == ()
    assert scrub("a.txt", "BADGE abc", policy=policy(custom=(house,))).text == "BADGE [R]"


def test_too_many_matches_cover_the_rest_of_the_file() -> None:
    house = CustomPattern("house", "x")
    done = scrub("a.txt", "x." * (MOST_MATCHES + 5) + "\ny\n", policy=policy(custom=(house,)))
    assert done.text.startswith("*.*.")
    assert "x" not in done.text
    assert "y" not in done.text


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(?=a)b", "look-around"),
        (r"(a)\1", "back-references"),
        ("a(b", "closing )"),
        ("a)b", "without its ("),
        ("[a", "closing ]"),
        ("[z-a]", "backwards"),
        ("*a", "nothing before"),
        ("a{2000}", "{1000}"),
        ("a**", "repetitions"),
        ("a*", "empty text"),
        ("^", "empty text"),
        (r"\b", "empty text"),
        ("x|", "empty text"),
    ],
)
def test_patterns_that_are_refused_say_why(pattern, words) -> None:
    with pytest.raises(PatternRefused, match=re.escape(words)):
        check(pattern)


@pytest.mark.timeout(30)
def test_patterns_built_to_go_back_take_linear_time() -> None:
    evil = CustomPattern("house", r"(a+)+(b|c)$")
    assert scrub("a.txt", "a" * 200_000, policy=policy(custom=(evil,))).findings == ()
