"""Connections with plain requests on them: in pieces, in heaps, and with others in between."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from aiohttp import web

from tests.interaction.authorization import issuing
from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.upstreams import Json, Scripted, result, running
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    call_modern,
    get,
    head,
    legacy,
    modern,
    modern_headers,
    read_reply,
    send,
)
from trunkline_shared.testing.serving import serving as serving_tools

pytestmark = pytest.mark.anyio

TURNS = 20
"""So many turns of the loop let a packet arrive."""
MANY_TURNS = 2000
"""So many let a client send what anybody takes."""
PINGS = 300_000
LARGE, MEGABYTE = 12, 1_000_000
"""So many large answers are more than the sockets of a connection hold."""


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router in front of one server; at the end it must still answer a call."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        yield mesh
        assert (await call_modern(mesh.port, "act")).status == 200


def listing(mesh: Mesh, number: int = 1, **changes: str) -> bytes:
    """Return a request for the tools."""
    body = modern("tools/list", id=number)
    return head(body, modern_headers("tools/list", **changes), port=mesh.port) + body


def pinging(mesh: Mesh, number: int) -> bytes:
    body = legacy("ping", id=number)
    return head(body, LEGACY_HEADERS, port=mesh.port) + body


def healthz(mesh: Mesh) -> bytes:
    return head(b"", {}, port=mesh.port, path="/healthz", verb="GET")


async def turns(count: int = TURNS) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def answers(mesh: Mesh, raw: bytes, count: int) -> list[Reply]:
    """Send all at once over one connection, and read so many answers."""
    async with asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        try:
            writer.write(raw)
            return [await read_reply(reader) for _ in range(count)]
        finally:
            writer.close()


@pytest.mark.requirement("router.hostile-input")
async def test_a_request_may_come_in_two_packets_wherever_it_is_cut(mesh: Mesh) -> None:
    """On one connection each, and what follows on it is answered as well."""
    raw = listing(mesh)
    for cut in range(1, len(raw)):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(raw[:cut])
        await turns()
        writer.write(raw[cut:])
        assert (await read_reply(reader)).result["tools"], cut
        writer.write(raw)
        assert (await read_reply(reader)).result["tools"], cut
        writer.close()


async def test_a_request_may_come_byte_by_byte_after_another(mesh: Mesh) -> None:
    """The first says how the connection is read; the second is whatever it is."""
    raw = listing(mesh)
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(raw)
        assert (await read_reply(reader)).status == 200
        for each in raw:
            writer.write(bytes([each]))
            await asyncio.sleep(0)
        assert (await read_reply(reader)).status == 200
        writer.close()


@pytest.mark.requirement("router.hostile-input")
async def test_requests_sent_without_waiting_are_answered_in_their_order(mesh: Mesh) -> None:
    """Many more than are kept in memory."""
    count = 1500
    raw = b"".join(pinging(mesh, number) for number in range(count))
    replies = await answers(mesh, raw, count)
    assert [reply.json["id"] for reply in replies] == list(range(count))


@pytest.mark.requirement("router.hostile-input")
async def test_what_waits_behind_a_request_waits_at_its_client(mesh: Mesh) -> None:
    """However fast it sends: what is taken grows by what is answered."""
    raw = b"".join(pinging(mesh, number) for number in range(PINGS))
    async with asyncio.timeout(20):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(raw)
        for number in range(PINGS // 100):
            assert (await read_reply(reader)).json["id"] == number
        assert writer.transport.get_write_buffer_size() > len(raw) - 32 * MEGABYTE
        writer.close()


async def test_what_is_not_plain_may_come_before_between_and_after(mesh: Mesh) -> None:
    """Pages and calls share a connection, sent at once."""
    raw = listing(mesh) + healthz(mesh) + listing(mesh, 2) + healthz(mesh) + pinging(mesh, 3)
    replies = await answers(mesh, raw, 5)
    assert [reply.status for reply in replies] == [200] * 5
    assert [replies[at].json["id"] for at in (0, 2, 4)] == [1, 2, 3]


async def test_other_forms_of_a_body_are_taken_after_a_plain_one(mesh: Mesh) -> None:
    """In chunks, packed, and announced: all of it on the connection of a plain request."""
    body = modern("tools/list", id=2)
    given = modern_headers("tools/list")
    first = head(body, given, port=mesh.port).replace(b"Content-Length: %d\r\n" % len(body), b"")
    chunked = first.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n")
    raw = listing(mesh) + chunked + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    packed = gzip.compress(body)
    raw += head(packed, given | {"Content-Encoding": "gzip"}, port=mesh.port) + packed
    replies = await answers(mesh, raw, 3)
    assert [reply.json["id"] for reply in replies] == [1, 2, 2]


@pytest.mark.parametrize(
    "field",
    [
        "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "X: y\r\n z: 1\r\n",
        "X : y\r\n",
        "X: \x00\r\n",
        "X: y\rZ: a\r\n",
        f"X: {'y' * 20_000}\r\n",
    ],
)
@pytest.mark.requirement("router.hostile-input")
async def test_what_could_be_read_in_two_ways_is_refused(mesh: Mesh, field: str) -> None:
    """A typed error, also after a plain request; nothing behind it is taken for a request."""
    odd = listing(mesh).replace(b"Host:", field.encode() + b"Host:", 1)
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(listing(mesh) + odd + listing(mesh))
        assert (await read_reply(reader)).status == 200
        refusal = await read_reply(reader)
        assert (refusal.status, refusal.error["code"]) == (400, -32600)
        with suppress(ConnectionError):
            assert await reader.read() == b""
        writer.close()


@pytest.mark.requirement("router.hostile-input")
async def test_a_refusal_does_not_wait_for_the_body(mesh: Mesh) -> None:
    """What is still sent of it is read, so that the answer is, and ends the connection."""
    raw = listing(mesh, Origin="http://elsewhere.example")
    begun, rest = raw[:-5], raw[-5:]
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(begun)
        reply = await read_reply(reader)
        assert (reply.status, reply.headers["connection"]) == (403, "close")
        writer.write(rest)
        assert await reader.read() == b""
        writer.close()


@pytest.mark.requirement("router.hostile-input")
async def test_a_body_that_does_not_come_is_told_so(mesh: Mesh) -> None:
    """HTTP 408 after the bound, and the connection ends with the rest."""
    raw = listing(mesh)
    async with asyncio.timeout(5):
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        writer.write(raw[:-3])
        assert (await read_reply(reader)).status == 408
        writer.write(raw[-3:])
        assert await reader.read() == b""
        writer.close()


@pytest.mark.requirement("router.cancel")
async def test_a_client_that_leaves_while_others_wait_behind_cancels_the_tool() -> None:
    """What it had sent besides is not begun."""
    tools = SampleTools()
    async with serving_tools(sample_server(tools)) as url, routing({"a": url}) as mesh:
        body = modern("tools/call", {"name": "hang", "arguments": {}})
        raw = head(body, modern_headers("tools/call", "hang"), port=mesh.port) + body
        async with asyncio.timeout(10):
            _, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
            writer.write(raw + raw)
            await tools.started.wait()
            tools.started.clear()
            writer.close()
            await tools.cancelled.wait()
        assert (await get(mesh.port, "/healthz")).status == 200
        assert not tools.started.is_set()


@pytest.mark.requirement("router.streams")
async def test_a_stream_and_what_follows_it_share_a_connection() -> None:
    """Progress comes in chunks, and the next request is answered after their end."""
    async with serving_tools(sample_server()) as url, routing({"a": url}) as mesh:
        params: dict[str, object] = {"name": "count", "arguments": {"steps": 3}}
        told: dict[str, object] = {"_meta": modern_meta() | {"progressToken": 7}}
        body = modern("tools/call", params | told)
        raw = head(body, modern_headers("tools/call", "count"), port=mesh.port) + body
        stream, after = await answers(mesh, raw + listing(mesh, 2), 2)
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.body.count(b"notifications/progress") == 3
    assert stream.result["structuredContent"] == {"said": "3 steps"}
    assert after.json["id"] == 2


def modern_meta() -> dict[str, object]:
    return {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }


async def test_an_answer_that_nobody_reads_holds_up_its_connection_alone() -> None:
    """What was sent behind it waits until it is taken, and is answered then."""

    async def big(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"content": [{"type": "text", "text": "x" * MEGABYTE}]})

    async with running(Scripted(answer=big)) as url, routing({"a": url}) as mesh:
        body = modern("tools/call", {"name": "act", "arguments": {}})
        raw = head(body, modern_headers("tools/call", "act"), port=mesh.port) + body
        async with asyncio.timeout(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
            writer.write(raw * LARGE + listing(mesh, 2))
            assert (await send(mesh.port, listing(mesh))).status == 200
            for _ in range(LARGE):
                assert len((await read_reply(reader)).body) > MEGABYTE
            assert (await read_reply(reader)).json["id"] == 2
            writer.close()


@pytest.mark.parametrize("status", [409, 499])
async def test_a_servers_own_error_keeps_its_status(status: int) -> None:
    """Also one that no standard names."""

    async def failing(http: web.Request, request: Json) -> web.StreamResponse:
        error: Json = {"code": -32001, "message": "It is not there."}
        return web.json_response(
            {"jsonrpc": "2.0", "id": request["id"], "error": error}, status=status
        )

    async with running(Scripted(answer=failing)) as url, routing({"a": url}) as mesh:
        reply = await call_modern(mesh.port, "act")
    assert (reply.status, reply.error["code"]) == (status, -32001)


@pytest.mark.parametrize(
    ("size", "audience", "status"),
    [
        (64 * MEGABYTE, "elsewhere", 401),
        (64 * MEGABYTE, "http://127.0.0.1/mcp", 413),
        (3 * MEGABYTE, "http://127.0.0.1/mcp", 200),
    ],
)
@pytest.mark.requirement("router.hostile-input")
async def test_a_body_is_not_taken_while_it_is_asked_who_sends_it(
    size: int, audience: str, status: int
) -> None:
    """Whoever makes the router look for a key does not fill its memory meanwhile."""
    async with running(Scripted()) as url, issuing() as issuer:
        issuer.open.clear()
        trusted: Json = {"oauth": {"issuer": issuer.issuer}}
        public = "http://127.0.0.1"
        async with routing({"a": url}, configured=trusted, public_url=public) as mesh:
            body = modern("tools/list").ljust(size)
            given = modern_headers("tools/list") | bearing(issuer.token(audience))
            async with asyncio.timeout(20):
                reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
                writer.write(head(body, given, port=mesh.port) + body)
                await turns(MANY_TURNS)
                # The sockets hold some of it.
                assert writer.transport.get_write_buffer_size() > size - 32 * MEGABYTE
                issuer.open.set()
                reply = await read_reply(reader)
                assert reply.status == status
                # What was refused unread ends the connection, once the rest is read.
                assert status == 200 or await reader.read() == b""
                writer.close()
