"""What Redis answers is read in whatever pieces it comes, and nobody gets another one's answer."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.exceptions import AuthenticationError, NoScriptError, RedisError, ResponseError
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as Unanswered

from tests.unit.trunkline_shared.store.routers import until
from trunkline_shared.store.redis_wire import RedisWire, packed

pytestmark = pytest.mark.anyio

ANSWERS = st.one_of(
    st.binary(max_size=40).map(lambda text: (b"$%d\r\n%b\r\n" % (len(text), text), text)),
    st.integers().map(lambda number: (b":%d\r\n" % number, b"%d" % number)),
    st.just((b"+OK\r\n", b"OK")),
    st.just((b"$-1\r\n", b"")),
    st.just((b"-ERR no\r\n", ResponseError)),
    st.just((b"-NOSCRIPT no\r\n", NoScriptError)),
    st.just((b"-WRONGPASS no\r\n", AuthenticationError)),
)


@asynccontextmanager
async def wired(timeout_s: float = 5) -> AsyncIterator[tuple[RedisWire, socket.socket]]:
    """Yield a connection and its other end."""
    near, far = socket.socketpair()
    loop = asyncio.get_running_loop()
    _, wire = await loop.create_connection(lambda: RedisWire(timeout_s), sock=near)
    try:
        with far:
            far.settimeout(0)
            yield wire, far
    finally:
        wire.close()
        await asyncio.sleep(0)


async def outcome(asked: "asyncio.Future[bytes]") -> object:
    """Return the answer, or the kind of the failure."""
    try:
        return await asked
    except RedisError as error:
        return type(error)


@given(answers=st.lists(ANSWERS, min_size=1, max_size=8), data=st.data())
async def test_answers_come_to_those_who_asked_in_whatever_pieces(
    answers: list[tuple[bytes, object]], data: st.DataObject
) -> None:
    """One after another, also when the first has left."""
    raw = b"".join(said for said, _ in answers)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    async with wired() as (wire, _):
        asked = [wire.ask(b"") for _ in answers]
        left = data.draw(st.integers(0, len(answers)))
        for future in asked[:left]:
            future.cancel()
        for begin, end in zip([0, *cuts], [*cuts, len(raw)], strict=True):
            wire.data_received(raw[begin:end])
        assert [await outcome(one) for one in asked[left:]] == [said for _, said in answers[left:]]
        assert wire.is_open


@pytest.mark.parametrize("said", [b"HTTP/1.1 200 OK\r\n", b"$x\r\n", b"*1\r\n", b"+OK\r\n+OK\r\n"])
async def test_what_is_no_answer_closes_the_connection(said: bytes) -> None:
    """So does an answer that nobody asked for: whose it is cannot be known."""
    async with wired() as (wire, far), asyncio.timeout(5):
        asked = wire.ask(b"question")
        far.sendall(said)
        with suppress(Disconnected):
            await asked
        await until(lambda: not wire.is_open)
        assert await outcome(wire.ask(b"another")) is Disconnected


async def test_what_is_asked_together_is_sent_together() -> None:
    """In order; a question is sent as it is."""
    async with wired() as (wire, far), asyncio.timeout(5):
        asked = [wire.ask(packed(b"GET", key)) for key in (b"a", b"\r\n\xff")]
        expected = b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n*2\r\n$3\r\nGET\r\n$3\r\n\r\n\xff\r\n"
        assert await asyncio.get_running_loop().sock_recv(far, 1000) == expected
        far.sendall(b"$1\r\n1\r\n$1\r\n2\r\n")
        assert await asyncio.gather(*asked) == [b"1", b"2"]


async def test_who_is_not_answered_gives_up_for_all() -> None:
    """The answers behind it could only come later still."""
    async with wired(0.05) as (wire, far), asyncio.timeout(5):
        first = wire.ask(b"first")
        far.sendall(b"+OK\r\n")
        assert await first == b"OK"
        asked = [wire.ask(b"second"), wire.ask(b"third")]
        assert [await outcome(one) for one in asked] == [Unanswered, Unanswered]
        assert not wire.is_open


async def test_a_connection_that_ends_ends_every_question() -> None:
    """At once."""
    async with wired() as (wire, far), asyncio.timeout(5):
        asked = [wire.ask(b"first"), wire.ask(b"second")]
        far.close()
        assert [await outcome(one) for one in asked] == [Disconnected, Disconnected]
