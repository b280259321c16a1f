"""What one server was answered by its vendor, the others have confirmed by a 304, for nothing."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.mesh import routing
from tests.redis_process import RedisProcess
from tests.standing_clock import StandingClock
from trunkline_comment.app import open_server
from trunkline_comment.settings import CommentSettings
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn, Issue, Token
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

SERVER = "github_comment"
READ = {"owner": "acme", "repo": "widgets", "issue_number": 1}
PATH = "/repos/acme/widgets/issues/1/comments"


@dataclass(frozen=True, kw_only=True)
class Two:
    """Two servers of one kind, each with a connection of its own to the same Redis."""

    github: GitHubStandIn
    issue: Issue
    token: Token
    urls: tuple[str, ...]

    @property
    def spent(self) -> int:
        """Return how many requests GitHub has counted."""
        return self.token.budget.used

    def asked(self) -> list[bool]:
        """Return of each request for the comments whether it could be answered by a 304."""
        seen = self.github.requests.matching("GET", PATH)
        return ["if-none-match" in one.headers for one in seen]


@pytest.fixture
async def two(
    github: GitHubStandIn, redis_process: RedisProcess, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Two]:
    """Both servers, before an issue with a comment."""
    me = github.state.add_user("helper-bot")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    issue = repository.add_issue("Broken", me)
    issue.add_comment("It is.", me)
    token = github.state.add_token(me, "helper")
    monkeypatch.setenv("GITHUB_TOKEN", token.secret)
    given = {"github_api_url": github.url, "netrc": "/nonexistent", "github_write_interval_s": 0}
    async with AsyncExitStack() as running:
        urls = []
        for _ in range(2):
            store = await running.enter_async_context(open_store(redis_process.settings))
            opened = open_server(load(CommentSettings, given), store, FakeClock())
            server = await running.enter_async_context(opened)
            urls.append(await running.enter_async_context(serving(server)))
        yield Two(github=github, issue=issue, token=token, urls=tuple(urls))


async def comments(client: Client) -> tuple[list[str], bool]:
    """Return the comments that an agent is shown, and whether they were only confirmed."""
    result = await client.call_tool("list_comments", READ)
    assert isinstance(result, CallToolResult)
    shown = result.structured_content
    assert shown is not None, result.content
    return [one["body"] for one in shown["comments"]], shown["source"]["cached"]


@asynccontextmanager
async def agents(*urls: str) -> AsyncIterator[tuple[Client, ...]]:
    """Connect an agent to each address."""
    async with AsyncExitStack() as connected:
        yield tuple([await connected.enter_async_context(Client(f"{url}/mcp")) for url in urls])


@pytest.mark.requirement("cache.shared-answers")
async def test_what_one_server_was_answered_costs_the_other_nothing(two: Two) -> None:
    """Not even the first time; a change is seen at once by both, and paid for once."""
    async with agents(*two.urls) as (one, other):
        assert await comments(one) == (["It is."], False)
        spent = two.spent
        assert await comments(other) == (["It is."], True)
        assert two.spent == spent
        two.issue.add_comment("Mended.", None)
        assert await comments(other) == (["It is.", "Mended."], False)
        assert two.spent == spent + 1
        assert await comments(one) == (["It is.", "Mended."], True)
        assert two.spent == spent + 1
    assert two.asked() == [False, True, True, True]


@pytest.mark.requirement("cache.shared-answers")
async def test_an_answer_that_is_over_is_confirmed_through_any_router(two: Two) -> None:
    """One router's time is up, the other has never asked: neither costs any of the quota."""
    clock = StandingClock()
    async with (
        routing({SERVER: two.urls[0]}, store=in_process_store(clock), clock=clock) as first,
        routing({SERVER: two.urls[1]}, store=in_process_store(clock), clock=clock) as second,
        agents(first.url, second.url) as (one, other),
    ):
        await comments(one)
        spent = two.spent
        await comments(one)
        assert two.asked() == [False]
        clock.advance(16)
        assert await comments(other) == (["It is."], True)
        assert await comments(one) == (["It is."], True)
    assert two.asked() == [False, True, True]
    assert two.spent == spent


@pytest.mark.requirement("cache.shared-answers-away")
async def test_without_redis_each_server_goes_on_with_its_own(
    two: Two, redis_process: RedisProcess
) -> None:
    """No call fails, and what each has been answered itself is confirmed as before."""
    async with agents(*two.urls) as (one, other):
        await comments(one)
        redis_process.kill()
        assert await comments(one) == (["It is."], True)
        assert await comments(other) == (["It is."], False)
        assert await comments(other) == (["It is."], True)


@pytest.mark.requirement("cache.shared-answers-away")
async def test_a_redis_without_room_fails_no_call_and_is_not_called_away(
    two: Two, redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """What there is no room for is not shared."""
    with redis_process.look() as client:
        client.config_set("maxmemory", "1")
    async with agents(*two.urls) as (one, other):
        assert await comments(one) == (["It is."], False)
        assert await comments(other) == (["It is."], False)
    assert "is away" not in caplog.text


@pytest.mark.requirement("cache.shared-answers-secret")
async def test_redis_holds_nothing_secret_beside_what_was_answered(
    two: Two, redis_process: RedisProcess
) -> None:
    """Neither the token nor the address that was asked for stands in a name; all of it ends."""
    async with agents(two.urls[0]) as (one,):
        await comments(one)
    kept = redis_process.keys()
    names = [name for name in kept if "etag" in name]
    assert len(names) == 2
    with redis_process.look() as client:
        for name in names:
            assert name.startswith("trunkline:1:etag:")
            assert "widgets" not in name
            assert 0 < client.pttl(name) <= 2 * 86_400_000
            assert two.token.secret not in str(client.get(name))
