"""The two GraphQL queries that the stand-in answers."""

import aiohttp
import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.github import Demo, GitHubStandIn, seed_demo

pytestmark = pytest.mark.anyio

VIEWER = {"query": "query { viewer { login } }"}
NODES = "query($ids: [ID!]!) { nodes(ids: $ids) { id ... on IssueComment { isMinimized } } }"
LIST = "/repos/acme/widgets/issues/1/comments?per_page=100"


async def test_the_viewer_is_the_account_of_the_token(writer: Caller) -> None:
    """Any token may ask; nobody may not."""
    reply = await writer.ask("POST", "/graphql", VIEWER)
    assert (reply.status, reply.json) == (200, {"data": {"viewer": {"login": "demo"}}})
    assert reply.headers["X-RateLimit-Resource"] == "graphql"
    assert (await writer.using("").ask("POST", "/graphql", VIEWER)).status == 401


async def test_minimised_comments_are_found_by_node_id(writer: Caller) -> None:
    """What REST lists can be asked by its `node_id`."""
    comments = (await writer.ask("GET", LIST)).json
    ids = [one["node_id"] for one in comments]
    asked = {"query": NODES, "variables": {"ids": ids}}
    nodes = (await writer.ask("POST", "/graphql", asked)).json["data"]["nodes"]
    told = {node["id"]: node["isMinimized"] for node in nodes}
    assert told == {one["node_id"]: one["minimized"] is not None for one in comments}
    assert sum(told.values()) == 1


async def test_a_node_that_is_missing_or_invisible_is_null_with_an_error(
    github: GitHubStandIn, writer: Caller
) -> None:
    """The rest of the answer is there all the same, in a 200."""
    secret = github.state.add_repository("other/place", private=True)
    alice = github.state.users["alice"]
    hidden = secret.add_issue("Hidden", alice).add_comment("hidden", alice)
    ids = [f"IC_stand{hidden.id:012d}", "IC_none"]
    reply = await writer.ask("POST", "/graphql", {"query": NODES, "variables": {"ids": ids}})
    assert reply.status == 200
    assert reply.json["data"]["nodes"] == [None, None]
    assert [one["type"] for one in reply.json["errors"]] == ["NOT_FOUND"] * 2


async def test_other_queries_are_errors_inside_a_200(writer: Caller) -> None:
    """GraphQL's failures have status 200; a body without a query has 400."""
    other = await writer.ask("POST", "/graphql", {"query": "query { rateLimit { cost } }"})
    assert (other.status, "errors" in other.json, "data" in other.json) == (200, True, False)
    assert (await writer.ask("POST", "/graphql", {})).status == 400


async def test_rest_can_be_silent_about_what_is_minimised(
    github: GitHubStandIn, writer: Caller, demo: Demo
) -> None:
    """Older Enterprise Servers list minimised comments without saying so."""
    github.state.tells_minimized = False
    assert all("minimized" not in one for one in (await writer.ask("GET", LIST)).json)


async def test_an_enterprise_server_has_it_beside_its_rest(session: aiohttp.ClientSession) -> None:
    """REST is under /api/v3, GraphQL at /api/graphql; the log calls it /graphql either way."""
    async with GitHubStandIn(mount="/api/v3") as server:
        token = seed_demo(server.state).token.secret
        root = server.url.removesuffix("/v3")
        caller = Caller(session=session, base=root, token=token)
        assert (await caller.ask("POST", "/graphql", VIEWER)).status == 200
        assert server.requests[0].path == "/graphql"
