"""How much one caller may do, over every way to ask, and what it hears beyond that."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import pytest
from aiohttp import web

from tests.interaction import keys
from tests.interaction.delegating import SECRET, granted, tokens_of
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.upstreams import Json, ok
from tests.interaction.wire import failure
from tests.redis_process import running_redis
from trunkline_shared.clock import SystemClock
from trunkline_shared.store.opening import open_store

pytestmark = pytest.mark.anyio

READ = ("list_comments", {"issue_number": 1})
FEW = keys.entry("few", scopes=["tools", "contexts"], rate={"per_minute": 3})
WRITER = keys.entry("writer", rate={"per_minute": 100, "writes_per_minute": 1})
ONE = keys.entry("one", rate={"concurrent": 1})


@pytest.fixture
async def here() -> AsyncIterator[Ruled]:
    """A router that knows these keys."""
    async with ruled(FEW, WRITER, ONE) as made:
        yield made


async def read(here: Ruled, key: str) -> Json:
    """Call a read; return the error, or nothing."""
    reply = await here.call(key, READ[0], **READ[1])
    return dict(failure(reply)) if reply.result["isError"] else {}


@pytest.mark.requirement("gateway.caller-limits")
async def test_beyond_its_minute_a_caller_hears_when_to_come_back(here: Ruled) -> None:
    """gateways.md 3.G 29: RATE_LIMITED with the moment; nothing is sent, others go on."""
    for _ in range(3):
        assert await read(here, "few") == {}
    before = SystemClock().now()
    error = await read(here, "few")
    assert error["error_code"] == "RATE_LIMITED"
    assert error["retryable"] is True
    wait = error["retry_after"]
    assert isinstance(wait, int)
    assert 1 <= wait <= 20
    details = error["details"]
    assert isinstance(details, dict)
    limit = details["limit"]
    reset_at = datetime.fromisoformat(limit.pop("reset_at")).timestamp()
    assert before - 1 <= reset_at <= before + 25
    assert limit == {
        "scope": "caller", "of": "calls", "per": "minute", "allowed": 3, "remaining": 0,
    }  # fmt: skip
    assert len(here.comment.calls) == 3
    assert await read(here, "admin") == {}


@pytest.mark.requirement("gateway.caller-limits")
async def test_lists_and_discovery_are_not_counted(here: Ruled) -> None:
    """Nor is a name that is unknown; prompts and resources are calls like any other."""
    for _ in range(5):
        assert (await here.ask("few", "tools/list")).status == 200
        assert (await here.ask("few", "server/discover")).status == 200
        assert (await here.call("few", "no_such_tool")).status == 400
    assert (await here.ask("few", "prompts/get", name="ask")).status == 200
    assert (await here.ask("few", "resources/read", uri="note://1")).status == 200
    assert await read(here, "few") == {}
    assert (await read(here, "few"))["error_code"] == "RATE_LIMITED"
    refused = await here.ask("few", "prompts/get", name="ask")
    assert refused.error["data"]["error_code"] == "RATE_LIMITED"


@pytest.mark.requirement("gateway.caller-limits")
async def test_writes_have_a_lower_limit_of_their_own(here: Ruled) -> None:
    """A write that is refused costs the reads nothing."""
    write = {"issue_number": 1, "body": "x"}
    first = await here.call("writer", "create_comment", **write)
    assert first.result["isError"] is False
    second = failure(await here.call("writer", "create_comment", **write))
    assert second["error_code"] == "RATE_LIMITED"
    details = second["details"]
    assert isinstance(details, dict)
    assert details["limit"]["of"] == "writes"
    assert await read(here, "writer") == {}


@pytest.mark.requirement("gateway.caller-limits")
async def test_a_job_tokens_calls_count_for_its_key(here: Ruled) -> None:
    """However many tokens are minted, their key's minute is one."""
    tokens = [await here.token("few") for _ in range(3)]
    for token in tokens:
        assert await read(here, token) == {}
    assert (await read(here, "few"))["error_code"] == "RATE_LIMITED"
    assert (await read(here, tokens[0]))["error_code"] == "RATE_LIMITED"


@asynccontextmanager
async def held(here: Ruled, key: str) -> AsyncIterator[asyncio.Event]:
    """Keep one call of a key open for the block; yields what ends it."""
    began, end = asyncio.Event(), asyncio.Event()
    answer = here.comment.answer

    async def wait(http: web.Request, request: Json) -> web.StreamResponse:
        began.set()
        await end.wait()
        return await ok(http, request)

    here.comment.answer = wait
    async with asyncio.TaskGroup() as tasks:
        call = tasks.create_task(read(here, key))
        async with asyncio.timeout(5):
            await began.wait()
        here.comment.answer = answer
        yield end
        end.set()
        assert await call == {}


@pytest.mark.requirement("gateway.caller-limits")
async def test_beyond_its_calls_at_the_same_time_a_caller_is_refused_at_once(here: Ruled) -> None:
    """OVERLOADED, until one has ended; others are not concerned."""
    async with held(here, "one") as end:
        error = await read(here, "one")
        assert error["error_code"] == "OVERLOADED"
        assert error["retry_after"] == 1
        assert await read(here, "few") == {}
        end.set()
    assert await read(here, "one") == {}


@pytest.mark.requirement("gateway.caller-limits")
async def test_what_a_server_asks_in_a_callers_name_does_not_wait_for_the_call_it_serves(
    here: Ruled,
) -> None:
    """The outer call has the only place; the inner one needs none, and counts in the minute."""
    mark = str(ONE["hash"])[:16]
    grant = replace(granted(depth=1), subject="one", key="one", mark=mark)
    inner = tokens_of(here.mesh, secret=SECRET).minted(grant)
    async with held(here, "one"):
        assert await read(here, inner) == {}


@pytest.mark.requirement("gateway.caller-limits")
async def test_replicas_share_a_callers_minute() -> None:
    """Two routers over one Redis let through what one alone would."""
    answers: list[Json] = []
    with running_redis() as redis:
        async with (
            open_store(redis.settings) as one,
            open_store(redis.settings) as two,
            ruled(FEW, store=one) as first,
            ruled(FEW, store=two) as second,
        ):
            for _ in range(2):
                answers += [await read(first, "few"), await read(second, "few")]
    assert [bool(error) for error in answers] == [False, False, False, True]


@pytest.mark.requirement("gateway.caller-limits")
async def test_a_caller_without_limits_is_not_counted(here: Ruled) -> None:
    """Any number of calls in a row; times on the wire do not grow."""
    results = [await read(here, "admin") for _ in range(30)]
    assert all(one == other == {} for one, other in pairwise(results))
