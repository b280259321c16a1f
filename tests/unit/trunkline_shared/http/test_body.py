"""Bodies that are handed on: chunk by chunk, bounded, whole or not at all."""

import gzip
from dataclasses import dataclass, field

import anyio
import pytest

from tests.unit.trunkline_shared.http.scripted import Answer, vendor
from trunkline_shared.errors import InvalidInput, NetworkError, TooLarge, UpstreamTimeout
from trunkline_shared.http.client import open_http
from trunkline_shared.http.outgoing import MIB, Outgoing
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


@dataclass
class Taken:
    """Counts what it takes, and wants no more than `most` bytes."""

    most: int = 1 << 60
    chunks: list[int] = field(default_factory=list)

    def feed(self, chunk: bytes) -> bool:
        self.chunks.append(len(chunk))
        return sum(self.chunks) < self.most


def get(url: str, *, timeout_s: float = 5, body_cap: int = 64 * MIB) -> Outgoing:
    return Outgoing(method="GET", url=url, timeout_s=timeout_s, body_cap=body_cap)


async def test_a_body_is_handed_on_in_small_chunks_and_not_held() -> None:
    """Eight megabytes arrive in pieces; the answer itself holds none of them."""
    taken = Taken()
    async with vendor(Answer(body=b"x" * 8 * MIB)) as there, open_http(FakeClock()) as http:
        response = await http.send(get(there.url), taken.feed)
    assert (response.status, response.body) == (200, b"")
    assert sum(taken.chunks) == 8 * MIB
    assert max(taken.chunks) <= MIB


async def test_a_compressed_body_is_unpacked_step_by_step() -> None:
    """A megabyte that unpacks to a thousand never lies in memory as a whole."""
    packed = gzip.compress(b"\n" * 32 * MIB)
    taken = Taken()
    answer = Answer(body=packed, headers={"Content-Encoding": "gzip"})
    async with vendor(answer) as there, open_http(FakeClock()) as http:
        await http.send(get(there.url), taken.feed)
    assert sum(taken.chunks) == 32 * MIB
    assert max(taken.chunks) <= MIB


async def test_the_cap_counts_what_a_body_unpacks_to() -> None:
    """A bomb is refused, not swallowed."""
    packed = gzip.compress(b"\n" * 8 * MIB)
    answer = Answer(body=packed, headers={"Content-Encoding": "gzip"})
    taken = Taken()
    async with vendor(answer) as there, open_http(FakeClock()) as http:
        with pytest.raises(TooLarge):
            await http.send(get(there.url, body_cap=MIB), taken.feed)
    assert sum(taken.chunks) <= MIB


async def test_a_failure_is_no_body_to_hand_on() -> None:
    """What a vendor says about a failure is read, and nothing of it is taken for the content."""
    taken = Taken()
    async with (
        vendor(Answer(status=404, body=b'{"message":"no"}')) as there,
        open_http(FakeClock()) as http,
    ):
        response = await http.send(get(there.url), taken.feed)
    assert (response.status, response.body, taken.chunks) == (404, b'{"message":"no"}', [])


async def test_the_rest_of_a_body_that_nobody_wants_is_not_read() -> None:
    """The exchange ends well, and early."""
    taken = Taken(most=1)
    async with vendor(Answer(body=b"x" * 32 * MIB)) as there, open_http(FakeClock()) as http:
        assert (await http.send(get(there.url), taken.feed)).status == 200
    assert len(taken.chunks) == 1


async def test_a_body_that_breaks_off_is_a_failure() -> None:
    """What was handed on before must not be taken for all."""
    cut = Answer(body=b"x" * MIB, cut_at=MIB // 2)
    taken = Taken()
    async with vendor(cut) as there, open_http(FakeClock()) as http:
        with anyio.fail_after(5), pytest.raises(NetworkError) as caught:
            await http.send(get(there.url), taken.feed)
    assert caught.value.details["phase"] == "exchange"


async def test_a_body_that_stalls_ends_with_its_time() -> None:
    """The deadline bounds the whole body, not each piece of it."""
    stalled = Answer(body=b"x" * MIB, cut_at=MIB // 2, stall=True)
    async with vendor(stalled) as there, open_http(FakeClock()) as http:
        with anyio.fail_after(5), pytest.raises(UpstreamTimeout):
            await http.send(get(there.url, timeout_s=0.2), Taken().feed)


async def test_what_the_taker_raises_is_the_failure() -> None:
    """A taker may refuse a body in our own words."""

    def refuse(_: bytes) -> bool:
        raise InvalidInput("not this")

    async with vendor(Answer(body=b"x")) as there, open_http(FakeClock()) as http:
        with pytest.raises(InvalidInput, match="not this"):
            await http.send(get(there.url), refuse)


async def test_only_the_last_hop_of_a_redirection_is_handed_on() -> None:
    """The page that announces a redirection is no content; another origin's address is not told."""
    taken = Taken()
    async with vendor(Answer(body=b"log")) as store:
        moved = Answer(status=302, headers={"Location": f"{store.url}/l?sig=s3cret"}, body=b"moved")
        async with vendor(moved) as there, open_http(FakeClock()) as http:
            response = await http.send(get(f"{there.url}/logs"), taken.feed)
    assert taken.chunks == [3]
    assert response.elsewhere
    assert (response.url, response.moved_to) == (f"{there.url}/logs", None)
