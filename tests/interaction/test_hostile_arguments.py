"""Any argument of any GitHub tool: a typed answer, and never a request outside the repository."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import unquote

import pytest
from hypothesis import given
from mcp_types import CallToolResult

from tests.interaction.hostile import ANY_CALLS, calls, code_of
from trunkline_ci_status import app as ci_status
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_comment import app as comment
from trunkline_comment.settings import CommentSettings
from trunkline_inline_review import app as inline_review
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_issues import app as issues
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.errors import BY_CODE
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings, load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn, seed_demo

pytestmark = pytest.mark.anyio

ADDRESS = re.compile(
    r"/repos/acme/widgets(/.*)?|/repositories/\d+/.*|/graphql|/user|/search/issues"
)


@asynccontextmanager
async def opened(
    server: Callable[..., AbstractAsyncContextManager[ToolServer]],
    kind: type[Settings],
    github: GitHubStandIn,
) -> AsyncIterator[ToolServer]:
    """Open a server that offers all its tools in front of the demo's GitHub."""
    given: Mapping[str, object] = {
        "github_api_url": github.url,
        "github_write_interval_s": 0,
        "toolsets": "all",
        "enable_writes": "all",
        "netrc": "/nonexistent",
    }
    clock = FakeClock()
    async with server(load(kind, given), in_process_store(clock), clock) as running:
        yield running


@pytest.fixture
def demo(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> GitHubStandIn:
    """The demo's GitHub, asked with a token that may write."""
    monkeypatch.setenv("GITHUB_TOKEN", seed_demo(github.state).token.secret)
    return github


@pytest.fixture
async def comments(demo: GitHubStandIn) -> AsyncIterator[ToolServer]:
    async with opened(comment.open_server, CommentSettings, demo) as running:
        yield running


@pytest.fixture
async def reviews(demo: GitHubStandIn) -> AsyncIterator[ToolServer]:
    async with opened(inline_review.open_server, InlineReviewSettings, demo) as running:
        yield running


@pytest.fixture
async def ci(demo: GitHubStandIn) -> AsyncIterator[ToolServer]:
    async with opened(ci_status.open_server, CiStatusSettings, demo) as running:
        yield running


@pytest.fixture
async def tracker(demo: GitHubStandIn) -> AsyncIterator[ToolServer]:
    async with opened(issues.open_server, IssuesSettings, demo) as running:
        yield running


async def expect_typed_answer(
    server: ToolServer, github: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """Check that the code is one of the closed set, and that no address leaves the repository.

    An INTERNAL_ERROR would be an exception that nobody thought of.
    """
    tool, given = call
    github.requests.clear()
    result = await server.call_tool(tool, {"owner": "acme", "repo": "widgets", **given})
    assert isinstance(result, CallToolResult)
    assert code_of(result) in {"OK", *BY_CODE} - {"INTERNAL_ERROR"}
    for request in github.requests:
        path = request.target.partition("?")[0]
        assert ADDRESS.fullmatch(path), path
        assert not {".", ".."} & {unquote(part) for part in path.split("/")}, path


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github_comment", "owner", "repo"))
@ANY_CALLS
async def test_comments_answer_any_argument_typed_and_within_the_repository(
    comments: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of a comment tool raises or leads elsewhere."""
    await expect_typed_answer(comments, demo, call)


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github_inline_comment", "owner", "repo"))
@ANY_CALLS
async def test_reviews_answer_any_argument_typed_and_within_the_repository(
    reviews: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of a review tool raises or leads elsewhere."""
    await expect_typed_answer(reviews, demo, call)


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github_ci", "owner", "repo"))
@ANY_CALLS
async def test_ci_answers_any_argument_typed_and_within_the_repository(
    ci: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of a CI tool raises or leads elsewhere."""
    await expect_typed_answer(ci, demo, call)


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github", "owner", "repo"))
@ANY_CALLS
async def test_issues_answer_any_argument_typed_and_within_the_repository(
    tracker: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of an issue or pull request tool raises or leads elsewhere."""
    await expect_typed_answer(tracker, demo, call)
