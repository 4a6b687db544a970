"""What left the building: calls listed, filtered, exported and opened, and for whom."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import AuditEvent
from compliance.calls import listing
from outbound import ledger
from outbound.models import ModelCall
from repos.models import File, Repository
from repos.removal import remove
from tests import factories
from tests.compliance.call_rows import call, listed, sent
from tests.indexing.scrub_samples import FORMATS

pytestmark = pytest.mark.django_db
PAGE = "/console/calls"


@pytest.fixture
def lib(here, index_files) -> Repository:
    found: Repository = index_files({
        "src/app.py": "def main():\n    return 1\n\n\ndef stop():\n    return 0\n",
        "keys.py": f'user = 1\ntoken = "{FORMATS["github_pat"]}"\nrest = 2\n',
    })  # fmt: skip
    return found


@pytest.fixture
def calls(lib, owner, member) -> list[ModelCall]:
    """Three, oldest first: an answer, its repair, embeddings by the worker."""
    answer = call(owner, repositories=[lib.pk], subject="answer:x")
    sent(answer, lib, "src/app.py", 1, 2)
    repair = call(
        member, purpose="repair", parent=answer, subject="answer:x", state="failed",
        failure="timeout", error="No answer within 20 seconds.", cost=None, retries=2,
        repositories=[lib.pk],
    )  # fmt: skip
    sent(repair, lib, "keys.py", 1, 3)
    embed = call(purpose="embed", model="openai/embed-y", cost=Decimal(0), subject="run:lib/1")
    return [answer, repair, embed]


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
@pytest.mark.parametrize("address", ["", ".csv", ".json", "/1", "/1/lines/0", "/spend"])
def test_members_find_nothing(who, address, request, client_of):
    response = client_of(request.getfixturevalue(who)).get(PAGE + address)
    assert response.status_code == 404


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_the_three_roles_read_every_call(calls, lib, who, request, client_of):
    page = client_of(request.getfixturevalue(who)).get(PAGE)
    answer, repair, embed = calls
    assert listed(page) == [embed.pk, repair.pk, answer.pk]
    html = page.content.decode()
    assert "3 calls" in html
    assert "api.example.com" in html
    assert "1,840 ms" in html
    assert "unknown" in html  # the cost of the repair
    assert "2 retries" in html
    assert [(one.slug, one.ranges) for one in page.context["rows"][1].sent] == [("lib", 1)]


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_nobody_changes_them(who, request, client_of):
    assert client_of(request.getfixturevalue(who)).post(PAGE).status_code == 405


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ({}, [2, 1, 0]),
        ({"person": "owner"}, [0]),
        ({"repository": "lib"}, [1, 0]),
        ({"model": "openai/embed-y"}, [2]),
        ({"model": "openai"}, []),
        ({"purpose": "repair"}, [1]),
        ({"state": "done"}, [2, 0]),
        ({"state": "done", "person": "owner"}, [0]),
        ({"subject": "answer:x"}, [1, 0]),
        ({"since": "2000-01-01"}, [2, 1, 0]),
        ({"until": "2000-01-01"}, []),
    ],
)
def test_filters(calls, officer, client_of, asked, places):
    page = client_of(officer).get(PAGE, asked)
    assert listed(page) == [calls[place].pk for place in places]
    assert page.context["counted"].number == len(places)


def test_a_day_holds_all_of_its_calls_and_no_others(officer, client_of):
    day = datetime(2026, 3, 4, tzinfo=UTC)
    moments = [day - timedelta(microseconds=10), day, day + timedelta(hours=23, minutes=59)]
    made = [call(created=moment) for moment in [*moments, day + timedelta(days=1)]]
    page = client_of(officer).get(PAGE, {"since": "2026-03-04", "until": "2026-03-04"})
    assert listed(page) == [made[2].pk, made[1].pk]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"person": "nobody"}, "Nobody has this name."),
        ({"repository": "none"}, "No repository has or had this name."),
        ({"since": "soon"}, "Enter a valid date."),
        ({"since": "2026-02-02", "until": "2026-02-01"}, "This day is before the first one."),
        ({"state": "all"}, "Select a valid choice"),
        ({"model": "abc\x00"}, "Null characters are not allowed."),
    ],
)
@pytest.mark.parametrize("address", [PAGE, f"{PAGE}.csv"])
def test_a_filter_that_does_not_fit_says_so_and_is_kept(
    officer, client_of, asked, message, address
):
    response = client_of(officer).get(address, asked)
    assert response.status_code == 422
    html = response.content.decode()
    assert message in html
    if "state" not in asked:
        assert all(value.replace("\x00", "") in html for value in asked.values())


@pytest.mark.parametrize("before", ["0", "x", "99999999999999999999"])
def test_a_place_that_cannot_be_is_told(officer, client_of, before):
    assert client_of(officer).get(PAGE, {"before": before}).status_code == 422


def test_a_removed_repository_is_still_found_by_its_name(calls, lib, officer, client_of):
    remove(lib)
    page = client_of(officer).get(PAGE, {"repository": "lib"})
    assert listed(page) == [calls[1].pk, calls[0].pk]
    assert [one.slug for one in page.context["rows"][0].sent] == ["lib"]


def test_counts_lead_to_exactly_what_they_count(calls, officer, client_of):
    client = client_of(officer)
    seen = set()
    for name, values in client.get(PAGE).context["facets"]:
        for one in values:
            page = client.get(f"{PAGE}?{one['query']}")
            assert len(listed(page)) == one["count"], (name, one)
            seen.add((name, str(one["label"])))
    assert {
        ("state", "done"), ("purpose", "repair of an answer"), ("model", "openai/embed-y"),
        ("person", "member"),
    } <= seen  # fmt: skip


def test_a_count_that_is_chosen_leads_back(calls, officer, client_of):
    page = client_of(officer).get(PAGE, {"state": "done", "person": "owner"})
    [(_, [one]), *_rest] = page.context["facets"]
    assert (one["current"], one["query"]) == (True, "person=owner")


def test_sums_leave_out_what_nobody_knows(calls, officer, client_of):
    counted = client_of(officer).get(PAGE).context["counted"]
    assert (counted.tokens, counted.cost, counted.unpriced) == (3702, Decimal("0.0125"), 1)


def test_pages_go_on_where_the_last_one_ended(officer, client_of, monkeypatch):
    monkeypatch.setattr(listing, "ROWS", 2)
    moment = datetime(2026, 3, 4, tzinfo=UTC)  # all at once: the number decides
    made = [call(created=moment).pk for _ in range(5)]
    client, seen, query = client_of(officer), [], {"state": "done"}
    while True:
        page = client.get(PAGE, query)
        seen += listed(page)
        if not page.context["older"]:
            break
        assert f"state=done&amp;before={page.context['older']}" in page.content.decode()
        query = {"state": "done", "before": page.context["older"]}
    assert seen == made[::-1]


def test_pages_go_on_behind_what_is_counted(officer, client_of, monkeypatch):
    monkeypatch.setattr(listing, "ROWS", 2)
    monkeypatch.setattr(listing, "COUNTED", 3)
    made = [call().pk for _ in range(6)][::-1]
    client = client_of(officer)
    pages = [listed(client.get(PAGE, {"before": before})) for before in ("", made[1], made[3])]
    assert pages == [made[:2], made[2:4], made[4:]]


def test_many_are_counted_up_to_a_limit(calls, officer, client_of, monkeypatch):
    monkeypatch.setattr(listing, "COUNTED", 2)
    html = client_of(officer).get(PAGE).content.decode()
    assert "More than 2 calls; sums and counts are of the newest 2." in html


def exported(client: Any, form: str, **asked: str) -> str:
    response = client.get(f"{PAGE}.{form}", asked)
    assert response.status_code == 200
    assert response["Content-Disposition"].endswith(f'.{form}"')
    return b"".join(response.streaming_content).decode()


def test_the_csv_is_what_is_filtered(calls, lib, auditor, client_of):
    text = exported(client_of(auditor), "csv", repository="lib")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = [(row["person"], row["purpose"], row["state"], row["cost_usd"]) for row in rows]
    assert told == [
        ("member", "repair", "failed", ""),
        ("owner", "answer", "done", "0.01250000"),
    ]
    assert rows[0]["parent"] == str(calls[0].pk)
    assert json.loads(rows[1]["sent"]) == [
        {
            "repository": "lib", "commit": lib.snapshots.get().commit, "path": "src/app.py",
            "start": 1, "end": 2, "what": "evidence",
        }
    ]  # fmt: skip


def test_the_json_is_what_is_filtered(calls, auditor, client_of, monkeypatch):
    monkeypatch.setattr(ledger, "ROWS_AT_ONCE", 2)
    found = json.loads(exported(client_of(auditor), "json"))
    assert [row["number"] for row in found] == [one.pk for one in calls[::-1]]
    assert [one["path"] for one in found[1]["sent"]] == ["keys.py"]
    assert (found[0]["cost_usd"], found[1]["cost_usd"]) == ("0.00000000", None)
    assert json.loads(exported(client_of(auditor), "json", purpose="judge")) == []


def test_an_export_is_recorded_with_its_filter(calls, auditor, client_of):
    exported(client_of(auditor), "csv", person="member")
    event = AuditEvent.objects.get(action="export.console")
    told = (event.person, event.subject, event.detail)
    assert told == (auditor, "/console/calls.csv", {"person": "member"})


def test_a_call_tells_what_was_sent_and_what_came_of_it(calls, lib, officer, client_of):
    answer, repair, _embed = calls
    page = client_of(officer).get(f"{PAGE}/{repair.pk}")
    html = page.content.decode()
    assert "No answer within 20 seconds." in html
    assert "3 placeholders in what was sent" in html
    [one] = page.context["ranges"]
    assert (one.path, one.start, one.end, one.is_kept, one.redactions) == (
        "keys.py", 1, 3, True, 1,
    )  # fmt: skip
    assert [row.call for row in page.context["family"]] == [answer]
    back = client_of(officer).get(f"{PAGE}/{answer.pk}")
    assert [row.call for row in back.context["family"]] == [repair]
    assert client_of(officer).get(f"{PAGE}/999999").status_code == 404


def test_lines_are_shown_as_they_are_stored(calls, lib, auditor, client_of):
    address = f"{PAGE}/{calls[1].pk}/lines/0"
    page = client_of(auditor).get(address)
    html = page.content.decode()
    assert FORMATS["github_pat"] not in html
    numbers = [number for number, _ in page.context["lines"]]
    assert numbers == [1, 2, 3]
    assert "[REDACTED" in page.context["lines"][1][1]
    assert page.context["may_open"] is False  # an auditor sees no more files than a member
    assert "/r/lib/file" not in html
    lib.everyone = True
    lib.save()
    assert "/r/lib/file/keys.py?at=" in client_of(auditor).get(address).content.decode()
    assert client_of(auditor).get(f"{PAGE}/{calls[1].pk}/lines/7").status_code == 404


def test_a_value_that_is_only_flagged_is_covered(here, index_files, officer, client_of):
    value = "q7Zt0Vb4Lx9Ks2Mw8Rn5Yc1Hd6Pf3Jg"
    lib = index_files({"tests/test_d.py": f'app_secret = "{value}"\n'})
    made = call(repositories=[lib.pk])
    sent(made, lib, "tests/test_d.py", 1, 1)
    page = client_of(officer).get(f"{PAGE}/{made.pk}/lines/0")
    assert value not in page.content.decode()
    assert "••••" in page.context["lines"][0][1]


def test_lines_of_a_removed_repository_are_no_longer_kept(calls, lib, officer, client_of):
    remove(lib)
    html = client_of(officer).get(f"{PAGE}/{calls[0].pk}").content.decode()
    assert "no longer kept: the repository was removed" in html
    lines = client_of(officer).get(f"{PAGE}/{calls[0].pk}/lines/0")
    assert lines.context["lines"] == []
    assert "The record of the deletion" in lines.content.decode()


def test_lines_of_a_pruned_snapshot_are_no_longer_kept(lib, tmp_path, officer, client_of, settings):
    made = call(repositories=[lib.pk])
    sent(made, lib, "src/app.py", 1, 2)
    (tmp_path / "sources" / "lib" / "src" / "app.py").write_text("def other():\n    return 2\n")
    factories.index(lib)
    assert File.objects.filter(repository=lib, path="src/app.py").count() == 2
    html = client_of(officer).get(f"{PAGE}/{made.pk}/lines/0").content.decode()
    assert "def main" in html
    lib.snapshots.filter(number=1).update(state="pruned")
    html = client_of(officer).get(f"{PAGE}/{made.pk}/lines/0").content.decode()
    assert "def main" not in html
    assert "The snapshot of this commit was pruned." in html


def test_a_call_that_was_kept_back_sent_nothing(officer, client_of):
    made = call(state="blocked", failure="blocked", error="Not sent: it looks like a secret.")
    html = client_of(officer).get(f"{PAGE}/{made.pk}").content.decode()
    assert "Not sent: it looks like a secret." in html
    assert "kept back before anything left" in html
    assert "nothing was sent" in html


def test_many_ranges_come_page_by_page(lib, officer, client_of):
    made = call(repositories=[lib.pk])
    for _ in range(51):
        sent(made, lib, "src/app.py", 1, 2)
    client = client_of(officer)
    first = client.get(f"{PAGE}/{made.pk}")
    assert (len(first.context["ranges"]), first.context["next"]) == (50, "50")
    rest = client.get(f"{PAGE}/{made.pk}?from=50")
    assert ([one.ordinal for one in rest.context["ranges"]], rest.context["next"]) == ([50], "")


def test_the_front_page_counts_them(calls, officer, client_of):
    call(state="blocked")
    call(created=timezone.now() - timedelta(days=3))
    html = client_of(officer).get("/console/").content.decode()
    today = timezone.now().date()
    assert f'<a href="{PAGE}?since={today:%Y-%m-%d}">4</a>' in html
    assert f'<a href="{PAGE}?state=blocked">1</a>' in html
