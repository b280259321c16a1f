"""The head of a plain request: whatever is taken reads as a whole HTTP parser reads it."""

import asyncio
from collections.abc import Mapping

import pytest
from aiohttp.base_protocol import BaseProtocol
from aiohttp.http import HttpRequestParser, RawRequestMessage
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.wire.plain_head import MOST_BYTES, PlainHead, plain_head

BODY = b'{"a":1}'
NAMES = st.sampled_from([
    "Host",
    "host",
    "Content-Length",
    "content-length",
    "Transfer-Encoding",
    "Connection",
    "Expect",
    "Upgrade",
    "Content-Encoding",
    "Accept",
    "Mcp-Name",
    "Mcp-Param-Owner",
    "X Y",
    "X:",
    "",
])
VALUES = st.sampled_from([
    "7",
    " 7",
    "7 ",
    "+7",
    "0x7",
    "chunked",
    "keep-alive",
    "close",
    "\t7",
    "",
])
TEXTS = st.text(st.characters(codec="latin-1"), max_size=12)
LINES = st.lists(st.tuples(NAMES | TEXTS, VALUES | TEXTS), max_size=8)
FIRST = st.sampled_from([
    "POST /mcp HTTP/1.1",
    "POST /mcp?pr_number=1&x=%20 HTTP/1.1",
    "POST /servers/ci_status/mcp HTTP/1.1",
    "POST /servers/%61/mcp HTTP/1.1",
    "POST /mcp#part HTTP/1.1",
    "POST /mcp?a?b HTTP/1.1",
    "POST  /mcp HTTP/1.1",
    "POST /mcp HTTP/1.0",
    "POST http://else/mcp HTTP/1.1",
    "GET /mcp HTTP/1.1",
    "post /mcp HTTP/1.1",
])
BREAKS = st.sampled_from(["\r\n"] * 8 + ["\n", "\r", "\r\n ", "\r\n\r\n"])
SOUND = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n%bContent-Length: 7\r\n\r\n" + BODY


def parsed(raw: bytes) -> list[RawRequestMessage]:
    """Return what aiohttp reads."""
    loop = asyncio.new_event_loop()
    try:
        parser = HttpRequestParser(BaseProtocol(loop), loop, 2**16)
        return [message for message, _ in parser.feed_data(raw)[0]]
    finally:
        loop.close()


def spelled(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    fields = [(name.lower(), value) for name, value in headers.items()]
    return [field for field in fields if field[0] != "content-length"]


def taken(raw: bytes) -> tuple[PlainHead, int, int]:
    read = plain_head(raw)
    assert read is not None, raw
    return read


@given(FIRST, LINES, BREAKS)
@pytest.mark.requirement("router.hostile-input")
def test_what_is_taken_reads_as_it_does_to_a_whole_parser(
    first: str, lines: list[tuple[str, str]], line_break: str
) -> None:
    """Method, target, headers and length are the same; all else is the parser's to judge."""
    fields = "".join(f"{name}: {value}{line_break}" for name, value in lines)
    raw = f"{first}\r\n{fields}Content-Length: 7\r\n\r\n".encode("latin-1") + BODY
    read = plain_head(raw)
    if read is None:
        return
    head, begin, end = read
    (message,) = parsed(raw[:end])
    assert message.method == "POST"
    assert (message.version.major, message.version.minor) == (1, 1)
    assert (message.url.path, message.url.raw_query_string) == (head.path, head.query)
    assert spelled(message.headers) == spelled(head.headers)
    changing = (message.should_close, message.upgrade, message.chunked, message.compression)
    assert not any(changing)
    assert raw[begin:end] == BODY


@pytest.mark.parametrize(
    "field",
    [
        b"Content-Length: 7\r\n",
        b"content-length: 9\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Expect: 100-continue\r\n",
        b"Upgrade: websocket\r\n",
        b"Content-Encoding: gzip\r\n",
        b"Connection: close\r\n",
        b"Host: other\r\n",
        b"X : y\r\n",
        b"X: y\r\n z\r\n",
        b"X: y\n",
        b"X: \x00\r\n",
        b"X: \xe4\r\n",
        b": y\r\n",
        b"X: y" + b"y" * MOST_BYTES + b"\r\n",
        b"".join(b"X-%d: y\r\n" % number for number in range(200)),
    ],
)
@pytest.mark.requirement("router.hostile-input")
def test_what_could_be_read_in_two_ways_is_not_taken(field: bytes) -> None:
    """Two lengths, folded or broken lines, other framing, odd characters, and too much of any."""
    assert plain_head(SOUND % field) is None


def test_the_server_and_the_query_are_those_of_the_path() -> None:
    """Both as they came, nothing decoded."""
    raw = (SOUND % b"").replace(b"/mcp", b"/servers/ci_status/mcp?a=%41&b")
    head, begin, end = taken(raw)
    assert (head.path, head.scope, head.query) == (
        "/servers/ci_status/mcp",
        "ci_status",
        "a=%41&b",
    )
    assert (raw[begin:end], end) == (BODY, len(raw))


def test_headers_are_found_in_any_spelling() -> None:
    """RFC 9110, section 5.1."""
    head, _, _ = taken(SOUND % b"MCP-protocol-VERSION:   2026-07-28\r\nConnection: Keep-Alive\r\n")
    assert head.headers.get("Mcp-Protocol-Version") == "2026-07-28"


def test_a_head_that_is_not_whole_is_not_taken() -> None:
    """Wherever it breaks off."""
    whole = SOUND % b""
    _, end, _ = taken(whole)
    assert [cut for cut in range(end) if plain_head(whole[:cut]) is not None] == []


@given(FIRST, LINES, LINES, st.sampled_from(["7", "007", "12", "", "1\r\n2", "+7", "9" * 12]))
@pytest.mark.requirement("router.hostile-input")
def test_a_head_is_known_again_only_as_it_would_be_read_anew(
    first: str, before: list[tuple[str, str]], after: list[tuple[str, str]], length: str
) -> None:
    """With another length at most, whatever else looks like one."""
    lines = [f"{name}: {value}\r\n" for name, value in before]
    more = [f"{name}: {value}\r\n" for name, value in after]
    start, rest = f"{first}\r\n{''.join(lines)}content-length: ", f"\r\n{''.join(more)}\r\n"
    read = plain_head(f"{start}7{rest}".encode("latin-1"))
    if read is None:
        return
    head, _, _ = read
    raw = f"{start}{length}{rest}".encode("latin-1") + BODY
    place = head.again(raw)
    if place is not None:
        anew, begin, end = taken(raw)
        assert place == (begin, end)
        assert (anew.path, anew.query) == (head.path, head.query)
        assert spelled(anew.headers) == spelled(head.headers)


def test_a_length_in_a_value_is_none() -> None:
    """The line of that name counts, and no text that looks like it."""
    raw = SOUND % b"X: Content-Length: 3\r\n"
    head, begin, end = taken(raw)
    assert head.again(raw) == (begin, end)
    assert head.again(raw.replace(b" 3\r", b" 4\r")) is None
    assert head.again(raw.replace(b" 7\r", b" 6\r")) == (begin, end - 1)
