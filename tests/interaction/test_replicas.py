"""Several replicas of one server: load over all, away from those that fail, no write twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from aiohttp import web

from tests.interaction.guarding import calls, code, standing
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Answer, Json, Scripted, cut, ok, result, running
from tests.interaction.wire import call_modern
from trunkline_shared.testing.serving import free_socket

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def three(answer: Answer = ok) -> AsyncIterator[tuple[list[Scripted], list[str]]]:
    """Run three replicas; yields them and their URLs."""
    servers = [Scripted(answer=answer) for _ in range(3)]
    async with AsyncExitStack() as stack:
        yield servers, [await stack.enter_async_context(running(one)) for one in servers]


@asynccontextmanager
async def before(urls: list[str]) -> AsyncIterator[Mesh]:
    """Run a router in front of replicas of the server `github`."""
    entry = {"urls": [f"{url}/mcp" for url in urls], "breaker": {"failures": 100}}
    async with routing({"github": urls[0]}, configured={"servers": {"github": entry}}) as mesh:
        yield mesh


def nowhere() -> str:
    """Return a URL at which nobody listens."""
    with free_socket() as taken:
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


async def broken(http: web.Request, request: Json) -> web.StreamResponse:
    return web.Response(status=503)


@pytest.mark.requirement("gateway.replicas")
async def test_calls_are_spread_over_all() -> None:
    """In turn, where none has more to do than another."""
    async with three() as (servers, urls), before(urls) as mesh:
        assert await calls(mesh, "act", 9) == ["ok"] * 9
        assert [len(one.calls) for one in servers] == [3, 3, 3]
        shown = (await standing(mesh, "github"))["replicas"]
        assert [one["url"] for one in shown] == [f"{url}/mcp" for url in urls]
        assert all(one["available"] and one["in_flight"] == 0 for one in shown)


@pytest.mark.requirement("gateway.replicas")
async def test_the_one_with_the_fewest_calls_gets_the_next() -> None:
    """A replica that hangs gets no more than its share."""
    hold, begun = asyncio.Event(), asyncio.Event()

    async def hangs(http: web.Request, request: Json) -> web.StreamResponse:
        begun.set()
        await hold.wait()
        return await ok(http, request)

    slow, quick = Scripted(answer=hangs), Scripted()
    async with (
        asyncio.timeout(20),
        running(slow) as slow_url,
        running(quick) as quick_url,
        before([slow_url, quick_url]) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        first = [tasks.create_task(call_modern(mesh.port, "act")) for _ in range(2)]
        await begun.wait()
        assert await calls(mesh, "act", 5) == ["ok"] * 5
        assert len(slow.calls) == 1
        hold.set()
        assert Counter([code(await one) for one in first]) == {"ok": 2}


@pytest.mark.requirement("gateway.replicas")
@pytest.mark.parametrize("name", ["act", "write"])
async def test_a_replica_that_refuses_is_left_out(name: str) -> None:
    """Nothing was sent to it, so that writes go to another as well; status says which."""
    async with three() as (servers, urls), before([nowhere(), *urls]) as mesh:
        assert await calls(mesh, name, 8) == ["ok"] * 8
        assert sum(len(one.calls) for one in servers) == 8
        gone, *well = (await standing(mesh, "github"))["replicas"]
        assert gone["available"] is False
        assert gone["retry_in_s"] > 0
        assert all(one["available"] for one in well)


@pytest.mark.requirement("gateway.replicas")
async def test_when_all_refuse_the_call_fails_and_the_next_one_tries_again() -> None:
    """A replica that is left out is not lost."""
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(running(Scripted())) for _ in range(2)]
        async with before(urls) as mesh:
            await stack.aclose()
            assert await calls(mesh, "act", 1) == ["NETWORK_ERROR"]
            async with running(Scripted(), int(urls[1].rpartition(":")[2])):
                assert await calls(mesh, "act", 2) == ["ok", "ok"]


@pytest.mark.requirement("gateway.replicas")
@pytest.mark.parametrize("answer", [cut, broken])
async def test_a_read_that_failed_is_asked_of_another_once(answer: Answer) -> None:
    """A write is not: nobody knows whether it has happened."""
    bad, good = Scripted(answer=answer), Scripted()
    async with (
        running(bad) as bad_url,
        running(good) as good_url,
        before([bad_url, good_url]) as mesh,
    ):
        assert await calls(mesh, "act", 4) == ["ok"] * 4
        assert len(good.calls) == 4
        assert len(bad.calls) >= 1
    bad.calls.clear()
    both = [Scripted(answer=answer), Scripted(answer=answer)]
    async with (
        running(both[0]) as one_url,
        running(both[1]) as other_url,
        before([one_url, other_url]) as mesh,
    ):
        assert code(await call_modern(mesh.port, "write")) != "ok"
        assert sum(len(one.calls) for one in both) == 1
        assert code(await call_modern(mesh.port, "act")) != "ok"
        assert sum(len(one.calls) for one in both) == 3


@pytest.mark.requirement("gateway.replicas")
async def test_an_answer_to_a_question_goes_to_the_replica_that_asked() -> None:
    """What it holds for that may be in its memory alone."""

    async def asks(http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        own = f"state of {http.url.port}"
        if "requestState" in params:
            assert params["requestState"] == own
            return await ok(http, request)
        return result(request, {"resultType": "input_required", "requestState": own})

    async with three(asks) as (_, urls), before(urls) as mesh:
        for _ in range(4):
            asked = await call_modern(mesh.port, "act")
            state = asked.result["requestState"]
            answered = await call_modern(mesh.port, "act", requestState=state, inputResponses={})
            assert code(answered) == "ok"
