"""Whoever shows a job token is held to what it binds; a token that does not hold is refused."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import jwt
import pytest

from tests.interaction.contexts import comment_tools, pull_request_tools
from tests.interaction.delegating import SECRET, granted, tokens_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import Reply, legacy, modern, modern_headers, post

pytestmark = pytest.mark.anyio


@pytest.fixture
async def comment() -> Scripted:
    """A server with a resource and a prompt."""
    return Scripted(
        tools=comment_tools(),
        resources=[{"uri": "note://1", "name": "note"}],
        prompts=[{"name": "ask"}],
    )


@pytest.fixture
async def mesh(comment: Scripted) -> AsyncIterator[Mesh]:
    """A router before two of the review servers."""
    ci = Scripted(tools=pull_request_tools("get_ci", "rerun"))
    async with (
        running(comment) as one,
        running(ci) as two,
        routing({"github_comment": one, "github_ci": two}, secret=SECRET) as made,
    ):
        yield made


async def ask(
    mesh: Mesh, bearer: str, method: str, params: Json | None = None, *, path: str = "/mcp"
) -> Reply:
    """Ask as a modern client with a bearer."""
    given = params or {}
    name = given.get("name") or given.get("uri")
    headers = modern_headers(method, None if name is None else str(name))
    headers["Authorization"] = f"Bearer {bearer}"
    return await post(mesh.port, modern(method, given), headers, path)


def minted(mesh: Mesh, **bound: Any) -> str:
    return tokens_of(mesh).minted(granted(depth=0, **bound))


@pytest.mark.requirement("router.delegation-narrow")
async def test_lists_under_a_token_are_those_of_its_context(mesh: Mesh) -> None:
    """Bound parameters vanish, what needs more is left out, and the list is nobody else's."""
    whole = await ask(mesh, "no-job-token", "tools/list")
    assert {"get_ci", "create_label"} <= {each["name"] for each in whole.result["tools"]}
    bound = await ask(mesh, minted(mesh, owner="acme", repo="widgets"), "tools/list")
    schemas = {each["name"]: each["inputSchema"] for each in bound.result["tools"]}
    assert "get_ci" not in schemas
    assert "owner" not in schemas["create_label"]["properties"]
    assert bound.result["cacheScope"] == "private"
    pull = await ask(mesh, minted(mesh, owner="acme", repo="widgets", pr_number=12), "tools/list")
    assert "create_label" not in {each["name"] for each in pull.result["tools"]}
    told = await ask(mesh, minted(mesh, owner="acme", pr_number=12), "server/discover")
    assert "bound to owner acme, pr_number 12" in told.result["instructions"]


@pytest.mark.requirement("router.delegation-narrow", "bridge.no-relay")
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "list_comments", "arguments": {}}),
        ("resources/read", {"uri": "note://1"}),
        ("prompts/get", {"name": "ask"}),
    ],
)
async def test_whatever_is_asked_under_a_token_is_bound(
    mesh: Mesh, comment: Scripted, method: str, params: Json
) -> None:
    """Calls, reads and prompts carry the binding to their server."""
    reply = await ask(mesh, minted(mesh, owner="acme", pr_number=12), method, params)
    assert reply.status == 200
    sent = comment.calls[-1]["params"]
    assert isinstance(sent, dict)
    bound = {"owner": "acme", "pr_number": 12, "issue_number": 12}
    assert sent["_meta"]["dev.trunkline/bind"] == bound
    assert "authorization" not in comment.headers[-1]


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_url_narrows_a_token_further_and_cannot_change_it(
    mesh: Mesh, comment: Scripted
) -> None:
    """Equal is fine in any spelling, more is added, another value is refused with both."""
    token = minted(mesh, owner="acme", pr_number=12)
    call: Json = {"name": "list_comments", "arguments": {}}
    more = await ask(mesh, token, "tools/call", call, path="/mcp?owner=ACME&repo=widgets")
    assert more.status == 200
    sent = comment.calls[-1]["params"]
    assert isinstance(sent, dict)
    assert sent["arguments"] == {"owner": "acme", "repo": "widgets", "issue_number": 12}
    for path in ("/mcp?pr_number=13", "/mcp?issue_number=13", "/mcp?owner=evil"):
        for method in ("tools/call", "tools/list"):
            refused = await ask(mesh, token, method, call, path=path)
            assert refused.status == 403
            assert "not the token's" in refused.error["message"]


def expired(mesh: Mesh) -> str:
    return tokens_of(mesh).minted(granted(seconds=-0.1))


def forged(mesh: Mesh) -> str:
    return tokens_of(mesh, secret="another-secret-of-someone").minted(granted())


def changed(mesh: Mesh) -> str:
    head, body, signature = minted(mesh, pr_number=12).split(".")
    other = minted(mesh, pr_number=13).split(".")[1]
    assert other != body
    return f"{head}.{other}.{signature}"


def unsigned(mesh: Mesh) -> str:
    claims = jwt.decode(minted(mesh), options={"verify_signature": False})
    return jwt.encode(claims, "", "none", headers={"typ": "trunkline-job+jwt"})


def of_another_mesh(mesh: Mesh) -> str:
    elsewhere = Mesh(url="https://trunkline.example", catalog=mesh.catalog, spans=[])
    return tokens_of(elsewhere).minted(granted())


@pytest.mark.requirement("router.delegation-narrow")
@pytest.mark.parametrize("made", [expired, forged, changed, unsigned, of_another_mesh])
async def test_a_token_that_does_not_hold_is_refused_whatever_is_asked(
    mesh: Mesh, made: Callable[[Mesh], str], comment: Scripted
) -> None:
    """HTTP 401 in both eras and in a batch, with what is wrong; nothing reaches a server."""
    bearer = made(mesh)
    call: Json = {"name": "list_comments", "arguments": {}}
    for method, params in (("tools/call", call), ("tools/list", None), ("server/discover", None)):
        reply = await ask(mesh, bearer, method, params)
        assert reply.status == 401
        challenge = reply.headers["www-authenticate"]
        assert challenge.startswith('Bearer error="invalid_token", error_description="')
        assert reply.error["data"] == {"reason": "invalid_token"}
        assert "token" in reply.error["message"]
        assert bearer not in reply.body.decode()
    headers = {"Content-Type": "application/json", "Authorization": f"bearer {bearer}"}
    old = await post(mesh.port, legacy("tools/call", call), headers)
    batch = await post(mesh.port, b"[" + legacy("tools/list") + b"]", headers)
    assert (old.status, batch.status) == (401, 401)
    assert comment.calls == []


@pytest.mark.parametrize("bearer", ["", "x", "a.b.c", "eyJhbGciOiJIUzI1NiJ9.e30.x", "é", "tl_a_b"])
async def test_a_bearer_that_is_no_job_token_changes_nothing_on_loopback(
    mesh: Mesh, bearer: str
) -> None:
    """As without one."""
    reply = await ask(mesh, bearer.encode().decode("latin-1"), "tools/list")
    assert reply.status == 200


async def test_older_secrets_of_the_list_still_verify(comment: Scripted) -> None:
    """The newest signs; a token of the one before is good until it ends."""
    async with (
        running(comment) as url,
        routing({"github_comment": url}, secret=f"the-newest-of-all-secrets,{SECRET}") as mesh,
    ):
        reply = await ask(mesh, minted(mesh, owner="acme"), "tools/list")
    assert reply.status == 200


async def test_without_a_secret_each_router_has_its_own(comment: Scripted) -> None:
    """A token of another process is worth nothing."""
    async with running(comment) as url, routing({"github_comment": url}) as mesh:
        reply = await ask(mesh, minted(mesh), "tools/list")
    assert reply.status == 401


async def test_a_subscription_ends_with_its_token(mesh: Mesh) -> None:
    """Who listens longer hears why it is over."""
    bearer = tokens_of(mesh).minted(granted(seconds=0.5, depth=0))
    params: Json = {"notifications": {"toolsListChanged": True}}
    headers = modern_headers("subscriptions/listen") | {"Authorization": f"Bearer {bearer}"}
    reply = await post(mesh.port, modern("subscriptions/listen", params), headers)
    assert b"The token has expired" in reply.body
