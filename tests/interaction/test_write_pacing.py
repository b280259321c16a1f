"""All GitHub servers of a mesh write at one pace, in one process and in several."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from itertools import pairwise

import pytest
from mcp import Client

from tests.interaction.asking import HERE, failure_of
from tests.interaction.commenting import LIST
from tests.interaction.inline_reviewing import APP
from tests.redis_process import RedisProcess
from trunkline_comment.app import open_server
from trunkline_comment.settings import CommentSettings
from trunkline_inline_review import app as inline_review
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.github.pacing import WritePace
from trunkline_shared.github.tokens.token import token
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.store import Store, in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio


@pytest.fixture
def secret(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the one token that every server has."""
    me = github.state.add_user("helper-bot")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    repository.add_issue("Broken", me)
    repository.add_pull("Mend", me, files=[APP])
    token = github.state.add_token(me, "helper").secret
    monkeypatch.setenv("GITHUB_TOKEN", token)
    return token


@asynccontextmanager
async def client_of(server: AbstractAsyncContextManager[ToolServer]) -> AsyncIterator[Client]:
    """Open a server, serve it, and connect to it."""
    async with server as opened, serving(opened) as url, Client(f"{url}/mcp") as client:
        yield client


def given(github: GitHubStandIn, interval_s: float = 1) -> dict[str, object]:
    """Return the settings of every server here."""
    return {
        "netrc": "/nonexistent",
        "github_api_url": github.url,
        "github_write_interval_s": interval_s,
    }


@asynccontextmanager
async def clients(
    github: GitHubStandIn, stores: Sequence[Store], clock: Clock, interval_s: float = 1
) -> AsyncIterator[list[Client]]:
    """Serve one comment server over each of the stores, and connect to each."""
    settings = load(CommentSettings, given(github, interval_s))
    async with AsyncExitStack() as opened:
        yield [
            await opened.enter_async_context(client_of(open_server(settings, store, clock)))
            for store in stores
        ]


async def write(client: Client, body: str) -> None:
    arguments = {**HERE, "issue_number": 1, "body": body}
    answer = await client.call_tool("create_comment", arguments)
    assert not answer.is_error, answer.content


async def write_all(writers: Sequence[Client], each: int) -> None:
    """Let every server be asked for all its writes at once."""
    async with asyncio.TaskGroup() as tasks:
        for number, client in enumerate(writers):
            for turn in range(each):
                tasks.create_task(write(client, f"{number}, {turn}"))


def posted(github: GitHubStandIn) -> list[object]:
    return [received.json for received in github.requests.matching("POST", LIST)]


@pytest.mark.requirement("github.one-pace")
async def test_two_servers_of_one_process_write_a_second_apart(
    github: GitHubStandIn, secret: str
) -> None:
    """Six writes of two servers take five seconds, one in flight at a time."""
    clock = FakeClock()
    store = in_process_store(clock)
    began = clock.now()
    async with clients(github, [store, store], clock) as both:
        async with asyncio.timeout(10):
            await write_all(both, 3)
    assert len(posted(github)) == 6
    assert clock.slept == [1] * 5
    assert clock.now() - began == 5
    assert github.requests.most_in_flight == 1


async def test_comments_and_inline_comments_keep_one_pace(
    github: GitHubStandIn, secret: str
) -> None:
    """Different servers, different endpoints, one credential."""
    clock = FakeClock()
    store = in_process_store(clock)
    commenting = open_server(load(CommentSettings, given(github)), store, clock)
    settings = load(InlineReviewSettings, given(github))
    reviewing = inline_review.open_server(settings, store, clock)
    inline = {**HERE, "pr_number": 2, "path": APP.path, "body": "why?"}
    async with (
        client_of(commenting) as commenter,
        client_of(reviewing) as reviewer,
        asyncio.timeout(10),
        asyncio.TaskGroup() as tasks,
    ):
        tasks.create_task(write(commenter, "one"))
        tasks.create_task(write(commenter, "two"))
        answers = [
            tasks.create_task(reviewer.call_tool("create_inline_comment", inline | {"line": line}))
            for line in (5, 6)
        ]
    assert not any(answer.result().is_error for answer in answers)
    assert clock.slept == [1] * 3
    assert len(github.requests.matching("POST")) == 4


async def test_a_limit_that_one_server_spent_holds_for_the_other(
    github: GitHubStandIn, secret: str
) -> None:
    """RATE_LIMITED before GitHub says so, and nothing is sent."""
    clock = FakeClock()
    store = in_process_store(clock)
    async with clients(github, [store, store], clock, interval_s=0.001) as (one, other):
        pace = WritePace(store=store, clock=clock, interval_s=0.001)
        for _ in range(79):
            async with pace.turn(token(secret, "a test").account):
                pass
        await write(one, "the 80th")
        arguments = {**HERE, "issue_number": 1, "body": "one too many"}
        failure = failure_of(await other.call_tool("create_comment", arguments))
    assert failure["error_code"] == "RATE_LIMITED"
    assert failure["retry_after"] == 60
    assert failure["details"]["reason"] == "write_pace"
    assert len(posted(github)) == 1


@pytest.mark.requirement("github.one-pace")
async def test_servers_of_several_processes_keep_one_pace_through_redis(
    github: GitHubStandIn, secret: str, redis_process: RedisProcess
) -> None:
    """Each process has a store of its own; Redis holds no token."""
    async with (
        open_store(redis_process.settings) as one,
        open_store(redis_process.settings) as other,
        clients(github, [one, other], SystemClock(), interval_s=0.1) as both,
    ):
        async with asyncio.timeout(10):
            await write_all(both, 3)
    arrived = [received.at for received in github.requests.matching("POST", LIST)]
    assert len(arrived) == 6
    assert arrived[-1] - arrived[0] > 0.3
    (key,) = redis_process.keys()
    assert secret not in key
    starts = redis_process.starts(key.removeprefix("trunkline:1:turns:"))
    assert len(starts) == 6
    assert all(after - before > 0.0999 for before, after in pairwise(starts))


async def test_writes_go_on_without_redis(
    github: GitHubStandIn, secret: str, redis_process: RedisProcess
) -> None:
    """It dies between two writes, and the agent does not notice."""
    async with (
        open_store(redis_process.settings) as store,
        clients(github, [store], SystemClock(), interval_s=0.01) as (client,),
    ):
        await write(client, "before")
        redis_process.kill()
        await write(client, "after")
    assert len(posted(github)) == 2
