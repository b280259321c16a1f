"""No caller's mistake shuts a healthy server for the others."""

import asyncio

import pytest
from aiohttp import web

from tests.interaction.mesh import routing
from tests.interaction.upstreams import Json, Scripted, ok, running
from tests.interaction.wire import call_modern, modern, modern_headers, post

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("gateway.habits", "bridge.breaker-blame")
async def test_missing_prompt_arguments_open_no_breaker() -> None:
    """The SDK's servers answer them with -32603, as they do a failure of their own."""

    async def answer(http: web.Request, request: Json) -> web.StreamResponse:
        if request["method"] == "tools/call":
            return await ok(http, request)
        error = {"code": -32603, "message": "Missing required arguments: {'name'}"}
        return web.json_response({"jsonrpc": "2.0", "id": request["id"], "error": error})

    foreign = Scripted(answer=answer, prompts=[{"name": "greet"}])
    body = modern("prompts/get", {"name": "greet"})
    headers = modern_headers("prompts/get", "greet")
    async with asyncio.timeout(20), running(foreign) as url, routing({"foreign": url}) as mesh:
        for _ in range(5):
            assert (await post(mesh.port, body, headers)).error["code"] == -32603
        assert (await call_modern(mesh.port, "act")).result["isError"] is False
