"""The pages of findings, for each role."""

import csv
import io
import json

import pytest
from django.urls import reverse

from accounts.models import AuditEvent
from indexing.models import Content, Finding
from indexing.policy_models import FindingReview
from repos.models import File
from tests import factories
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars

ANN, BOB = "ann.lee" + "@kitehouse.net", "bob.ray" + "@kitehouse.net"
SECRET, PAT = chars(ALNUM, 32), FORMATS["github_pat"]
FILES = {
    "a.md": f"# Team\nWrite to {ANN} today.\n",
    "docs/b.md": f"{ANN}, {BOB}\n",
    "k.py": f'token = "{PAT}"  # footnote:allow\n',
    "tests/test_d.py": f'app_secret = "{SECRET}"\n',
}
VALUES = (ANN, BOB, PAT, SECRET)
PAGES = ["findings", "findings_trend", "reviews", "lookup", "patterns"]


@pytest.fixture
def lib(here, index_files):
    return index_files(FILES)


def page(client, name="findings", *args, **query) -> str:
    response = client.get(reverse(f"compliance:{name}", args=args), query)
    assert response.status_code == 200
    return str(response.content.decode())


def number_of(path: str, kind: str) -> int:
    file = File.objects.get(path=path)
    return Finding.objects.filter(file_id=file.id, kind=kind, leads=True).values_list(
        "id", flat=True
    )[0]


def text_of(path: str) -> str:
    file = File.objects.filter(path=path).order_by("-first_snapshot")[0]
    return Content.objects.get(file_id=file.id).text


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
@pytest.mark.parametrize("name", PAGES)
def test_for_others_there_is_no_such_page(who, name, request, client_of, lib):
    client = client_of(request.getfixturevalue(who))
    assert client.get(reverse(f"compliance:{name}")).status_code == 404
    assert client.get(reverse("compliance:finding", args=[1])).status_code == 404


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_the_list_masks_every_value(who, request, client_of, lib):
    shown = page(client_of(request.getfixturevalue(who)))
    assert "5 findings" in shown
    assert "Write to <mark>[REDACTED:EMAIL]_____</mark> today." in shown
    assert f"<mark>{'•' * 32}</mark>" in shown
    assert "footnote:allow" in shown
    assert [one for one in VALUES if one in shown] == []
    assert ("Review those chosen" in shown) is (who != "auditor")


def test_filters_and_the_counts_that_lead_to_them(lib, client_of, officer):
    client = client_of(officer)
    assert '?kind=email">email <span class="count">3</span>' in page(client)
    assert "3 findings" in page(client, kind="email")
    assert "1 finding\n" in page(client, action="flag").replace("  ", "")
    assert "2 findings" in page(client, path="DOCS/")
    assert "No finding matches" in page(client, repository="nothing")
    assert "No finding matches" in page(client, since="2999-01-01")
    assert "5 findings" in page(client, since="2020-01-01")
    assert "5 findings" in page(client, state="wrong", since="yesterday", review="x")


def test_pages_follow_each_other(lib, client_of, officer, monkeypatch):
    monkeypatch.setattr("compliance.findings.listing.PAGE_ROWS", 2)
    client = client_of(officer)
    seen, after = [], 0
    for _ in range(3):
        response = client.get(reverse("compliance:findings"), {"after": after})
        seen += [(row.path, row.line) for row, _ in response.context["rows"]]
        after = response.context["next"]
    assert seen == [("tests/test_d.py", 1), ("k.py", 1), ("docs/b.md", 1), ("docs/b.md", 1),
                    ("a.md", 2)]  # fmt: skip
    assert after is None


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_one_finding(who, request, client_of, lib):
    shown = page(client_of(request.getfixturevalue(who)), "finding", number_of("a.md", "email"))
    assert "Write to [REDACTED:EMAIL]_____ today." in shown
    assert "lib · docs/b.md:1" in shown
    assert "Nobody has decided about it." in shown
    assert [one for one in VALUES if one in shown] == []


def test_a_flagged_value_is_masked_on_its_own_page(lib, client_of, officer):
    number = number_of("tests/test_d.py", "assigned_secret")
    shown = page(client_of(officer), "finding", number)
    assert f"app_secret = &quot;{'•' * 32}&quot;" in shown
    assert SECRET not in shown


def test_the_comment_that_asks_to_allow_is_shown_and_not_obeyed(lib, client_of, officer):
    shown = page(client_of(officer), "finding", number_of("k.py", "github_pat"))
    assert "It is shown and has no effect" in shown
    assert PAT not in text_of("k.py")


def test_an_auditor_changes_nothing(lib, client_of, auditor):
    client = client_of(auditor)
    chosen = {"finding": number_of("a.md", "email")}
    assert client.post(reverse("compliance:review"), chosen).status_code == 403
    assert client.post(reverse("compliance:lookup"), {"value": ANN}).status_code == 403
    assert client.get(reverse("compliance:pattern_new")).status_code == 403
    assert client.get(reverse("compliance:policy", args=["lib"])).status_code == 403


def decide(client, numbers, **said):
    total = said.pop("total", len(numbers) or 0)
    given = {
        "finding": numbers,
        "decide": "1",
        "total": total,
        "decision": "dismissed",
        "scope": "value",
        "where": "everywhere",
        "reason": "public address",
    }
    return client.post(reverse("compliance:review"), {**given, **said})


def test_a_dismissal_is_seen_at_once_and_applied_by_the_next_run(lib, client_of, officer):
    client = client_of(officer)
    number = number_of("a.md", "email")
    summary = client.post(reverse("compliance:review"), {"finding": number})
    assert "1 finding" in summary.content.decode()
    assert decide(client, [number])["Location"] == reverse("compliance:reviews")
    assert "2 findings" in page(client, state="dismissed")
    assert ANN not in text_of("a.md")
    factories.index(lib)
    assert text_of("a.md") == FILES["a.md"]
    assert ANN not in page(client)
    shown = page(client, "reviews")
    assert "public address" in shown
    event = AuditEvent.objects.get(action="findings.dismissed")
    assert event.detail["values"] == 1
    assert event.detail["reason"] == "public address"


def test_all_that_match_and_undone_again(lib, client_of, officer):
    client = client_of(officer)
    first = client.post(reverse("compliance:review"), {"all": "1", "kind": "email"})
    assert "3 findings" in first.content.decode()
    done = decide(client, [], all="1", kind="email", total=3)
    assert done.status_code == 302
    review = FindingReview.objects.get()
    assert review.values.count() == 2
    assert "3 findings" in page(client, state="dismissed")
    assert "3 findings" in page(client, review=str(review.pk))
    client.post(reverse("compliance:review_undo", args=[review.pk]))
    assert "No finding matches" in page(client, state="dismissed")
    assert "undone by officer" in page(client, "reviews").replace("\n", " ").replace("  ", "")
    assert AuditEvent.objects.filter(action="findings.undone").count() == 1


def test_a_summary_that_is_out_of_date_is_shown_again(lib, client_of, officer):
    response = decide(client_of(officer), [], all="1", kind="email", total=2)
    assert response.status_code == 422
    assert "Look at the summary again" in response.content.decode()
    assert not FindingReview.objects.exists()


def test_a_review_needs_a_reason_and_findings(lib, client_of, officer):
    client = client_of(officer)
    number = number_of("a.md", "email")
    assert decide(client, [number], reason="").status_code == 422
    assert decide(client, [number], scope="path").status_code == 422
    assert decide(client, []).status_code == 302
    assert not FindingReview.objects.exists()


def test_a_path_and_a_kind_can_be_reviewed(lib, client_of, officer):
    client = client_of(officer)
    number = number_of("docs/b.md", "email")
    decide(client, [number], scope="path", glob="docs/**", where="here")
    assert "2 findings" in page(client, state="dismissed")
    decide(client, [number], scope="kind", decision="confirmed")
    assert "1 finding\n" in page(client, state="confirmed").replace("  ", "")


def test_a_decision_tells_how_far_it_reaches(lib, client_of, officer):
    """One e-mail address was chosen; the whole kind is decided."""
    client = client_of(officer)
    number = number_of("a.md", "email")
    summary = client.post(reverse("compliance:review"), {"finding": number}).content.decode()
    assert "3 in lib, 3 in all repositories." in " ".join(summary.split())
    decide(client, [number], scope="kind")
    assert "3 findings: dismissed" in page(client)
    event = AuditEvent.objects.get(action="findings.dismissed")
    assert (event.detail["chosen"], event.detail["findings"]) == (1, 3)


def test_the_export_is_what_is_filtered(lib, client_of, auditor):
    client = client_of(auditor)
    url = reverse("compliance:findings_export", args=["csv"])
    told = b"".join(client.get(url, {"kind": "email"}).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(told)))
    assert [(row["path"], row["line"], row["state"]) for row in rows] == [
        ("docs/b.md", "1", "open"), ("docs/b.md", "1", "open"), ("a.md", "2", "open"),
    ]  # fmt: skip
    url = reverse("compliance:findings_export", args=["json"])
    whole = b"".join(client.get(url).streaming_content).decode()
    assert len(json.loads(whole)["findings"]) == 5
    assert [one for one in VALUES if one in told + whole] == []


def test_no_cell_becomes_a_formula(here, index_files, client_of, officer):
    index_files({"=cmd.md": f"{ANN}\n"})
    url = reverse("compliance:findings_export", args=["csv"])
    told = b"".join(client_of(officer).get(url).streaming_content).decode()
    assert ",'=cmd.md," in told


def test_the_trend_counts_each_published_snapshot(lib, client_of, auditor, tmp_path):
    (tmp_path / "sources/lib/docs/b.md").unlink()
    factories.index(lib)
    client = client_of(auditor)
    response = client.get(reverse("compliance:findings_trend"), {"by": "kind"})
    trend = response.context["trend"]
    assert trend.series == ["email", "assigned_secret", "github_pat"]
    assert [point.values for point in trend.points] == [[3, 1, 1], [1, 1, 1]]
    assert "<svg" in response.content.decode()
    by_state = client.get(reverse("compliance:findings_trend"), {"by": "state"}).context["trend"]
    assert [point.values for point in by_state.points] == [[5], [3]]


def test_what_is_no_longer_published_is_listed_on_request(lib, client_of, officer, tmp_path):
    (tmp_path / "sources/lib/docs/b.md").unlink()
    factories.index(lib)
    client = client_of(officer)
    assert "3 findings" in page(client)
    assert "5 findings" in page(client, seen="ever")
    assert "no longer" in page(client, "finding", number_of("docs/b.md", "email"))
