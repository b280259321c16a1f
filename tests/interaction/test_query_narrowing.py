"""A router that gives no narrower token, or no list: what a query makes of its refusals."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest
from aiohttp import web

from trunkline_bridge.query.narrowing import Narrowing
from trunkline_bridge.query.offer import Offer
from trunkline_bridge.query.patterns import read_patterns
from trunkline_bridge.query.runner import Query
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import TrunklineError
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance

pytestmark = pytest.mark.anyio

QUERY = Query(
    prompt="p",
    tools=read_patterns(["mcp__github__*", "mcp__github_ci__get_ci"]),
    model="m",
    max_turns=3,
    timeout_s=12.3,
)


@dataclass(kw_only=True)
class Counter:
    """A router's pages that answer as a test says; `bodies` are what was asked."""

    status: int = 201
    answer: Any = None
    bodies: list[Any] = field(default_factory=list)

    async def contexts(self, request: web.Request) -> web.Response:
        self.bodies.append(orjson.loads(await request.read()))
        return web.json_response(self.answer, status=self.status)

    async def listed(self, request: web.Request) -> web.Response:
        asked = orjson.loads(await request.read())
        if self.status != 200:
            return web.Response(status=self.status)
        cursor = asked["params"].get("cursor", "0")
        body = {"jsonrpc": "2.0", "id": asked["id"], "result": self.answer[int(cursor)]}
        return web.json_response(body)


@asynccontextmanager
async def counter(here: Counter) -> AsyncIterator[tuple[Asking, Entrance]]:
    """Serve the pages, and enter them."""
    app = web.Application()
    app.router.add_post("/contexts", here.contexts)
    app.router.add_post("/servers/{id}/mcp", here.listed)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/mcp"
    try:
        async with open_http(SystemClock()) as http:
            asking = Asking(http=http, name="test", version="1")
            yield asking, Entrance(url=url, token="wide")
    finally:
        await runner.cleanup()


@pytest.mark.requirement("bridge.query-narrow")
async def test_the_patterns_and_the_time_are_what_is_asked_for() -> None:
    """The way in stays the bridge's own: what the router tells is for clients outside."""
    told = {"token": "narrow", "url": "https://outside.example/mcp", "expires_at": "x"}
    pages = Counter(answer=told)
    async with counter(pages) as (asking, to):
        mesh = await Narrowing(asking=asking).narrowed(to, QUERY)
    assert (mesh.url, mesh.token) == (to.url, "narrow")
    assert pages.bodies == [{"tools": ["mcp__github__*", "mcp__github_ci__get_ci"], "ttl_s": 14}]


@pytest.mark.requirement("bridge.query-narrow")
@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (400, {"error": "The token would have 9999 characters."}, "INVALID_INPUT"),
        (401, {"error": "expired"}, "AUTH_ERROR"),
        (403, {"error": "no", "fix": "ask"}, "AUTH_ERROR"),
        (500, {"error": "x\u202ey"}, "UPSTREAM_UNAVAILABLE"),
        (201, {"token": 7}, "UPSTREAM_UNAVAILABLE"),
        (201, [], "UPSTREAM_UNAVAILABLE"),
    ],
)
async def test_without_a_narrower_token_nothing_is_run(
    status: int, answer: object, code: str
) -> None:
    """Never the wide one in its place."""
    async with counter(Counter(status=status, answer=answer)) as (asking, to):
        with pytest.raises(TrunklineError) as caught:
            await Narrowing(asking=asking).narrowed(to, QUERY)
    assert caught.value.code == code
    assert "wide" not in str(caught.value)
    assert "\u202e" not in caught.value.message


@pytest.mark.requirement("bridge.query-deadline")
@pytest.mark.parametrize(
    ("pages", "may_write"),
    [
        ([{"tools": []}], True),
        ([{"tools": "odd"}], True),
        ([{"tools": [{"name": "get_ci"}]}], True),
        ([{"tools": [{"name": "get_ci", "annotations": {"readOnlyHint": True}}]}], False),
        (
            [
                {"tools": [{"name": "get_ci", "annotations": {"readOnlyHint": True}}],
                 "nextCursor": "1"},
                {"tools": [{"name": "rerun", "annotations": {"readOnlyHint": False}}]},
            ],
            True,
        ),
    ],
)  # fmt: skip
async def test_tools_that_nothing_is_known_of_may_write(pages: Any, may_write: bool) -> None:  # noqa: FBT001 - a table's column
    """Every page is read; a list that cannot be had says nothing of a tool."""
    async with counter(Counter(status=200, answer=pages)) as (asking, to):
        assert await Offer(asking=asking).may_write(to, QUERY) is may_write
    async with counter(Counter(status=502)) as (asking, to):
        assert await Offer(asking=asking).may_write(to, QUERY) is True
