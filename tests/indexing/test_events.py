"""The event stream of a run: what it sends, when it ends, and that nothing is left behind."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, connections
from django.test import AsyncClient, RequestFactory

from accounts.models import User
from indexing import events, streaming
from indexing.events import Hub, hub
from indexing.jobs import index_repository
from indexing.models import IndexRun
from indexing.runs import notify, request_cancel, start_run
from indexing.streaming import Watcher, frame, stream
from tests import factories

URL = "/r/lib/runs/1/events"
LISTENING = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%' AND datname = %s"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_connection_stays():
    """The thread of sync_to_async outlives the test; its connection would keep the database."""
    yield
    asyncio.run(sync_to_async(connections.close_all)())


@pytest.fixture
def lib(tmp_path, owner, member):
    folder = factories.write_files(tmp_path / "sources/lib", {"a.py": "a = 1\n"})
    return factories.repository_for(owner, member, slug="lib", address=str(folder))


@pytest.fixture
def run(lib):
    return start_run(lib)


async def connect(person, **headers):
    browser = AsyncClient()
    await browser.aforce_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return await browser.get(URL, headers=headers)


@asynccontextmanager
async def following(person, **headers):
    """The events of a stream one after the other, as (name, data, id)."""
    response = await connect(person, **headers)
    blocks = aiter(response)
    yield _parsed(blocks)
    await blocks.aclose()


async def _parsed(blocks):
    async for block in blocks:
        if not block.startswith(b":"):
            yield parse(block)


def parse(block: bytes) -> tuple[str, str, str]:
    lines = [line.split(": ", 1) for line in block.decode().removesuffix("\n\n").split("\n")]
    data = "\n".join(rest[0] if rest else "" for name, *rest in lines if name == "data")
    fields = {name: rest[0] for name, *rest in lines if rest and name != "data"}
    return fields["event"], data, fields.get("id", "")


def test_each_line_of_the_data_has_its_own_field():
    assert frame("x", "one\r\ntwo\rthree\n", "7") == (
        b"event: x\ndata: one\ndata: two\ndata: three\nid: 7\n\n"
    )
    assert frame("end", "") == b"event: end\ndata: \n\n"


def test_the_first_events_hold_the_whole_state(run, owner):
    async def first_two():
        async with following(owner) as stream:
            return [await anext(stream), await anext(stream)]

    details, progress = asyncio.run(first_two())
    assert (details[0], progress[0]) == ("details", "progress")
    assert 'id="run-head"' in progress[1]
    assert "waiting for a worker" in progress[1]
    assert (details[2], len(progress[2])) == ("", 16)


def test_the_answer_is_an_event_stream_that_no_proxy_holds_back(run, owner):
    async def answer():
        response = await connect(owner)
        await aiter(response).aclose()
        return response

    response = asyncio.run(answer())
    assert response["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response["X-Accel-Buffering"] == "no"
    assert "no-cache" in response["Cache-Control"]


def test_it_follows_a_run_to_its_end(run, owner):
    async def all_of_it():
        async with following(owner) as stream:
            seen = [await anext(stream), await anext(stream)]
            await sync_to_async(index_repository)(run.pk)
            return seen + [event async for event in stream]

    seen = asyncio.run(asyncio.wait_for(all_of_it(), 20))
    assert seen[-1][0] == "end"
    assert seen[-1][2].startswith("end-")
    last = [event for event in seen if event[0] == "progress"][-1]
    assert "Done." in last[1]


def test_a_change_is_heard_at_once_and_not_at_the_heartbeat(run, owner):
    async def until_cancelled():
        async with following(owner) as stream:
            await anext(stream), await anext(stream)
            await asyncio.sleep(0.6)
            await sync_to_async(request_cancel)(run)
            return [event async for event in stream]

    seen = asyncio.run(asyncio.wait_for(until_cancelled(), 5))
    assert [name for name, *_ in seen] == ["details", "progress", "end"]


def test_silence_is_broken_by_comments(run, owner, monkeypatch):
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.1)

    async def third():
        response = await connect(owner)
        blocks = aiter(response)
        found = [await anext(blocks) for _ in range(3)]
        await blocks.aclose()
        return found[2]

    assert asyncio.run(third()) == b": heartbeat\n\n"


def test_what_the_browser_has_is_not_sent_again(run, owner, monkeypatch):
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.1)
    # The state says how long ago things were; that must not make the difference here.
    IndexRun.objects.update(created="2026-01-01T00:00:00Z")

    async def again():
        async with following(owner) as stream:
            await anext(stream)
            _, _, key = await anext(stream)
        response = await connect(owner, **{"Last-Event-ID": key})
        blocks = aiter(response)
        first = await anext(blocks)
        await blocks.aclose()
        return first

    assert asyncio.run(again()) == b": heartbeat\n\n"


def test_a_browser_that_has_seen_the_end_is_told_to_stay_away(lib, owner):
    factories.index(lib)
    seen = asyncio.run(connect(owner, **{"Last-Event-ID": "end-0123"}))
    assert seen.status_code == 204


def test_the_preview_is_led_to_by_those_who_decide(lib, owner, member):
    factories.index(lib, preview=True)

    async def names(person, count):
        async with following(person) as stream:
            return [(await anext(stream))[:2] for _ in range(count)]

    assert ("leave", "/r/lib/preview") in asyncio.run(names(owner, 3))
    assert "leave" not in dict(asyncio.run(names(member, 2)))


def test_members_may_follow_and_outsiders_find_nothing(run, member, outsider):
    async def statuses():
        seen = await connect(member)
        await aiter(seen).aclose()
        return seen.status_code, (await connect(outsider)).status_code

    assert asyncio.run(statuses()) == (200, 404)


def test_nobody_follows_without_a_sign_in(run):
    async def answer():
        return await AsyncClient().get(URL)

    assert asyncio.run(answer())["Location"].startswith("/sign-in")


def test_a_stream_ends_when_the_repository_is_taken_away(run, member, lib):
    async def until_gone():
        async with following(member) as stream:
            await anext(stream), await anext(stream)
            await sync_to_async(lib.groups.clear)()
            await sync_to_async(notify)(run.pk)
            return [event[0] async for event in stream]

    assert asyncio.run(asyncio.wait_for(until_gone(), 5)) == ["end"]


def test_a_stream_ends_when_its_person_is_deactivated(run, owner):
    async def until_gone():
        async with following(owner) as stream:
            await anext(stream), await anext(stream)
            await sync_to_async(User.objects.update)(is_active=False)
            await sync_to_async(notify)(run.pk)
            return [event[0] async for event in stream]

    assert asyncio.run(asyncio.wait_for(until_gone(), 5)) == ["end"]


def listening() -> int:
    with connection.cursor() as cursor:
        cursor.execute(LISTENING, [connection.settings_dict["NAME"]])
        return int(cursor.fetchone()[0])


async def settled(followers: int, listeners: int) -> bool:
    """Whether it comes to so many within two seconds."""
    for _ in range(40):
        if (hub().followers, await sync_to_async(listening)()) == (followers, listeners):
            return True
        await asyncio.sleep(0.05)
    return False


def test_many_streams_share_one_connection_and_leave_nothing(run, owner):
    async def many():
        request = RequestFactory().get(URL)
        request.user = owner
        watchers = [Watcher(request, "lib", 1) for _ in range(30)]
        streams = [stream(watcher, run.pk, "") for watcher in watchers]
        await asyncio.gather(*(anext(one) for one in streams))
        shared = await settled(30, 1)
        await asyncio.gather(*(one.aclose() for one in streams))
        return shared, await settled(0, 0), hub().is_listening

    assert asyncio.run(many()) == (True, True, False)


def test_one_hub_serves_an_event_loop():
    async def both():
        return hub() is hub()

    assert asyncio.run(both())


def test_a_broken_connection_is_made_anew_and_everybody_looks(run, monkeypatch):
    monkeypatch.setattr(events, "RETRY_SECONDS", 0.05)
    terminate = LISTENING.replace("count(*)", "pg_terminate_backend(pid)")

    def kill():
        with connection.cursor() as cursor:
            cursor.execute(terminate, [connection.settings_dict["NAME"]])

    async def woken():
        with Hub().follow(run.pk) as changed:
            await asyncio.wait_for(changed.wait(), 5)
            changed.clear()
            await sync_to_async(kill)()
            await asyncio.wait_for(changed.wait(), 5)
            changed.clear()
            await sync_to_async(notify)(run.pk)
            return await asyncio.wait_for(changed.wait(), 5)

    assert asyncio.run(woken())


def test_a_follower_hears_of_its_own_run_alone(run):
    async def heard():
        with Hub().follow(run.pk) as changed:
            await asyncio.wait_for(changed.wait(), 5)
            changed.clear()
            await sync_to_async(notify)(run.pk + 1)
            await asyncio.sleep(0.2)
            return changed.is_set()

    assert not asyncio.run(heard())
