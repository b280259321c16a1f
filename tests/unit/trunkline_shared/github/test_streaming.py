"""A body that flows: tokens, limits and retries as for any request, and nothing half taken."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import pytest

from tests.unit.trunkline_shared.github.test_opening import LIMITED, UNAUTHORIZED, Tokens
from tests.unit.trunkline_shared.http.scripted import Answer, Vendor, vendor
from trunkline_shared.errors import InvalidInput, NetworkError, NotFound, RateLimited
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.reading import checked
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

BODY = b"0123456789" * 20_000
WHOLE = Answer(body=BODY)
HALF = Answer(body=BODY, cut_at=len(BODY) // 2)
LOG: Endpoint[Response] = Endpoint(
    request=Request(method="GET", path="/log", template="/log"), read=checked, repeatable=True
)


@dataclass
class Collected:
    """Holds all it is fed; a real sink would not."""

    chunks: list[bytes] = field(default_factory=list)

    def feed(self, chunk: bytes) -> bool:
        self.chunks.append(chunk)
        return True

    def result(self) -> bytes:
        return b"".join(self.chunks)


@asynccontextmanager
async def github(
    *answers: Answer, tokens: Tokens | None = None, concurrency: int = 10
) -> AsyncIterator[tuple[GitHub, Vendor]]:
    async with vendor(*answers) as there:
        clock = FakeClock()
        settings = GitHubSettings(github_api_url=there.url, github_concurrency=concurrency)
        opened = open_github(
            settings, in_process_store(clock), tokens=tokens or Tokens(), clock=clock
        )
        async with opened as client:
            with anyio.fail_after(10):
                yield client, there


async def test_a_body_flows_into_a_sink() -> None:
    """What the sink makes of it is the answer; the request is like any other."""
    async with github(WHOLE) as (client, there):
        assert await client.stream(LOG, Collected) == BODY
    (seen,) = there.seen
    assert seen.headers["authorization"] == "Bearer one"
    assert seen.headers["x-github-api-version"] == "2022-11-28"


@pytest.mark.requirement("github.retry")
async def test_each_attempt_has_a_sink_of_its_own() -> None:
    """Half a body is thrown away with its sink, and the whole is read from its start."""
    sinks: list[Collected] = []

    def begin() -> Collected:
        sinks.append(Collected())
        return sinks[-1]

    async with github(HALF, HALF, WHOLE) as (client, there):
        assert await client.stream(LOG, begin) == BODY
    assert len(there.seen) == len(sinks) == 3
    assert 0 < len(sinks[0].result()) < len(BODY)


async def test_a_body_that_always_breaks_off_is_a_failure() -> None:
    """After three attempts; what came of the half is told to nobody."""
    async with github(HALF) as (client, there):
        with pytest.raises(NetworkError):
            await client.stream(LOG, Collected)
    assert len(there.seen) == 3


async def test_a_refused_token_is_renewed_before_the_body_flows() -> None:
    """The refusal's own body goes to no sink."""
    tokens = Tokens(("one", "two"))
    async with github(UNAUTHORIZED, WHOLE, tokens=tokens) as (client, there):
        assert await client.stream(LOG, Collected) == BODY
    assert [seen.headers["authorization"] for seen in there.seen] == ["Bearer one", "Bearer two"]


async def test_a_limit_closes_its_window_for_streams_too() -> None:
    """The second one is not sent."""
    async with github(LIMITED) as (client, there):
        for _ in range(2):
            with pytest.raises(RateLimited):
                await client.stream(LOG, Collected)
    assert len(there.seen) == 1


async def test_a_failure_is_read_from_its_body() -> None:
    """By the endpoint's reader, as for any other request."""
    async with github(Answer(status=404, body=b'{"message":"no such log"}')) as (client, _):
        with pytest.raises(NotFound, match="no such log"):
            await client.stream(LOG, Collected)


async def test_nothing_of_a_stream_is_remembered() -> None:
    """A later request is not conditional: there is no copy that a 304 could confirm."""
    async with github(Answer(body=b"x", headers={"ETag": '"1"'})) as (client, there):
        for _ in range(2):
            assert await client.stream(LOG, Collected) == b"x"
    assert all("if-none-match" not in seen.headers for seen in there.seen)


async def test_streams_take_their_places_like_other_requests() -> None:
    """No more at a time than the credential may have; a place is free again after a failure."""

    class Refusing(Collected):
        def feed(self, chunk: bytes) -> bool:
            raise InvalidInput("not this")

    async with github(WHOLE, concurrency=1) as (client, there):
        with pytest.raises(InvalidInput, match="not this"):
            await client.stream(LOG, Refusing)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(4):
                tasks.create_task(client.stream(LOG, Collected))
    assert there.most_at_once == 1
    assert len(there.seen) == 5
