"""Waiting for CI: progress, verdicts, deadlines, pushes, and ends that nobody asked for."""

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.interaction.asking import HERE, failure_of
from tests.interaction.ci_watching import HOME, World, bound, world
from trunkline_ci_status.app import open_server
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_shared import meta as keys
from trunkline_shared.listener import Listener, ServeSettings, listener
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import GitHubStandIn, bad_gateway, secondary_limit
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(github, monkeypatch) as made:
        yield made


async def _waited(here: World, **arguments: object) -> dict[str, Any]:
    async with asyncio.timeout(10):
        return await here.call("wait_for_ci", **{"pr_number": here.pull.number, **arguments})


@pytest.mark.requirement("ci.wait")
async def test_a_wait_ends_when_ci_passes_and_reports_its_progress(here: World) -> None:
    """Each look is one notification, and progress never goes back."""
    build = here.ci.add_run(here.head, status="queued")
    lint = here.ci.add_run(here.head, workflow="lint.yml", status="in_progress")
    here.ci.script = [
        lambda: build.set("in_progress"),
        lambda: here.ci.finish(lint),
        lambda: here.ci.finish(build),
    ]
    told: list[tuple[float, float | None, str | None]] = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    asked = {**HERE, "pr_number": here.pull.number}
    async with asyncio.timeout(10):
        result = await here.client.call_tool("wait_for_ci", asked, progress_callback=tell)
    assert isinstance(result, CallToolResult)
    found: dict[str, Any] = result.structured_content
    assert (found["summary"]["verdict"], found["timed_out"]) == ("passing", False)
    assert [message for _, _, message in told] == [
        *("0 of 2 done", "0 of 2 done", "1 of 2 done", "2 of 2 done")
    ]
    assert [progress for progress, _, _ in told] == sorted({progress for progress, _, _ in told})
    assert found["waited_s"] == pytest.approx(30, abs=4)


@pytest.mark.requirement("ci.wait")
async def test_a_wait_ends_at_the_first_failure_unless_told_otherwise(here: World) -> None:
    """Failing fast saves the agent's time; the whole picture needs all of it."""
    slow = here.ci.add_run(here.head, status="in_progress")
    here.ci.add_check(here.head, "coverage", conclusion="failure")
    found = await _waited(here)
    assert (found["summary"]["verdict"], found["waited_s"]) == ("failing", 0)
    here.ci.script = [lambda: None, lambda: here.ci.finish(slow)]
    found = await _waited(here, fail_fast=False)
    assert found["summary"]["passed"] == 1
    assert found["waited_s"] > 0


@pytest.mark.requirement("ci.wait")
async def test_the_end_of_the_time_is_a_state_and_no_error(here: World) -> None:
    """What is known by then is what an agent needs to decide."""
    here.ci.add_run(here.head, status="in_progress")
    found = await _waited(here, timeout_s=60, poll_s=20)
    assert (found["timed_out"], found["summary"]["verdict"]) == (True, "pending")
    assert found["waited_s"] == 60
    assert max(here.clock.slept) <= 22


async def test_polls_are_spread_a_little(here: World) -> None:
    """Many agents that wait for the same push do not ask in step."""
    here.ci.add_run(here.head, status="in_progress")
    await _waited(here, timeout_s=300, poll_s=10)
    polls = here.clock.slept[:-1]
    assert len(set(polls)) > 1
    assert all(9 <= pause <= 11 for pause in polls)


@pytest.mark.requirement("ci.wait")
async def test_looking_again_costs_no_quota_while_nothing_changes(here: World) -> None:
    """Every look after the first is conditional, and answered 304."""
    here.ci.add_run(here.head, status="in_progress")
    await here.status()
    spent = here.me.budget.remaining
    await _waited(here, timeout_s=60)
    assert here.me.budget.remaining == spent


@pytest.mark.requirement("ci.wait")
async def test_a_push_meanwhile_is_told_and_followed(here: World) -> None:
    """The verdict is about the new head; the old one's success means nothing any more."""
    here.ci.add_run(here.head, status="in_progress")

    def push() -> None:
        here.ci.add_run(here.repository.push(here.pull, forced=True), conclusion="failure")

    here.ci.script = [push]
    found = await _waited(here)
    assert (found["head_sha"], found["head_moved"]) == (here.head, True)
    assert found["summary"]["verdict"] == "failing"


async def test_a_wait_for_a_commit_does_not_follow_the_branch(here: World) -> None:
    """A SHA names one commit for ever."""
    old = here.head
    run = here.ci.add_run(old, status="in_progress")

    def push() -> None:
        here.repository.push(here.pull)
        here.ci.finish(run)

    here.ci.script = [push]
    async with asyncio.timeout(10):
        found = await here.call("wait_for_ci", ref=old)
    assert (found["head_sha"], found["head_moved"]) == (old, False)
    assert found["summary"]["verdict"] == "passing"


async def test_ci_that_has_not_begun_is_waited_for(here: World) -> None:
    """Nothing yet is no verdict, and no error."""
    here.ci.script = [lambda: None, lambda: here.ci.add_run(here.head)]
    here.ci.commits[here.head] = here.github.state.ledger.now()
    found = await _waited(here)
    assert (found["summary"]["verdict"], found["timed_out"]) == ("passing", False)


@pytest.mark.requirement("ci.wait-faults")
async def test_a_passing_trouble_of_github_does_not_end_a_wait(here: World) -> None:
    """Three bad gateways in a row use up the retries of one look, not of the wait."""
    run = here.ci.add_run(here.head, status="in_progress")
    here.ci.script = [lambda: here.ci.finish(run)]
    here.github.faults.add(bad_gateway(), "GET", "*/check-runs", times=3)
    assert (await _waited(here))["summary"]["verdict"] == "passing"


@pytest.mark.requirement("ci.wait-faults")
async def test_lasting_trouble_ends_a_wait_with_its_own_error(here: World) -> None:
    """An agent should not wait half an hour for a GitHub that is down, or a token that is not."""
    here.ci.add_run(here.head, status="in_progress")
    here.github.faults.add(bad_gateway(), "GET", "*/check-runs", times=math.inf)
    failure = await here.refused("wait_for_ci", pr_number=here.pull.number)
    assert failure["error_code"] == "UPSTREAM_UNAVAILABLE"
    failure = await here.refused("wait_for_ci", pr_number=999)
    assert failure["error_code"] == "NOT_FOUND"


@pytest.mark.requirement("ci.wait-faults")
async def test_a_rate_limit_is_waited_out_when_there_is_time(here: World) -> None:
    """GitHub says when to come back; the wait obeys instead of ending."""
    here.ci.add_run(here.head)
    here.github.faults.add(secondary_limit(retry_after=120), "GET", f"{HOME}/pulls/*")
    began = here.clock.now()
    assert (await _waited(here))["summary"]["verdict"] == "passing"
    assert here.clock.now() - began >= 108
    here.github.faults.add(secondary_limit(retry_after=120), "GET", f"{HOME}/pulls/*", times=9)
    failure = await here.refused("wait_for_ci", pr_number=here.pull.number, timeout_s=60)
    assert failure["error_code"] == "RATE_LIMITED"


async def test_a_shorter_deadline_of_the_call_is_a_time_out_too(here: World) -> None:
    """The router may have less time than was asked for: the state is answered before it is over."""
    here.ci.add_run(here.head, status="in_progress")
    found = await _waited(here, timeout_s=300, meta={keys.DEADLINE_MS: 20_000})
    assert found["timed_out"]
    assert found["waited_s"] <= 15


@pytest.mark.requirement("ci.ownership")
async def test_a_bound_context_waits_for_its_own_pull_request(here: World) -> None:
    """A branch of another one is none of its business."""
    here.repository.add_pull("Other", here.me, head="other")
    mine = bound(owner="acme", repo="widgets", pr_number=here.pull.number)
    failure = await here.refused("wait_for_ci", ref="other", meta=mine)
    assert failure["error_code"] == "BLOCKED_BY_POLICY"


async def test_a_caller_who_cannot_be_told_is_answered_all_the_same(here: World) -> None:
    """A call within the process has no request whose progress could be told."""
    here.ci.add_run(here.head)
    settings = load(CiStatusSettings, {"github_api_url": here.github.url})
    async with open_server(settings, in_process_store(here.clock), here.clock) as server:
        result = await server.call_tool("wait_for_ci", _asked(here))
    assert isinstance(result, CallToolResult)
    assert not result.is_error


class HeldClock(FakeClock):
    """A clock whose sleeper never wakes; it tells when one begins and when one is cut short."""

    def __init__(self, now: float) -> None:
        super().__init__(now)
        self.began = asyncio.Event()
        self.ended = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


@dataclass(frozen=True, kw_only=True)
class Held:
    """A served ci-status server in which every wait stands still."""

    clock: HeldClock
    http: Listener
    url: str


@asynccontextmanager
async def _held(here: World) -> AsyncIterator[Held]:
    given = {"github_api_url": here.github.url, "netrc": "/nonexistent"}
    clock, on = HeldClock(here.clock.now()), free_socket()
    async with open_server(load(CiStatusSettings, given), in_process_store(), clock) as server:
        http = listener(server, ServeSettings())
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(http.serve(sockets=[on]))
            yield Held(clock=clock, http=http, url=address(on))
            http.end()
    on.close()


def _asked(here: World) -> dict[str, object]:
    return {**HERE, "pr_number": here.pull.number}


@pytest.mark.requirement("ci.wait-ends")
async def test_a_caller_that_leaves_ends_its_wait(here: World) -> None:
    """Nobody polls GitHub for an answer that nobody reads."""
    here.ci.add_run(here.head, status="in_progress")
    async with asyncio.timeout(10), _held(here) as held, Client(f"{held.url}/mcp") as client:
        async with asyncio.TaskGroup() as tasks:
            call = tasks.create_task(client.call_tool("wait_for_ci", _asked(here)))
            await held.clock.began.wait()
            call.cancel()
        await held.clock.ended.wait()


@pytest.mark.requirement("ci.wait-ends")
async def test_a_server_that_ends_answers_its_waits_first(here: World) -> None:
    """The agent reads CANCELLED, and that it may call again."""
    here.ci.add_run(here.head, status="in_progress")
    async with (
        asyncio.timeout(10),
        _held(here) as held,
        Client(f"{held.url}/mcp") as client,
        asyncio.TaskGroup() as tasks,
    ):
        call = tasks.create_task(client.call_tool("wait_for_ci", _asked(here)))
        await held.clock.began.wait()
        held.http.end()
    result = call.result()
    assert isinstance(result, CallToolResult)
    failure = failure_of(result)
    assert (failure["error_code"], failure["retryable"]) == ("CANCELLED", True)
    assert failure["details"]["reason"] == "shutting_down"
