"""Any argument of any GitHub tool: a typed answer, and never a request outside the repository."""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_types import CallToolResult, TextContent

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

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
ANY_CALLS = settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
ADDRESS = re.compile(
    r"/repos/acme/widgets(/.*)?|/repositories/\d+/.*|/graphql|/user|/search/issues"
)
TEXTS = st.one_of(
    st.sampled_from([
        "",
        " ",
        ".",
        "..",
        "../../../user",
        "..%2f..%2fuser",
        "a/../../b",
        "\\..\\..",
        "/etc/passwd",
        "?per_page=1#x",
        "x\r\nHost: evil",
        "\x00",
        "\ud800",
        "https://evil.example/",
        "repo:other/secret",
        '" OR repo:other/secret',
        "é" * 300,
        "x" * 70_000,
        "-->",
        "[" * 40,
        "(a+)+$",
        "{}",
        "null",
        "main",
        "src/screws.py",
    ]),
    st.text(max_size=20),
)
NUMBERS = st.one_of(st.sampled_from([1, 2, 3, 0, -1, 2**31, 2**63, 10**30]), st.integers())
GARBAGE = st.one_of(
    st.none(), st.booleans(), NUMBERS, st.floats(), TEXTS, st.lists(TEXTS, max_size=2)
)
BY_TYPE: Mapping[str, st.SearchStrategy[object]] = {
    "boolean": st.booleans(),
    "integer": NUMBERS,
    "number": NUMBERS,
    "object": st.dictionaries(st.sampled_from(["path", "line", "body"]), GARBAGE),
    "string": TEXTS,
}


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[object]:
    """Return values near what a schema asks for, and now and then anything."""
    return st.one_of(near(schema), near(schema), near(schema), GARBAGE)


def near(schema: Mapping[str, Any]) -> st.SearchStrategy[object]:
    """Return values of the schema's type, of every size and content."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([near(one) for one in schema["anyOf"]])
    if schema.get("type") == "array":
        return st.lists(values(schema.get("items", {})), max_size=3)
    return BY_TYPE.get(schema.get("type", ""), GARBAGE)


def arguments(schema: Mapping[str, Any]) -> st.SearchStrategy[dict[str, object]]:
    """Return arguments of a tool in the one repository, anything but these two hostile."""
    properties = {k: v for k, v in schema["properties"].items() if k not in {"owner", "repo"}}
    required = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: values(properties[name]) for name in properties if name in required},
        optional={name: values(properties[name]) for name in properties if name not in required},
    )


def calls(server: str) -> st.SearchStrategy[tuple[str, dict[str, object]]]:
    """Return calls of any tool of a server."""
    path = SNAPSHOTS / f"{server}.json"
    return st.one_of([
        st.tuples(st.just(str(one["name"])), arguments(one["inputSchema"]))
        for one in json.loads(path.read_text(encoding="utf-8"))
    ])


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
@given(call=calls("github_comment"))
@ANY_CALLS
async def test_comments_answer_any_argument_typed_and_within_the_repository(
    comments: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of a comment tool raises or leads elsewhere."""
    await expect_typed_answer(comments, demo, call)


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github_inline_comment"))
@ANY_CALLS
async def test_reviews_answer_any_argument_typed_and_within_the_repository(
    reviews: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of a review tool raises or leads elsewhere."""
    await expect_typed_answer(reviews, demo, call)


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github_ci"))
@ANY_CALLS
async def test_ci_answers_any_argument_typed_and_within_the_repository(
    ci: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of a CI tool raises or leads elsewhere."""
    await expect_typed_answer(ci, demo, call)


@pytest.mark.requirement("github.hostile-arguments")
@given(call=calls("github"))
@ANY_CALLS
async def test_issues_answer_any_argument_typed_and_within_the_repository(
    tracker: ToolServer, demo: GitHubStandIn, call: tuple[str, dict[str, object]]
) -> None:
    """No argument of an issue or pull request tool raises or leads elsewhere."""
    await expect_typed_answer(tracker, demo, call)


def code_of(result: CallToolResult) -> str:
    """Return the failure's code, or OK."""
    if not result.is_error:
        return "OK"
    (block,) = result.content
    assert isinstance(block, TextContent)
    payload = json.loads(block.text)
    assert payload["isError"] is True
    return str(payload["error_code"])
