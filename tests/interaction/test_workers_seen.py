"""What operators see of several workers is one router, whichever of them they ask."""

import asyncio
import os
import re
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.interaction.keys import bearing
from tests.interaction.reloading import until
from tests.interaction.seeing import MESH_KEY, PROTOBUF, SPANS
from tests.interaction.upstreams import Scripted, ok, running
from tests.interaction.workers import Connection, Workers, two, workers
from tests.redis_process import running_redis
from tests.unit.trunkline_router.telemetry.spanning import message, sent

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

SENT = r'trunkline_server_calls_total\{server="github"\} (\S+)'
OPEN = r"\nprocess_open_fds (\S+)"
SERVED = r'mcp_server_operation_duration_seconds_count\{[^}]*gen_ai_tool_name="write"[^}]*\} (\S+)'


async def number(connection: Connection, pattern: str) -> float:
    """Return the sum of what `/metrics` says under a pattern."""
    told = (await connection.get("/metrics")).body.decode()
    return sum(float(found) for found in re.findall(pattern, told))


async def written(connection: Connection, calls: int) -> None:
    for _ in range(calls):
        await connection.call("write")


@pytest.mark.requirement("workers.metrics")
async def test_metrics_are_those_of_all_whoever_answers() -> None:
    """Counters and histograms are sums, exactly, at each of the workers."""
    async with two(ok) as router:
        one, other = await router.each()
        await written(one, 7)
        await written(other, 4)
        for each in (one, other):
            assert await number(each, SENT) == 11
            assert await number(each, SERVED) == 11
            assert await number(each, r"\ntrunkline_cache_on (\S+)") == 1
            assert await number(each, r"\ntrunkline_cache_routers (\S+)") == 2


@pytest.mark.requirement("workers.metrics")
async def test_totals_never_go_back_when_a_worker_dies() -> None:
    """What a worker has shown stays in the totals: while it is gone, and with the next one."""
    async with two(ok) as router:
        one, other = await router.each()
        await written(one, 5)
        await written(other, 3)
        assert await number(other, SENT) == 8
        os.kill(one.worker, signal.SIGKILL)

        async def back() -> bool:
            assert await number(other, SENT) == 8
            return len(router.ids) == 2 and one.worker not in router.ids

        await until(back)
        newcomer = next(each for each in await router.each() if each.worker != other.worker)
        await written(newcomer, 2)
        assert [await number(each, SENT) for each in (newcomer, other)] == [10, 10]


@pytest.mark.requirement("workers.pages")
async def test_pages_show_what_all_have_done() -> None:
    """`/status`, `/api/cache`, series, tokens and writes are those of both."""
    async with two(ok) as router:
        one, other = await router.each()
        for each in (one, other):
            await written(each, 3)
            await each.call("act")
        for each in (one, other):
            cache = (await each.get("/api/cache")).json
            assert (await each.get("/status")).json["cache"] == cache
            # Before the write and after it.
            assert cache["bumps"] == 12
            assert cache["misses"] + cache["hits"]["process"] + cache["hits"]["shared"] == 2
            assert len(cache["routers"]) == 2
            points = (await each.get("/api/series")).json["points"]
            assert sum(point["calls"] for point in points) == 8
            rows = (await each.get("/api/tokens")).json["rows"]
            assert {row["tool"]: row["calls"] for row in rows} == {"act": 2, "write": 6}
            records = (await each.get("/api/audit")).json["records"]
            assert [record["tool"] for record in records] == ["write"] * 6
            assert len((await each.get("/api/audit?limit=2")).json["records"]) == 2


@pytest.mark.requirement("workers.pages")
async def test_a_trace_is_found_wherever_it_was_recorded() -> None:
    """The list has the calls of both, and each of them is shown whole by either."""
    async with two(ok) as router:
        one, other = await router.each()
        await one.call("act")
        await other.call("write")
        for each in (one, other):
            rows = (await each.get("/api/traces")).json["traces"]
            assert [row["tool"] for row in rows] == ["write", "act"]
            for row in rows:
                found = (await each.get(f"/api/traces/{row['trace_id']}")).json
                assert found["row"]["tool"] == row["tool"]
                assert found["spans"][0]["name"] == f"tools/call {row['tool']}"
            assert (await each.get("/api/traces/" + "0" * 32)).status == 404
            assert len((await each.get("/api/traces?limit=1")).json["traces"]) == 1


@pytest.mark.requirement("workers.pages")
async def test_servers_spans_reach_the_call_that_they_belong_to() -> None:
    """Whichever worker they are handed to, and however many of them there are in one message."""
    async with two(ok, TRUNKLINE_MESH_KEY=MESH_KEY) as router, asyncio.timeout(30):
        one, other = await router.each()
        await other.call("write")
        (row,) = (await one.get("/api/traces")).json["traces"]
        given = [sent(int(row["trace_id"], 16), 1 + each, name="n" * 8192) for each in range(200)]
        body = message(*given)
        assert len(body) > 1024 * 1024
        reply = await one.send(body, bearing(MESH_KEY) | PROTOBUF, path=SPANS)
        assert reply.status == 200

        async def shown() -> bool:
            told = (await one.get("/api/traces")).json["traces"]
            return bool(told[0]["spans"] > len(given))

        await until(shown)


@pytest.mark.requirement("workers.pages")
async def test_the_live_feed_tells_of_calls_everywhere() -> None:
    """Whoever watches one worker sees calls to the other, and how all stand."""
    async with two(ok) as router, asyncio.timeout(30):
        one, other = await router.each()
        reader = await events(router)
        await reader.readuntil(b"event: state")
        seen: set[str] = set()
        while seen != {"one", "other"}:
            await one.call("act", who="one")
            await other.call("write", who="other")
            frame = await reader.readuntil(b"\n\n")
            if b"event: call" in frame:
                told = orjson.loads(frame.partition(b"data: ")[2].partition(b"\n")[0])
                seen.add("one" if told["tool"] == "act" else "other")


@pytest.mark.requirement("workers.pages")
async def test_watchers_at_several_workers_see_the_same() -> None:
    """Each worker is told how another stands by itself, whoever watches that one: counted once."""
    async with two(ok) as router, asyncio.timeout(60):
        both = await router.each()
        await both[0].call("act")
        for each in both:
            each.streams[1].write(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        told = await asyncio.gather(*(states(each, 4) for each in both))
        # The first of each is written before anybody else is heard.
        assert [[one["cache"]["misses"] for one in every[2:]] for every in told] == [[1, 1]] * 2


async def states(connection: Connection, many: int) -> list[dict[str, Any]]:
    """Return what a watcher is told of how all stand, so many times."""
    reader = connection.streams[0]
    found = []
    for _ in range(many):
        await reader.readuntil(b"event: state\ndata: ")
        found.append(orjson.loads((await reader.readuntil(b"\n\n")).strip()))
    return found


@pytest.mark.requirement("workers.metrics")
async def test_many_who_watch_keep_no_worker_from_being_asked() -> None:
    """Each watches all workers, and what is asked meanwhile is answered as ever."""
    async with two(ok) as router, asyncio.timeout(60):
        one, other = await router.each()
        # However they fall, more than a hundred are at one of the two.
        for _ in range(210):
            await (await events(router)).readuntil(b"event: state")
        await written(one, 2)
        await written(other, 3)
        assert [await number(each, SENT) for each in (one, other)] == [5, 5]


@pytest.mark.requirement("workers.pages")
async def test_one_who_has_left_is_watched_for_nowhere() -> None:
    """What the workers had open for him is closed, at both ends."""
    async with two(ok) as router, asyncio.timeout(60):
        one, _ = await router.each()
        before = await number(one, OPEN)
        async with AsyncExitStack() as watching:
            for _ in range(8):
                await (await events(router, watching)).readuntil(b"event: state")
            assert await number(one, OPEN) >= before + 8

        async def closed() -> bool:
            return await number(one, OPEN) <= before

        await until(closed)


async def events(router: Workers, ends: AsyncExitStack | None = None) -> asyncio.StreamReader:
    reader, writer = await asyncio.open_connection("127.0.0.1", router.port)
    (ends or router.open).callback(writer.close)
    writer.write(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{router.port}\r\n\r\n".encode())
    return reader


@pytest.mark.requirement("workers.pages")
async def test_all_write_to_one_audit_log(tmp_path: Path) -> None:
    """Each record is a whole line, however many write at once, and after a rotation as well."""
    path = tmp_path / "audit.jsonl"
    with running_redis() as redis:
        async with (
            running(Scripted()) as url,
            workers(url, redis, TRUNKLINE_AUDIT_LOG=str(path)) as router,
        ):
            both = await router.each()
            await asyncio.gather(*(written(each, 20) for each in both))
            moved = path.rename(tmp_path / "audit.1")
            await asyncio.gather(*(written(each, 20) for each in both))
            router.process.send_signal(signal.SIGTERM)
            assert await router.process.wait() == 0
    lines = [*moved.read_text("utf-8").splitlines(), *path.read_text("utf-8").splitlines()]
    assert len({orjson.loads(line)["trace_id"] for line in lines}) == 80
