"""Sessions and breakers over several workers: what one of them knows, all do."""

import asyncio

import orjson
import pytest

from tests.interaction.asking_server import Asking
from tests.interaction.guarding import Mood, sick
from tests.interaction.legacy_wire import ACCEPT
from tests.interaction.reloading import until
from tests.interaction.upstreams import running
from tests.interaction.wire import failure, head, legacy
from tests.interaction.workers import Connection, two, workers
from tests.redis_process import running_redis

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

ADA = {"action": "accept", "content": {"name": "Ada"}}
HEADERS = {"Content-Type": "application/json", "Accept": ACCEPT}


async def opened(connection: Connection) -> dict[str, str]:
    """Return the headers of a new session, whose client can be asked."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "hand", "version": "1"},
    }
    reply = await connection.send(legacy("initialize", params), HEADERS)
    return HEADERS | {"Mcp-Session-Id": reply.headers["mcp-session-id"]}


def begin(connection: Connection, headers: dict[str, str], body: bytes = b"") -> None:
    """Send a request whose answer is a stream: a call, or without a body a GET."""
    verb = "POST" if body else "GET"
    lines = head(body, headers, port=connection.port, verb=verb)
    connection.streams[1].write(lines + body)


@pytest.mark.requirement("workers.sessions")
async def test_a_session_is_answered_by_all_and_asks_over_any() -> None:
    """A question goes out on the stream of its call; its answer comes to the other worker."""
    with running_redis() as redis:
        async with (
            asyncio.timeout(60),
            running(Asking().server) as url,
            workers(url, redis) as router,
        ):
            one, other = await router.each()
            session = await opened(one)
            for each in (one, other):
                assert (await each.send(legacy("tools/list"), session)).status == 200
            begin(one, session, legacy("tools/call", {"name": "ask", "arguments": {}}))
            asked = await one.streams[0].readuntil(b"elicitation/create")
            line = asked.rpartition(b"data: ")[2] + await one.streams[0].readuntil(b"\n\n")
            question = orjson.loads(line.partition(b"\r")[0].partition(b"\n")[0])
            answer = {"jsonrpc": "2.0", "id": question["id"], "result": ADA}
            assert (await other.send(orjson.dumps(answer), session)).status == 202
            assert await one.streams[0].readuntil(b"Ada")


@pytest.mark.requirement("workers.sessions")
async def test_a_call_is_cancelled_over_the_other_worker() -> None:
    """Whichever hears of it, the call ends where it runs."""
    asking = Asking()
    with running_redis() as redis:
        async with (
            asyncio.timeout(60),
            running(asking.server) as url,
            workers(url, redis) as router,
        ):
            one, other = await router.each()
            session = await opened(one)
            begin(one, session, legacy("tools/call", {"name": "hang", "arguments": {}}, id=9))
            await asking.begun.wait()
            told = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
            body = orjson.dumps(told | {"params": {"requestId": 9}})
            assert (await other.send(body, session)).status == 202
            await asking.cancelled.wait()


@pytest.mark.requirement("workers.sessions")
async def test_a_sessions_stream_ends_with_it_wherever_it_stands() -> None:
    """The stream from the server is at one worker, the call that ends the session at the other."""
    with running_redis() as redis:
        async with (
            asyncio.timeout(60),
            running(Asking().server) as url,
            workers(url, redis) as router,
        ):
            one, other = await router.each()
            session = await opened(one)
            begin(one, session | {"Accept": "text/event-stream"})
            await one.streams[0].readuntil(b"\r\n\r\n")
            assert (await other.send(b"", session, verb="DELETE")).status in {200, 202, 204}
            await one.streams[0].readuntil(b"0\r\n\r\n")
            assert (await other.send(legacy("tools/list"), session)).status == 404


@pytest.mark.requirement("workers.breakers")
async def test_a_breaker_opens_for_all() -> None:
    """Failures at one worker are known at the other, which sends nothing either."""
    mood = Mood(error=sick())
    async with asyncio.timeout(60), two(mood) as router:
        one, other = await router.each()
        for _ in range(10):
            await one.call("write")
        assert mood.begun < 10

        async def told_everywhere() -> bool:
            replies = [failure(await each.call("write")) for each in (one, other)]
            return all(reply["error_code"] == "CIRCUIT_OPEN" for reply in replies)

        await until(told_everywhere)
        for each in (one, other):
            status = (await each.get("/status")).json
            assert status["servers"]["github"]["breaker"]["state"] == "open"
            assert status["servers"]["github"]["available"] is False
