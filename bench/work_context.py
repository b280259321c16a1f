"""What the work context costs in time, in its slowest part, before vendors of a steady slowness.

A part's time is that of the one tool call that an agent would make for it, with every argument
already known, through the same router. Nothing is cached, and every vendor's answer takes the same
time; so the ratio says what the parts wait for each other.
"""

import asyncio
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from mcp import Client

from bench.findings import Findings, Limit, Table
from bench.uncached_mesh import uncached_mesh
from trunkline_branch_context.service import SERVICE as TWIG
from trunkline_bridge.service import SERVICE as BRIDGE
from trunkline_ci_status.service import SERVICE as CI
from trunkline_inline_review.service import SERVICE as REVIEWS
from trunkline_issues.service import SERVICE as ISSUES
from trunkline_jira.service import SERVICE as JIRA
from trunkline_project_reader.service import SERVICE as BASECAMP
from trunkline_shared.service import Service
from trunkline_shared.testing import basecamp, github, jira
from trunkline_shared.testing.basecamp.todos import Todo
from trunkline_shared.testing.git_repository import GitRepository, twig_state
from trunkline_shared.testing.stand_in.faults import SlowFirstByte

MOST = 1.3
"""What the whole may take, in its slowest part."""
BRANCH = "tighten-screws"
WHOLE = "get_work_context"
TOKENS = {
    "GITHUB_TOKEN": "demo-token",
    "BASECAMP_ACCESS_TOKEN": "demo-token",
    "JIRA_USERNAME": "demo@acme.test",
    "JIRA_API_TOKEN": "demo-token",
}
SERVICES: tuple[Service[Any], ...] = (TWIG, ISSUES, CI, REVIEWS, JIRA, BASECAMP, BRIDGE)
Calls = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendors:
    """The stand-ins with the demo's data, in which the pull request names a to-do."""

    forge: github.GitHubStandIn
    projects: basecamp.BasecampStandIn
    tracker: jira.JiraStandIn
    calls: Calls
    account: int

    def slow_down(self, delay_s: float) -> None:
        for stand_in in (self.forge, self.projects, self.tracker):
            stand_in.faults.add(SlowFirstByte(seconds=delay_s), times=math.inf)


@asynccontextmanager
async def vendors() -> AsyncIterator[Vendors]:
    """Serve the stand-ins."""
    async with (
        github.GitHubStandIn() as forge,
        basecamp.BasecampStandIn() as projects,
        jira.JiraStandIn() as tracker,
    ):
        demo, launch = github.seed_demo(forge.state), basecamp.seed_demo(projects.state)
        jira.seed_demo(tracker.state)
        todo = next(one for one in launch.account.recordings.values() if isinstance(one, Todo))
        place = f"{launch.account.id}/buckets/{todo.project.id}/todos/{todo.id}"
        demo.pull.body = f"See https://3.basecamp.com/{place}."
        pull = {"owner": "acme", "repo": "widgets", "pr_number": demo.pull.number}
        calls: Calls = {
            "get_current_branch": {},
            "get_pr_status": pull,
            "get_ci_status": pull,
            "list_review_threads": pull,
            "get_jira_issue": {"issue_key": "WID-2"},
            "get_todo": {"project_id": todo.project.id, "todo_id": todo.id},
            WHOLE: {"owner": "acme", "repo": "widgets"},
        }
        yield Vendors(
            forge=forge, projects=projects, tracker=tracker, calls=calls, account=launch.account.id
        )


@asynccontextmanager
async def mesh(before: Vendors, checkout: GitRepository) -> AsyncIterator[str]:
    """Run every server that is asked, and a router that caches nothing; yields its URL."""
    given: Mapping[str, object] = {
        "github_api_url": before.forge.url,
        "basecamp_api_url": before.projects.url,
        "basecamp_account_id": str(before.account),
        "jira_url": before.tracker.url,
        "repo_path": checkout.path,
        "netrc": "/nonexistent",
        **checkout.environment,
    }
    async with uncached_mesh(SERVICES, given) as url:
        yield url


def _checkout(at: Path) -> GitRepository:
    made = GitRepository.at(at)
    made.branch(BRANCH)
    made.switch(BRANCH)
    made.twig(twig_state(branches={BRANCH: ("WID-2", 2)}))
    return made


async def measure(rounds: int, delay_s: float) -> Mapping[str, list[float]]:
    """Return the seconds of each call, round by round."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = _checkout(Path(folder))
        async with (
            vendors() as known,
            mesh(known, checkout) as url,
            Client(url) as client,
        ):
            known.slow_down(delay_s)
            await _round(client, known.calls)
            taken = [await _round(client, known.calls) for _ in range(rounds)]
    return {name: [each[name] for each in taken] for name in known.calls}


async def _round(client: Client, calls: Calls) -> Mapping[str, float]:
    seconds: dict[str, float] = {}
    for name, arguments in calls.items():
        began = time.perf_counter()
        result = await client.call_tool(name, dict(arguments))
        seconds[name] = time.perf_counter() - began
        whole = result.structured_content or {}
        missing = [part for part in whole if name == WHOLE and not whole[part].get("available")]
        if result.is_error or missing:
            sys.exit(f"{name}: {missing or result.content}")
    return seconds


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure in a process of its own, whose environment holds the stand-ins' secrets."""
    rounds, delay_s = (1, 0.4) if quick else (5, 0.4)
    given = [f"{name}={value}" for name, value in TOKENS.items()]
    again = [sys.executable, "-m", "bench.work_context", str(rounds), str(delay_s)]
    done = subprocess.run(["/usr/bin/env", *given, *again], check=True, stdout=subprocess.PIPE)
    seconds: Mapping[str, list[float]] = orjson.loads(done.stdout)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    slowest = max(took for name, took in medians.items() if name != WHOLE)
    return Findings(
        title="The work context, beside its slowest part",
        about=(
            "What `get_work_context` takes before vendors of a steady slowness. A part's time is"
            " that of the one tool call that an agent would make for it, with every argument"
            " already known, through the same router. Nothing is cached, and every vendor's answer"
            f" takes {delay_s} s; so the ratio says what the parts wait for each other."
        ),
        tables=[
            Table(
                title="Milliseconds per call",
                columns=("", "median"),
                rows=[(name, round(took * 1000)) for name, took in medians.items()],
            )
        ],
        limits=[
            Limit(
                what=f"{WHOLE}, in its slowest part",
                value=medians[WHOLE] / slowest,
                most=MOST,
                unit="x",
            )
        ],
    )


if __name__ == "__main__":
    told = asyncio.run(measure(int(sys.argv[1]), float(sys.argv[2])))
    sys.stdout.buffer.write(orjson.dumps(dict(told)))
