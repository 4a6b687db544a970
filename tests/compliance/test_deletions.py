"""The page of deletions: who reads it, what is proven, sources that are gone."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.urls import reverse
from django_q.models import OrmQ

from indexing.models import TermCount
from repos.models import DeletionRecord, Repository
from repos.removal import remove
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def record(owner, member) -> DeletionRecord:
    repository = factories.repository_for(owner, member, slug="lib")
    return remove(repository, person=owner, reason="no longer ours")


def pages(record):
    return [
        reverse("compliance:deletions"),
        reverse("compliance:deletion", args=[record.pk]),
        reverse("compliance:deletion_export", args=[record.pk]),
    ]


@pytest.mark.parametrize("name", ["administrator", "officer", "auditor"])
def test_the_console_reads_it(name, request, record, client_of):
    client = client_of(request.getfixturevalue(name))
    assert [client.get(page).status_code for page in pages(record)] == [200] * 3


@pytest.mark.parametrize("name", ["owner", "member", "outsider"])
def test_others_find_nothing(name, request, record, client_of):
    client = client_of(request.getfixturevalue(name))
    assert [client.get(page).status_code for page in pages(record)] == [404] * 3
    assert client.post(reverse("compliance:check_sources")).status_code == 404


def test_the_page_proves_it_now(record, auditor, client_of):
    page = client_of(auditor).get(pages(record)[1]).content.decode()
    assert "no file on the disk, and the record is as it was signed" in page
    assert "no longer ours" in page
    assert "outbound_sentlines" in page


def test_the_page_tells_what_is_left(record, auditor, client_of):
    TermCount.objects.create(
        repository_id=record.repository_number, term="coin", snapshot=1, chunks=1
    )
    page = client_of(auditor).get(pages(record)[1]).content.decode()
    assert "Not proven" in page
    assert "1 rows in indexing_termcount" in page


def test_the_file_is_checked_with_any_library(record, auditor, client_of):
    data = json.loads(client_of(auditor).get(pages(record)[2]).content)
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(data["public_key"]))
    key.verify(base64.b64decode(data["signature"]), data["signed"].encode())
    assert json.loads(data["signed"])["repository"]["slug"] == "lib"


def test_a_source_that_is_gone_is_offered_and_not_deleted(owner, officer, administrator, client_of):
    repository = factories.repository_for(owner, slug="gone", address="/srv/nowhere")
    page = reverse("compliance:deletions")
    client_of(officer).post(reverse("compliance:check_sources"))
    assert OrmQ.objects.count() == 1
    Repository.objects.update(source_state="gone")
    delete = reverse("repos:delete", args=[repository.slug])
    assert delete in client_of(administrator).get(page).content.decode()
    shown = client_of(officer).get(page).content.decode()
    assert (delete in shown, "its owner or an administrator deletes it" in shown) == (False, True)
    assert Repository.objects.exists()


def test_an_auditor_asks_no_sources(auditor, client_of):
    assert client_of(auditor).post(reverse("compliance:check_sources")).status_code == 403
    assert "Ask all sources" not in (
        client_of(auditor).get(reverse("compliance:deletions")).content.decode()
    )
