"""Streams of sessions: primed, broken, taken up again, here and at another replica."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

import aiohttp
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interaction.asking_server import Asking, read
from tests.interaction.legacy_wire import LegacyClient, legacy_client
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.replicas import replicas
from tests.interaction.restarting import restartable
from tests.interaction.upstreams import Scripted, running, tool
from trunkline_router.sessions.kept_streams import KeptStreams, event_id, place_of
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

OFTEN = replace(QUICK, pace=replace(QUICK.pace, refresh_s=0.02))


async def broken(client: LegacyClient) -> str:
    """Call `wait`, leave after its first event, and return that event's id."""
    async with client.asking("tools/call", {"name": "wait"}, id="w") as stream:
        first = await stream.event()
        if first.text == "":
            first = await stream.event()
        assert first.data["params"] == {"progress": 1}
        assert first.id is not None
        return first.id


@pytest.mark.requirement("gateway.sessions-streams")
async def test_a_stream_begins_with_an_id(mesh: Mesh, asking: Asking) -> None:
    """SEP-1699: an event without a message, with how long to wait before coming back."""
    asking.go.set()
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        async with client.asking("tools/call", {"name": "wait"}) as stream:
            assert stream.streams
            first = await stream.event()
            assert (first.text, first.retry) == ("", "1000")
            events = [await stream.event() for _ in range(3)]
    assert [event.data.get("method") for event in events] == ["notifications/progress"] * 2 + [None]
    assert len({first.id, *(event.id for event in events)}) == 4


@pytest.mark.parametrize("version", ["2025-03-26", "2025-06-18"])
async def test_older_clients_get_messages_only(mesh: Mesh, asking: Asking, version: str) -> None:
    """Some of them cannot read an event without data."""
    asking.go.set()
    async with legacy_client(mesh.mcp) as client:
        await client.initialize(version=version)
        async with client.asking("tools/call", {"name": "wait"}) as stream:
            assert (await stream.event()).data["params"] == {"progress": 1}


async def test_with_nothing_to_tell_an_answer_is_json(mesh: Mesh) -> None:
    """A quick call costs no stream."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        async with client.asking("tools/call", {"name": "say"}) as answered:
            assert not answered.streams


@pytest.mark.requirement("gateway.sessions-resume")
async def test_a_broken_stream_is_taken_up(mesh: Mesh, asking: Asking) -> None:
    """The call runs on; what came after the last event is there, the answer included."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        last = await broken(client)
        asking.go.set()
        async with client.getting(last) as stream:
            assert (await stream.message())["params"] == {"progress": 2}
            answer = await stream.message()
            assert answer["id"] == "w"
            assert read(answer) == {"waited": True}
            assert await stream.rest() == []
        async with client.getting(last) as again:
            assert len(await again.rest()) == 2


@pytest.mark.requirement("gateway.sessions-resume")
async def test_a_stream_is_taken_up_at_another_replica(asking: Asking) -> None:
    """The replica that runs the call passes it on, as it happens."""
    async with (
        running(asking.server) as url,
        replicas({"a": url}) as (one, other),
        legacy_client(one.mcp) as client,
    ):
        await client.initialize()
        last = await broken(client)
        async with client.elsewhere(other.mcp).getting(last) as stream:
            asking.go.set()
            assert (await stream.message())["params"] == {"progress": 2}
            assert read(await stream.message()) == {"waited": True}
            assert await stream.rest() == []


@pytest.mark.requirement("gateway.sessions-resume")
async def test_a_stream_that_is_lost_is_answered_all_the_same(asking: Asking) -> None:
    """After a restart nobody knows the outcome, and the client hears just that."""
    async with (
        running(asking.server) as url,
        restartable({"a": url}) as router,
        legacy_client(f"{router.url}/mcp") as client,
    ):
        await client.initialize()
        last = await broken(client)
        await router.restart()
        async with client.getting(last) as stream:
            answer = await stream.message()
            assert (answer["id"], answer["error"]["code"]) == ("w", -32603)
            assert "took effect" in answer["error"]["message"]
            assert await stream.rest() == []


async def test_another_session_cannot_take_a_stream_up(mesh: Mesh, asking: Asking) -> None:
    """It hears what one hears of a stream that is not there."""
    async with legacy_client(mesh.mcp) as client, legacy_client(mesh.mcp) as other:
        await client.initialize()
        await other.initialize()
        last = await broken(client)
        asking.go.set()
        async with other.getting(last) as stream:
            assert [message.get("error", {}).get("code") for message in await stream.rest()] == [
                -32603
            ]
        async with client.getting(last) as stream:
            assert len(await stream.rest()) == 2


@pytest.mark.requirement("gateway.sessions-streams")
async def test_lists_that_change_are_told_on_the_open_stream() -> None:
    """Each kind for itself; the stream is one, and a newer one takes its place."""
    server = Scripted()
    async with (
        running(server) as url,
        routing({"a": url}, terms=OFTEN) as mesh,
        legacy_client(mesh.mcp) as client,
    ):
        await client.initialize()
        async with client.getting() as older, client.getting() as stream:
            assert (await stream.event()).text == ""
            assert await older.rest() == []
            server.tools.append(tool("new"))
            assert (await stream.message()) == {
                "jsonrpc": "2.0",
                "method": "notifications/tools/list_changed",
                "params": {},
            }


async def test_whoever_comes_back_hears_of_what_may_have_changed(mesh: Mesh) -> None:
    """What happened while nobody listened is not known, so all of it counts as changed."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        await client.ask("resources/subscribe", {"uri": "x://1"})
        async with client.getting() as stream:
            last = (await stream.event()).id
        async with client.getting(last) as stream:
            methods = [(await stream.message())["method"] for _ in range(3)]
    assert methods == [
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    ]


async def test_of_streams_that_are_opened_at_once_one_stands(asking: Asking) -> None:
    """Whoever came last hears everything, and nobody else hears it again."""
    ended: asyncio.Queue[int] = asyncio.Queue()

    async def listened(client: LegacyClient, number: int) -> None:
        async with client.getting() as stream:
            with suppress(EOFError):
                while True:
                    await stream.event()
        ended.put_nowait(number)

    async with (
        running(asking.server) as url,
        replicas({"a": url}) as (mesh, _),
        legacy_client(mesh.mcp) as client,
    ):
        await client.initialize()
        async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
            for number in range(3):
                tasks.create_task(listened(client, number))
            assert len({await ended.get(), await ended.get()}) == 2
            assert await client.delete() == 204


@pytest.mark.requirement("gateway.sessions-streams")
async def test_what_replicas_cannot_read_is_passed_over(
    asking: Asking, caplog: pytest.LogCaptureFixture
) -> None:
    """One of another version says what is not known here: the router goes on."""
    caplog.set_level(logging.CRITICAL)
    store = in_process_store()
    strange = [b"no JSON", b"[]", b"{}", b'{"kind": "answered", "from": "x"}']
    async with (
        running(asking.server) as url,
        routing({"a": url}, store=store) as mesh,
        legacy_client(mesh.mcp) as client,
    ):
        for message in strange:
            await store.bus.publish("sessions", message)
        await client.initialize()
        assert read(await client.call("say", n=1)) == {"n": 1}


async def test_streams_end_with_their_session(mesh: Mesh) -> None:
    """DELETE leaves nothing open."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        async with client.getting() as stream:
            await stream.event()
            assert await client.delete() == 204
            assert await stream.rest() == []


async def test_streams_end_with_the_router(asking: Asking) -> None:
    """And its end does not wait for them (clients.md 18)."""
    async with (
        asyncio.timeout(10),
        running(asking.server) as url,
        restartable({"a": url}) as router,
        legacy_client(f"{router.url}/mcp") as client,
    ):
        await client.initialize()
        async with client.getting() as stream:
            await stream.event()
            await router.restart()
            with suppress(aiohttp.ClientError):
                assert await stream.rest() == []
        async with client.getting() as stream:
            assert (await stream.event()).id


@pytest.mark.parametrize("accept", ["application/json", "text/html"])
async def test_a_stream_needs_who_reads_it(mesh: Mesh, accept: str) -> None:
    """406, and without a session 405: never a page, and never a wait (clients.md 17)."""
    async with legacy_client(mesh.mcp, Accept=accept) as client:
        async with client.getting() as answered:
            assert answered.status == 405
        await client.initialize()
        async with client.getting() as answered:
            assert answered.status == 406


@pytest.mark.parametrize("last", ["", "7", "-", "a-b-c.1", "a-1-W10.99", "x" * 5000, "a-1-ü.1"])
async def test_hostile_places_are_harmless(mesh: Mesh, last: str) -> None:
    """They open a stream in which nothing is told that was not there."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        async with client.getting(last) as stream:
            assert stream.status == 200


@given(text=st.text(max_size=60) | st.from_regex(r"[a-f0-9]+-[0-9]+-[A-Za-z0-9_-]*\.[0-9]+"))
@settings(max_examples=300, deadline=None)
def test_places_are_read_without_trust(text: str) -> None:
    """Whatever it is, it is a place or it is none."""
    place = place_of(text)
    assert place is None or (place.number >= 0 and len(place.requests) <= len(text))


@given(ids=st.lists(st.integers(-(2**53), 2**53) | st.text(max_size=30), max_size=5))
def test_an_events_id_says_whose_it_is(ids: list[int | str]) -> None:
    """Replica, stream, requests and number come back as they were."""
    log = KeptStreams(replica="abc", clock=FakeClock()).opened("n", tuple(ids))
    place = place_of(event_id(log.name, 7).decode())
    assert place is not None
    assert (place.replica, place.stream, place.number) == ("abc", log.name, 7)
    assert place.requests == tuple(ids)


def test_what_is_kept_of_streams_is_bounded() -> None:
    """In number, in bytes and in time; what runs is kept in any case."""
    clock = FakeClock()
    streams = KeptStreams(replica="abc", clock=clock)
    running = streams.opened("n", (1,))
    logs = [streams.opened("n", (number,)) for number in range(300)]
    for log in logs:
        log.tell(b"x" * 200_000)
        log.end()
        streams.closed(log, worth_keeping=True)
    found = [log for log in logs if streams.find("n", log.name)]
    assert found == logs[-len(found) :]
    assert 100 < len(found) < 200
    clock.advance(61)
    assert streams.find("n", logs[-1].name) is None
    assert streams.find("n", running.name) is running


def test_a_long_stream_lets_go_of_the_oldest() -> None:
    """Never of the last, which is the answer."""
    log = KeptStreams(replica="abc", clock=FakeClock()).opened("n", (1,))
    for number in range(3000):
        log.tell(b"%d" % number)
    log.tell(b"x" * 10_000_000)
    assert [number for number, _ in log.after(0)] == [3001]


async def test_a_stream_ends_that_would_be_told_nothing_any_more(asking: Asking) -> None:
    """What is remembered of its session, another version may have written."""
    store = in_process_store()
    async with (
        asyncio.timeout(10),
        running(asking.server) as url,
        routing({"a": url}, store=store) as mesh,
        legacy_client(mesh.mcp) as client,
        store.bus.heard("sessions") as messages,
    ):
        await client.initialize()
        async with client.getting() as stream:
            await stream.event()
            told = orjson.loads(await anext(messages))
            await store.kept.put(f"session:{told['nonce']}", b"{}", ttl_s=60)
            news = {"kind": "changed", "nonce": told["nonce"], "from": "another"}
            await store.bus.publish("sessions", orjson.dumps(news))
            assert await stream.rest() == []
