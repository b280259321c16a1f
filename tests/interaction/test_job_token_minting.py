"""`POST /contexts`: a token for one job, never wider than who asks for it; or a reason."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime

import pytest

from tests.interaction import keys
from tests.interaction.mesh import routing
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.upstreams import Json, Scripted, running
from tests.interaction.wire import get
from trunkline_shared.clock import SystemClock

pytestmark = pytest.mark.anyio

ACME = keys.entry(
    "acme",
    scopes=["tools", "contexts"],
    bind={"owner": "acme", "pr_number": 12},
    allow=["mcp__github_c*"],
    deny=["mcp__*__rerun"],
)
PLAIN = keys.entry("plain", scopes=["tools"])
JOB: Json = {"owner": "acme", "repo": "widgets", "pr_number": 12}


@pytest.fixture
async def here() -> AsyncIterator[Ruled]:
    """A router that knows these keys."""
    async with ruled(ACME, PLAIN) as made:
        yield made


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_token_binds_and_narrows_whoever_shows_it(here: Ruled) -> None:
    """It comes with the URL to use it at and its end, an hour from now; nobody may store it."""
    before = SystemClock().now()
    reply = await here.contexts("admin", {"bind": JOB, "tools": ["mcp__github_ci__get_*"]})
    assert reply.status == 201
    assert reply.headers["cache-control"] == "no-store"
    assert set(reply.json) == {"token", "url", "expires_at"}
    assert reply.json["url"] == here.mesh.mcp
    ends = datetime.fromisoformat(reply.json["expires_at"]).astimezone(UTC).timestamp()
    assert before + 3590 < ends < before + 3700
    token = reply.json["token"]
    assert await here.names(token) == {"get_ci", "get_runs"}
    listed = await here.ask(token)
    assert "pr_number" not in listed.result["tools"][0]["inputSchema"]["properties"]
    assert (await here.call(token, "get_ci")).result["isError"] is False
    sent = here.ci.calls[-1]["params"]
    assert isinstance(sent, dict)
    assert sent["arguments"] == JOB
    assert (await here.call(token, "rerun")).error["code"] == -32602
    assert (await here.call(token, "list_comments")).error["code"] == -32602


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_token_has_what_its_key_allows_and_what_it_denies(here: Ruled) -> None:
    """Globs are one more layer; bindings are added to the key's own."""
    token = await here.token("acme", tools=["*"], bind={"repo": "widgets"})
    assert await here.names(token) == {
        "get_ci", "get_runs", "list_comments", "create_comment", "update_comment", "search",
    }  # fmt: skip
    await here.call(token, "get_ci")
    sent = here.ci.calls[-1]["params"]
    assert isinstance(sent, dict)
    assert sent["arguments"] == JOB
    wider = await here.token("acme", tools=["mcp__wiki__*", "mcp__github_ci__rerun"])
    assert await here.names(wider) == set()


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_token_mints_no_other_and_observes_only_if_asked(here: Ruled) -> None:
    """It has the scope `tools`, and `observe` where both asked and held."""
    token = await here.token()
    assert (await here.contexts(token, {})).status == 403
    assert (await get(here.mesh.port, "/status", keys.bearing(token))).status == 403
    seeing = await here.token(scopes=["tools", "observe"])
    assert (await get(here.mesh.port, "/status", keys.bearing(seeing))).status == 200


@pytest.mark.requirement("gateway.job-tokens")
@pytest.mark.parametrize(
    ("key", "body", "said"),
    [
        (
            "acme",
            {"bind": {"pr_number": 13}},
            {"status": 403, "key": "bind.pr_number", "value": 13},
        ),
        ("acme", {"bind": {"issue_number": 13}}, {"status": 403, "key": "bind.issue_number"}),
        ("acme", {"bind": {"owner": "evil"}}, {"status": 403, "error": "owner acme"}),
        ("acme", {"scopes": ["observe"]}, {"status": 403, "key": "scopes"}),
        ("admin", {"bind": {"pr": 12}}, {"error": "'pr_number'"}),
        ("admin", {"bind": {"pr_number": "twelve"}}, {"error": "positive whole number"}),
        ("admin", {"bind": {"pr_number": [1]}}, {"error": "positive whole number"}),
        ("admin", {"bind": []}, {"key": "bind", "fix": '"pr_number": 12'}),
        ("admin", {"tools": []}, {"key": "tools", "fix": "leave tools out"}),
        ("admin", {"tools": ["github_ci.*"]}, {"key": "tools.0", "fix": "mcp__github_ci__*"}),
        ("admin", {"tools": ["x" * 201]}, {"key": "tools.0"}),
        ("admin", {"tools": ["*"] * 65}, {"key": "tools", "fix": "64"}),
        ("admin", {"ttl_s": 0}, {"key": "ttl_s", "value": "0", "fix": "86400"}),
        ("admin", {"ttl_s": 86401}, {"key": "ttl_s", "fix": "86400"}),
        ("admin", {"ttl_s": "long"}, {"key": "ttl_s"}),
        ("admin", {"ttl": 60}, {"key": "ttl", "fix": "ttl_s"}),
        ("admin", {"scopes": ["admin"]}, {"key": "scopes.0"}),
        ("admin", [], {"error": "JSON object"}),
        ("admin", b"{", {"error": "no JSON"}),
        ("admin", b"", {"error": "no JSON"}),
        ("admin", b"[" * 70_000, {"status": 413}),
    ],
)
async def test_what_cannot_be_minted_is_refused_with_key_value_and_fix(
    here: Ruled, key: str, body: object, said: Mapping[str, object]
) -> None:
    """403 for what the caller may not have, 400 for what nobody can."""
    reply = await here.contexts(key, body)
    assert reply.status == said.get("status", 400)
    told = reply.json
    assert {"error", "fix"} <= set(told)
    for name, part in said.items():
        if name in {"error", "fix"}:
            assert str(part) in told[name]
        elif name != "status":
            assert told[name] == part


@pytest.mark.requirement("gateway.job-tokens")
async def test_only_posts_of_those_who_are_known_are_answered(here: Ruled) -> None:
    """GET is 405; nobody is 401 with a challenge."""
    reply = await here.contexts("admin", b"", "GET")
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    lacking = await here.contexts("plain", {})
    assert lacking.status == 403
    assert "scope contexts" in lacking.json["error"]
    nobody = await here.contexts(None, {})
    assert nobody.status == 401
    assert "www-authenticate" in nobody.headers


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_token_may_be_asked_for_where_nobody_needs_one() -> None:
    """On a laptop a job token narrows whoever chooses to show it."""
    server = Scripted()
    async with running(server) as url, routing({"one": url}) as mesh:
        here = Ruled(mesh=mesh, comment=server, ci=server, wiki=server)
        reply = await here.contexts(None, {"tools": ["mcp__one__act"]})
        assert await here.names(reply.json["token"]) == {"act"}
