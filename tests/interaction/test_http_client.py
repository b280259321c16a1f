"""The router's HTTP client over real sockets: what it reads, keeps, and lets go of."""

import asyncio
import gzip
import zlib

import pytest
from yarl import URL

from tests.interaction.raw_server import (
    Conversation,
    always,
    asked,
    begun,
    raw,
    turns,
    whole,
)
from trunkline_router.adapters.http1.client import Client
from trunkline_router.adapters.http1.failing import Cut, TooLarge
from trunkline_router.adapters.http1.request import head_of, message_of

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(30)]

CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\n"
)
MANY = 1000


@pytest.fixture(params=[True, False], ids=["uvloop", "asyncio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, bool]]:
    """Both loops: the router's own, and that of tests."""
    return "asyncio", {"use_uvloop": request.param}


@pytest.mark.parametrize("answer", [CHUNKED, whole(b"hello world")], ids=["chunked", "length"])
async def test_a_connection_is_kept_after_an_answer_with_an_end(answer: bytes) -> None:
    """Whatever says where the answer ends, trailers included."""
    async with raw(always(answer)) as server, Client(1.0) as client:
        for _ in range(3):
            assert await asked(client, server.url) == b"hello world"
        assert server.connections == 1


async def test_a_request_is_sent_with_what_it_needs_and_no_more() -> None:
    """One head, one body, and the host as the URL has it."""
    async with raw(always(whole(b"ok"))) as server, Client(1.0) as client:
        await asked(client, server.url, b"body")
        assert server.seen == [
            b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept-Encoding: identity\r\n"
            b"User-Agent: trunkline-router\r\nContent-Length: 4\r\n\r\nbody" % server.port
        ]


async def test_an_answer_byte_by_byte_is_the_same_answer() -> None:
    """Where the network cuts means nothing."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        for at in range(len(CHUNKED)):
            await conversation.say(CHUNKED[at : at + 1])
            # Lets the client read before there is more.
            await asyncio.sleep(0)

    async with raw(respond) as server, Client(1.0) as client:
        assert await asked(client, server.url) == b"hello world"


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\n\r\nhello",
        b"HTTP/1.0 200 OK\r\n\r\nhello",
        b"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        whole(b"hello", b"Connection: close"),
    ],
)
async def test_an_answer_that_ends_its_connection_is_read_to_the_end(answer: bytes) -> None:
    """And the next request has another connection."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(answer)

    async with raw(respond) as server, Client(1.0) as client:
        assert [await asked(client, server.url) for _ in range(2)] == [b"hello"] * 2
        assert server.connections == 2


async def test_what_a_server_says_beforehand_is_passed_over() -> None:
    """RFC 9110, section 15.2."""
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
    async with raw(always(early + whole(b"ok"))) as server, Client(1.0) as client:
        assert [await asked(client, server.url) for _ in range(2)] == [b"ok"] * 2
        assert server.connections == 1


async def test_an_answer_without_a_body_is_one() -> None:
    """204 has none, whatever else it says."""
    answer = b"HTTP/1.1 204 No Content\r\n\r\n"
    async with raw(always(answer)) as server, Client(1.0) as client:
        for _ in range(2):
            opened = await begun(client, server.url)
            assert (opened.status, await opened.read(0)) == (204, b"")
        assert server.connections == 1


@pytest.mark.parametrize("rest", [whole(b"two"), b"HT", b"xyz"], ids=["answer", "half", "garbage"])
async def test_what_comes_after_an_answer_is_nobodys(rest: bytes) -> None:
    """The first is taken, and the connection is not used again."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(whole(b"one") + rest)
        await conversation.gone()

    async with raw(respond) as server, Client(1.0) as client:
        assert [await asked(client, server.url) for _ in range(2)] == [b"one"] * 2
        assert server.connections == 2


async def test_a_server_that_talks_unasked_is_hung_up_on() -> None:
    """What it said cannot be taken for the next answer."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(whole(b"one"))
        await released.wait()
        await conversation.say(whole(b"two"))
        await conversation.gone()

    released = asyncio.Event()
    async with raw(respond) as server, Client(1.0) as client:
        assert await asked(client, server.url) == b"one"
        released.set()
        await server.ended.wait()
        assert await asked(client, server.url) == b"one"


async def test_a_connection_that_a_server_has_closed_is_not_used() -> None:
    """The next request finds another, and nothing is lost."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(whole(b"ok"))

    async with raw(respond) as server, Client(1.0) as client:
        for _ in range(3):
            assert await asked(client, server.url) == b"ok"
            await server.ended.wait()
            server.ended.clear()
            # What is closed by then is heard of.
            await turns()


@pytest.mark.parametrize(("body", "times"), [(b"{}", 2), (None, 3)], ids=["POST", "GET"])
async def test_only_what_changes_nothing_is_sent_again(body: bytes | None, times: int) -> None:
    """A kept connection that breaks before an answer may have brought the request."""

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(whole(b"ok"))
        if conversation.number == 0:
            await conversation.request()

    async with raw(respond) as server, Client(1.0) as client:
        assert await asked(client, server.url, body) == b"ok"
        if body is None:
            assert await asked(client, server.url, body) == b"ok"
        else:
            with pytest.raises(Cut):
                await asked(client, server.url, body)
        assert len(server.seen) == times


async def test_an_answer_before_the_end_of_a_request_ends_the_connection() -> None:
    """The rest of the request would be taken for the next one."""

    async def respond(conversation: Conversation) -> None:
        await conversation.reader.readuntil(b"\r\n\r\n")
        await conversation.say(whole(b"too much"))
        await conversation.gone()

    async with raw(respond) as server, Client(1.0) as client:
        assert await asked(client, server.url, b"x" * 2**25) == b"too much"
        assert await asked(client, server.url, b"x" * 2**25) == b"too much"
        assert server.connections == 2


@pytest.mark.parametrize(
    ("coding", "packed"),
    [
        (b"gzip", gzip.compress(b"hello" * 50_000)),
        (b"deflate", zlib.compress(b"hello" * 50_000)),
        (b"deflate", zlib.compress(b"hello" * 50_000)[2:-4]),
        (b"identity", b"hello" * 50_000),
    ],
)
async def test_a_packed_answer_is_unpacked(coding: bytes, packed: bytes) -> None:
    """Some servers pack whatever they are told."""
    answer = whole(packed, b"Content-Encoding: " + coding)
    async with raw(always(answer)) as server, Client(1.0) as client:
        assert await asked(client, server.url) == b"hello" * 50_000


@pytest.mark.parametrize("coding", [b"gzip", b"deflate"])
async def test_a_bomb_is_not_unpacked_beyond_what_is_taken(coding: bytes) -> None:
    """A megabyte may stand for a gigabyte."""
    bomb = zlib.compress(bytes(2**26), wbits=31 if coding == b"gzip" else 15)
    answer = whole(bomb, b"Content-Encoding: " + coding)
    async with raw(always(answer)) as server, Client(1.0) as client:
        with pytest.raises(TooLarge):
            await asked(client, server.url)


async def test_a_packed_stream_lets_others_run() -> None:
    """However much a few bytes unpack to."""
    packed = gzip.compress(bytes(2**26))
    answer = whole(packed, b"Content-Encoding: gzip")
    async with raw(always(answer)) as server, Client(1.0) as client, asyncio.TaskGroup() as group:
        opened = await begun(client, server.url)
        waiting = group.create_task(asyncio.sleep(0))
        size = 0
        async for piece in opened.pieces():
            size += len(piece)
            assert waiting.done() or size < 2**20
        assert size == 2**26
        opened.leave()


@pytest.mark.parametrize("coding", [b"gzip", b"br"])
async def test_what_cannot_be_unpacked_is_no_answer(coding: bytes) -> None:
    """Half of a packed body, or a coding that nobody knows."""
    answer = whole(gzip.compress(b"hello")[:-4], b"Content-Encoding: " + coding)
    async with raw(always(answer)) as server, Client(1.0) as client:
        with pytest.raises(Cut):
            await asked(client, server.url)


@pytest.mark.parametrize("length", [True, False])
async def test_an_answer_is_not_read_beyond_what_is_taken(*, length: bool) -> None:
    """Whether or not it says how long it is."""
    body = b"x" * 3_000_000
    answer = whole(body) if length else b"HTTP/1.1 200 OK\r\n\r\n" + body
    async with raw(always(answer)) as server, Client(1.0) as client:
        with pytest.raises(TooLarge):
            await asked(client, server.url)


async def test_a_large_answer_comes_whole() -> None:
    """Much more than is held at a time."""
    body = bytes(range(256)) * 40_000
    async with raw(always(whole(body))) as server, Client(1.0) as client:
        for _ in range(2):
            assert await asked(client, server.url, most=len(body)) == body
        assert server.connections == 1


async def test_a_slow_reader_makes_the_server_wait() -> None:
    """What is not read is not held either."""
    size, count = 2**20, 64
    taken = asyncio.Event()

    async def respond(conversation: Conversation) -> None:
        await conversation.request()
        await conversation.say(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (size * count))
        for _ in range(count):
            await conversation.say(b"x" * size)
        taken.set()

    async with raw(respond) as server, Client(1.0) as client:
        answer = await begun(client, server.url)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await taken.wait()
        total = 0
        async for piece in answer.pieces():
            total += len(piece)
        assert total == size * count
        answer.leave()


async def test_a_thousand_at_once_get_each_their_own() -> None:
    """All are under way before the first is answered."""
    everybody = asyncio.Barrier(MANY)

    async def respond(conversation: Conversation) -> None:
        body = await conversation.request()
        await everybody.wait()
        await conversation.say(whole(body))

    async with raw(respond) as server, Client(20.0) as client:
        sent = [b"%d" % number for number in range(MANY)]
        assert await asyncio.gather(*(asked(client, server.url, body) for body in sent)) == sent
        assert server.connections == MANY


async def test_an_idle_connection_is_closed_before_its_server_would() -> None:
    """The mesh's own servers wait five seconds."""
    async with raw(always(whole(b"ok"))) as server, Client(1.0) as client:
        assert await asked(client, server.url) == b"ok"
        async with asyncio.timeout(4.9):
            await server.ended.wait()


@pytest.mark.parametrize("value", [b"a\r\n b", b"a\rb", b"a\0b", "å".encode(), b"\xff"])
async def test_a_header_that_comes_can_go_back(value: bytes) -> None:
    """A session's id does: as the bytes that it was, and without what ends a header."""
    async with raw(always(whole(b"", b"X-Id: " + value))) as server, Client(1.0) as client:
        try:
            answer = await begun(client, server.url)
        except Cut:
            # Reading may be stricter still.
            return
        again = message_of(head_of("GET", server.url, {"X-Id": answer.header("x-id")}), None)
        told = again.partition(b"X-Id: ")[2].partition(b"\r\n")[0]
        assert told.translate(None, b" ") == value.translate(None, b" \r\n\0")


@pytest.mark.parametrize("value", ["a\r\nb: c", "a\nb", "a\0b", "a\rb"])
def test_a_header_cannot_hold_another(value: str) -> None:
    """Whoever wrote the value writes no header of ours."""
    url = URL("http://host/mcp")
    with pytest.raises(ValueError, match="line end"):
        head_of("POST", url, {"X-Given": value})


def test_a_header_is_sent_once_however_it_is_written() -> None:
    """What is given for each request stands in place of what is given for all."""
    url = URL("http://host/mcp")
    said = head_of("POST", url, {"accept": "a", "X-Own": "b", "Accept": "c", "host": "d"})
    assert said.lower().count("accept: ") == 1
    assert "Accept: c\r\n" in said
    assert said.lower().count("host: ") == 1


def test_credentials_of_a_url_are_a_header_unless_one_is_given() -> None:
    """RFC 7617; they are part of no request line."""
    url = URL("http://host/mcp").with_user("me").with_password("secret")
    said = message_of(head_of("GET", url, {}), None)
    assert b"Authorization: Basic bWU6c2VjcmV0\r\n" in said
    assert b"me:secret" not in said
    given = message_of(head_of("GET", url, {"authorization": "Bearer x"}), None)
    assert given.lower().count(b"authorization") == 1
