"""How sizes, times, commits and states are written."""

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.utils import timezone

from repos.templatetags import footnote


def rendered(source, **context):
    return Template("{% load footnote %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1023, "1023 bytes"),
        (1024, "1.0 KiB"),
        (12_600, "12.3 KiB"),
        (820_000, "801 KiB"),
        (5 * 2**20, "5.0 MiB"),
        (3 * 2**40, "3.0 TiB"),
        (5000 * 2**40, "5000 TiB"),
    ],
)
def test_sizes_are_binary(count, shown):
    assert footnote.size(count) == shown


@pytest.mark.parametrize(
    ("past", "shown"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=23), "23 hours ago"),
        (timedelta(days=59), "59 days ago"),
        (timedelta(days=60), "2 months ago"),
        (timedelta(days=365 * 2), "2 years ago"),
    ],
)
def test_times_are_relative(past, shown):
    assert footnote.relative(timezone.now() - past) == shown


def test_the_exact_time_is_in_the_title():
    html = footnote.ago(datetime(2020, 3, 1, 12, 30, 5, tzinfo=UTC))
    assert 'datetime="2020-03-01T12:30:05+00:00" title="2020-03-01 12:30:05 UTC"' in html


def test_what_never_happened():
    assert footnote.ago(None) == "never"


def test_a_commit_is_eight_characters_with_all_of_it_to_copy():
    html = rendered("{% commit sha %}", sha="0123456789abcdef")
    assert '<code title="0123456789abcdef">01234567</code>' in html
    assert 'data-copy="0123456789abcdef"' in html


def test_what_is_copied_is_escaped():
    assert 'data-copy="&quot;&gt;&lt;b&gt;"' in rendered("{% copy x 'x' %}", x='"><b>')


@pytest.mark.parametrize(
    ("state", "shown"), [("failed", "failed"), ("", "never ran"), ("preview", "confirmation")]
)
def test_the_state_of_a_run_is_in_words(state, shown):
    assert shown in rendered("{% run_badge 'x' 1 state %}", state=state)
