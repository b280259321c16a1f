"""A thousand calls of all kinds, each one whole trace, joined with what everybody has logged."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.interaction.traced_run import Traced, is_whole, traced_run
from trunkline_shared.testing.github.demo import FULL_NAME
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(150)]

MANY = 1_000
AT_ONCE = 12
FOLLOWERS = 20
WRITES = 23
WRITING = frozenset({"create_comment", "add_jira_comment"})
NOTE = "dev.trunkline/call"
Ask = tuple[str, dict[str, Any]]


def asks(traced: Traced) -> Iterator[Ask]:
    """Yield one call after another; hits are what is left of the thousand."""
    run = next(iter(traced.demo.repository.ci.runs))
    owner, repo = FULL_NAME.split("/")
    note = {"owner": owner, "repo": repo, "issue_number": 2}
    of_each: tuple[Ask, ...] = (
        *(("create_comment", note | {"body": f"Note {n}."}) for n in range(3)),
        *(("add_jira_comment", {"issue_key": "WID-2", "body": f"Note {n}."}) for n in range(20)),
        *(("list_comments", {"issue_number": 1, "per_page": n}) for n in range(1, 41)),
        *(("search_jira", {"jql": f"project = WID AND key != WID-{n}"}) for n in range(10, 30)),
        *(("get_failed_logs", {"run_id": run, "tail_lines": n}) for n in range(10, 16)),
        *(("get_ci_status", {}) for _ in range(20)),
        *(("get_current_branch", {}) for _ in range(20)),
        *(("github_get_issue", {"issue_number": 900 + n}) for n in range(30)),
        *(("list_comments", {"issue_number": "many"}) for _ in range(30)),
        *(("list_comments", {"issue": 1}) for _ in range(20)),
        *(("no_such_tool", {"issue_number": 1}) for _ in range(30)),
        *(("get_jira_issue", {"issue_key": "WID-2"}) for _ in range(40)),
        *(("get_pull_request", {"pr_number": 2}) for _ in range(40)),
    )
    yield from of_each
    # What has just been written is not kept for a while: hits are of what nobody changes.
    yield from itertools.repeat(("github_get_issue", {"issue_number": 3}))


@dataclass(kw_only=True)
class Calls:
    """Makes calls, each under a client's span of its own, and counts what came of them."""

    traced: Traced
    of: list[str] = field(default_factory=list)
    came: Counter[str] = field(default_factory=Counter)
    wrote: int = 0

    async def one(self, client: Client, ask: Ask) -> None:
        tool, arguments = ask
        with self.traced.span(f"tools/call {tool}") as trace_id:
            self.of.append(trace_id)
            try:
                result = await client.call_tool(tool, arguments)
            except MCPError:
                self.came["refused"] += 1
                return
        note = (result.meta or {})[NOTE]
        assert note["trace_id"] == trace_id
        self.came["failed" if result.is_error else note["source"]] += 1
        self.wrote += tool in WRITING and not result.is_error

    async def all(self, made: Sequence[Callable[[], Awaitable[None]]]) -> None:
        """Make calls, a dozen at a time."""
        places = asyncio.Semaphore(AT_ONCE)

        async def placed(make: Callable[[], Awaitable[None]]) -> None:
            async with places:
                await make()

        async with asyncio.TaskGroup() as tasks:
            for make in made:
                tasks.create_task(placed(make))


async def joined(calls: Calls, client: Client) -> None:
    """Ask for the same thing many times while the first one waits for its vendor."""
    gate = calls.traced.github.faults.hold(path="*/issues/3/comments")
    ask: Ask = ("list_comments", {"issue_number": 3})
    async with asyncio.TaskGroup() as tasks:
        for _ in range(FOLLOWERS):
            tasks.create_task(calls.one(client, ask))
        await gate.reached()
        # Whoever asks another thing now comes after those who have asked already.
        await calls.one(client, ("no_such_tool", {}))
        gate.release()


async def a_thousand(traced: Traced) -> Calls:
    """Call through clients of both eras, and through one that is bound to another issue."""
    calls = Calls(traced=traced)
    bound = "/servers/github_comment/mcp?owner=acme&repo=widgets&pr_number=1"
    async with (
        traced.client() as modern,
        traced.client(mode="legacy") as legacy,
        traced.client(bound) as narrowed,
    ):
        await joined(calls, modern)
        traced.github.faults.add(AnswerWith(status=502), path="*/issues/901", times=3)
        elsewhere: Ask = ("list_comments", {"issue_number": 2})
        made = [partial(calls.one, narrowed, elsewhere) for _ in range(20)]
        clients = itertools.cycle([modern, modern, modern, legacy])
        left = MANY - len(calls.of) - len(made)
        mixed = zip(asks(traced), clients, strict=False)
        made += [partial(calls.one, client, ask) for ask, client in itertools.islice(mixed, left)]
        await calls.all(made)
    return calls


def missing(traced: Traced) -> list[str]:
    """Return the traces that a client began and that are not whole yet."""
    traces = traced.traces()
    return [one for one in traced.begun if not is_whole(traces.get(one, []))]


def ids(trace_id: str, span_id: bytes) -> str:
    return f"00-{trace_id}-{span_id.hex()}-01"


@pytest.mark.requirement("seeing.thousand-calls", "seeing.own-looks")
async def test_a_thousand_mixed_calls_are_a_thousand_whole_traces(tmp_path: Path) -> None:
    """From the client's span to each vendor's request, in every log, and none besides."""
    async with traced_run(tmp_path) as traced, asyncio.timeout(100):
        calls = await a_thousand(traced)
        async with asyncio.timeout(40):
            await traced.collector.when(lambda: not missing(traced))
        traces = traced.traces()
        assert len(set(calls.of)) == MANY
        assert set(traces) == set(traced.begun)
        assert calls.wrote == WRITES
        assert {"upstream", "cache", "coalesced", "failed", "refused"} <= set(calls.came)
        sent = [ids(seen.trace_id, seen.span.span_id) for seen in traced.vendor_spans()]
        assert sorted(sent) == sorted(traced.asked())
        assert set(calls.of) <= traced.logged("router") <= set(traced.begun)
        served = {
            seen.trace_id
            for seen in traced.collector.spans
            if seen.service == "servers" and seen.span.name.startswith("tools/call")
        }
        assert served <= traced.logged("servers") <= set(traced.begun)
