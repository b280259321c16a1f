"""Whatever a client sends, the router answers in JSON and lives on."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import orjson
import pytest

from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import (
    LEGACY_HEADERS,
    Reply,
    call_legacy,
    call_modern,
    get,
    head,
    legacy,
    modern,
    modern_headers,
    post,
    read_reply,
    send,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router in front of one server; at the end it must still answer a call."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        yield mesh
        assert (await call_modern(mesh.port, "act")).status == 200


def assert_error(reply: Reply, status: int, code: int) -> None:
    assert reply.status == status
    assert reply.headers["content-type"] == "application/json"
    assert reply.json["jsonrpc"] == "2.0"
    assert reply.error["code"] == code
    assert reply.error["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "\xff\xfe"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": 1e999}}',
        b"[" * 100_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b"\xef\xbb\xbf{}",
        b"\x00" * 64,
    ],
)
@pytest.mark.requirement("router.hostile-input")
async def test_what_is_no_json_is_a_parse_error(mesh: Mesh, body: bytes) -> None:
    """-32700 under 400, the id null, for broken, hostile and wrongly encoded bodies."""
    reply = await post(mesh.port, body)
    assert_error(reply, 400, -32700)
    assert reply.json["id"] is None


@pytest.mark.parametrize(
    "body",
    [
        b"1",
        b'"text"',
        b"null",
        b"{}",
        b'{"id": 1, "method": "ping"}',
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 18446744073709551616000, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 7}',
        b'{"jsonrpc": "2.0", "id": 1}',
        b"[]",
    ],
)
@pytest.mark.requirement("router.hostile-input")
async def test_a_bad_envelope_is_an_invalid_request(mesh: Mesh, body: bytes) -> None:
    """-32600 under 400, with the id where it can be read."""
    assert_error(await post(mesh.port, body), 400, -32600)


@pytest.mark.parametrize("params", [b"[]", b'"x"', b"7", b"true"])
async def test_params_of_a_wrong_type_are_refused_with_the_id(mesh: Mesh, params: bytes) -> None:
    """-32602, and the sender recognises its request."""
    body = b'{"jsonrpc": "2.0", "id": "mine", "method": "tools/call", "params": ' + params + b"}"
    reply = await post(mesh.port, body)
    assert_error(reply, 400, -32602)
    assert reply.json["id"] == "mine"


@pytest.mark.parametrize("name", [7, None, [], {}])
async def test_a_tool_name_of_a_wrong_type_is_refused(mesh: Mesh, name: object) -> None:
    """-32602: 200 for legacy clients, who read errors only there."""
    body = legacy("tools/call", {"name": name})
    assert_error(await post(mesh.port, body), 200, -32602)


async def test_params_too_deep_to_be_sent_on_are_refused(mesh: Mesh) -> None:
    """JSON that can be read and not written again answers -32600, not a crash."""
    deep: object = 1
    for _ in range(200):
        deep = {"a": deep}
    text = orjson.dumps(deep)
    for _ in range(2):
        text = text.replace(b"1", text, 1)
    body = (
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '
        b'{"name": "act", "arguments": ' + text + b"}}"
    )
    assert_error(await post(mesh.port, body), 400, -32600)


@pytest.mark.requirement("router.hostile-input")
async def test_a_body_of_ten_megabytes_is_too_large(mesh: Mesh) -> None:
    """413 with a JSON-RPC error, whether its length is announced or not."""
    body = b'"' + b"x" * 10_000_000 + b'"'
    assert_error(await post(mesh.port, body), 413, -32600)
    chunked = head(b"", {}, port=mesh.port).replace(
        b"Content-Length: 0", b"Transfer-Encoding: chunked"
    )
    sent = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    assert_error(await send(mesh.port, chunked, then=sent), 413, -32600)


async def test_a_body_that_does_not_come_is_timed_out(mesh: Mesh) -> None:
    """408, and the connection does not hang."""
    start = head(b"x" * 100, LEGACY_HEADERS, port=mesh.port) + b'{"jsonrpc"'
    assert_error(await send(mesh.port, start), 408, -32600)


async def test_a_body_that_breaks_off_hurts_nobody(mesh: Mesh) -> None:
    """The client leaves in mid-body; the router goes on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
    writer.write(head(b"x" * 100, LEGACY_HEADERS, port=mesh.port) + b'{"jsonrpc"')
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    assert not await reader.read()


async def test_a_damaged_encoding_is_refused(mesh: Mesh) -> None:
    """A body that claims gzip and is none answers 400."""
    reply = await post(mesh.port, b"no gzip", LEGACY_HEADERS | {"Content-Encoding": "gzip"})
    assert_error(reply, 400, -32600)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"POST /mcp HTTP/9.9\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: x\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nNo colon\r\n\r\n",
    ],
)
@pytest.mark.requirement("router.hostile-input")
async def test_what_is_no_http_is_answered_in_json(mesh: Mesh, raw: bytes) -> None:
    """400 with a JSON-RPC error in place of a library's text."""
    assert_error(await send(mesh.port, raw), 400, -32600)


async def test_many_small_headers_are_bounded(mesh: Mesh) -> None:
    """A thousand headers answer 400."""
    headers = {f"X-{n}": "1" for n in range(1000)}
    assert_error(await post(mesh.port, legacy("ping"), LEGACY_HEADERS | headers), 400, -32600)


@pytest.mark.parametrize("doubled", ["Mcp-Method: tools/list", "MCP-Protocol-Version: 2026-07-28"])
async def test_a_doubled_routing_header_is_a_mismatch(mesh: Mesh, doubled: str) -> None:
    """-32020: two readers could take two different copies."""
    body = modern("tools/list")
    start = head(body, modern_headers("tools/list"), port=mesh.port)
    raw = start.replace(b"Host:", doubled.encode() + b"\r\nHost:", 1)
    assert_error(await send(mesh.port, raw + body), 400, -32020)


@pytest.mark.parametrize(
    "host", ["evil.example.com", "evil.example.com:8470", "", "127.0.0.1.evil"]
)
async def test_a_foreign_host_is_misdirected(mesh: Mesh, host: str) -> None:
    """421: a page that rebinds its name to loopback gets nothing."""
    reply = await post(mesh.port, legacy("ping"), LEGACY_HEADERS | {"Host": host})
    assert_error(reply, 421, -32600)


@pytest.mark.parametrize("origin", ["https://evil.example.com", "null", "http://127.0.0.1.evil"])
async def test_a_foreign_origin_is_forbidden(mesh: Mesh, origin: str) -> None:
    """403 with JSON."""
    reply = await post(mesh.port, legacy("ping"), LEGACY_HEADERS | {"Origin": origin})
    assert_error(reply, 403, -32600)


@pytest.mark.parametrize("origin", ["http://localhost:6274", "https://[::1]", "http://127.0.0.1"])
async def test_local_pages_may_call(mesh: Mesh, origin: str) -> None:
    """An inspector on the same machine is let in."""
    reply = await post(mesh.port, legacy("ping"), LEGACY_HEADERS | {"Origin": origin})
    assert reply.result == {}


async def test_named_origins_and_the_public_host_may_call() -> None:
    """TRUNKLINE_ALLOWED_ORIGINS and TRUNKLINE_PUBLIC_URL add to what is trusted."""
    async with (
        running(Scripted()) as url,
        routing(
            {"a": url},
            public_url="https://mesh.example",
            allowed_origins=("https://app.example",),
        ) as mesh,
    ):
        for origin in ("https://app.example", "https://mesh.example"):
            headers = LEGACY_HEADERS | {"Origin": origin, "Host": "mesh.example"}
            assert (await post(mesh.port, legacy("ping"), headers)).result == {}


@pytest.mark.parametrize("verb", ["GET", "DELETE", "PUT", "OPTIONS", "PATCH"])
async def test_other_verbs_are_told_what_is_allowed(mesh: Mesh, verb: str) -> None:
    """405 with Allow: POST, so that a client asking for a stream or to end a session goes on."""
    reply = await send(mesh.port, head(b"", {}, port=mesh.port, verb=verb))
    assert_error(reply, 405, -32600)
    assert reply.headers["allow"] == "POST"


async def test_unknown_paths_say_where_mcp_is(mesh: Mesh) -> None:
    """404 in JSON, for pages and for servers, with the nearest name."""
    assert "/mcp" in (await get(mesh.port, "/nothing")).json["error"]
    reply = await post(mesh.port, legacy("ping"), path="/servers/b/mcp")
    assert reply.status == 404
    assert "Servers: a" in reply.json["error"]
    assert (await get(mesh.port, "/servers/a/nothing")).status == 404
    assert (await post(mesh.port, b"", path="/status")).status == 405


async def test_a_slow_request_does_not_hold_up_others() -> None:
    """While one body dawdles, another connection is served."""
    slow = replace(QUICK, limits=replace(QUICK.limits, body_s=5))
    async with running(Scripted()) as url, routing({"a": url}, terms=slow) as mesh:
        reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
        body = legacy("ping")
        writer.write(head(body, LEGACY_HEADERS, port=mesh.port) + body[:5])
        await writer.drain()
        assert (await call_legacy(mesh.port, "act")).status == 200
        writer.write(body[5:])
        assert (await read_reply(reader)).result == {}
        writer.close()
