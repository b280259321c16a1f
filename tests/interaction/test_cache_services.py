"""Each write of each GitHub server, and then every read: what is kept shows what is there."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from tests.interaction.github_mesh import github_mesh
from tests.interaction.mesh import Mesh, routing
from tests.interaction.wire import META, call_modern, modern, modern_headers, post
from tests.standing_clock import StandingClock
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]

EVERYTHING: dict[str, Any] = {"toolsets": "all", "enable_writes": "all"}
HERE = {"owner": "acme", "repo": "widgets"}
ISSUE, PULL, PULL_AS_ISSUE = {"issue_number": 1}, {"pr_number": 2}, {"issue_number": 2}
Arguments = dict[str, Any]
Reads = Sequence[tuple[str, Arguments]]


@dataclass(frozen=True, kw_only=True)
class World:
    """A router that keeps answers, and one before the same servers that keeps none."""

    keeping: Mesh
    bare: Mesh
    clock: StandingClock
    read_only: Sequence[str]

    async def ask(self, name: str, **arguments: Any) -> Any:
        """Return what is there: the structured content, or the failure."""
        return await _content(self.bare, name, arguments)

    async def kept(self, reads: Reads) -> list[tuple[str, Any]]:
        """Return where each answer came from, and what it says."""
        return [await _answer(self.keeping, name, arguments) for name, arguments in reads]

    async def stale(self, reads: Reads) -> list[str]:
        """Return the reads whose kept answers differ from what is there."""
        told = await self.kept(reads)
        return [
            f"{name} {arguments}"
            for (name, arguments), (source, kept) in zip(reads, told, strict=True)
            if source != "upstream" and kept != await _content(self.bare, name, arguments)
        ]


async def _answer(mesh: Mesh, name: str, arguments: Arguments) -> tuple[str, Any]:
    reply = await call_modern(mesh.port, name, arguments=HERE | arguments)
    result = reply.result
    said = result.get("structuredContent") or orjson.loads(result["content"][0]["text"])
    # It tells how the answer was come by, not what is there.
    said.pop("source", None)
    return result["_meta"]["dev.trunkline/call"]["source"], said


async def _content(mesh: Mesh, name: str, arguments: Arguments) -> Any:
    return (await _answer(mesh, name, arguments))[1]


@asynccontextmanager
async def world(github: GitHubStandIn, environment: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """Run the GitHub servers, and both routers before them."""
    clock = StandingClock()
    none = {"router": {"cache": {"memory_bytes": 0}}}
    async with (
        github_mesh(github, environment, **EVERYTHING) as mesh,
        routing(mesh.servers, clock=clock, store=in_process_store(clock), **EVERYTHING) as keeping,
        routing(mesh.servers, configured=none, **EVERYTHING) as bare,
    ):
        body = modern("tools/list", {"_meta": META})
        listed = (await post(bare.port, body, modern_headers("tools/list"))).result["tools"]
        names = [one["name"] for one in listed if one["annotations"]["readOnlyHint"]]
        yield World(keeping=keeping, bare=bare, clock=clock, read_only=names)


async def all_reads(here: World) -> Reads:
    """Return every read that there is, of an issue, of a pull request, and of all."""
    known = await ids(here)
    of_run = {"run_id": known["run"]}
    reads: list[tuple[str, Arguments]] = [
        *((name, {}) for name in ("github_list_issues", "list_labels", "list_pull_requests")),
        ("github_list_issues", {"state": "all", "include_prs": True}),
        *(("search_issues", {"query": query}) for query in ("wobble", "screws")),
        ("github_get_issue", {**ISSUE, "include_comments": 5}),
        ("github_get_issue", PULL_AS_ISSUE),
        *((name, PULL) for name in OF_PULL),
        *((name, {"branch": "tighten-screws"}) for name in OF_BRANCH),
        *(("list_comments", which) for which in (ISSUE, PULL_AS_ISSUE)),
        ("get_comment", {"comment_id": known["comment"]}),
        ("get_comment", {"comment_id": known["review_comment"], "kind": "review"}),
        *((name, of_run) for name in ("get_workflow_run_details", "get_failed_logs")),
        ("get_job_log", {"job_id": known["job"]}),
        *((name, {}) for name in ("list_workflow_runs",)),
        ("get_check_annotations", {"check_run_id": known["check"]}),
    ]
    return reads


OF_PULL = (
    *("github_pr_status", "get_pull_request", "get_pr_status", "github_get_pr_diff"),
    *("list_pr_files", "get_commentable_lines", "list_review_comments", "list_reviews"),
    *("get_ci_status", "list_check_runs", "list_review_threads"),
)
OF_BRANCH = ("github_pr_status", "get_pull_request", "get_pr_status")


async def ids(here: World) -> Mapping[str, int]:
    """Return the ids of what the writes are about."""
    comments = (await here.ask("list_comments", **ISSUE))["comments"]
    review = (await here.ask("list_review_comments", **PULL))["comments"]
    runs = (await here.ask("list_workflow_runs"))["runs"]
    failed = next((run for run in runs if run["conclusion"] == "failure"), runs[0])
    run = failed.get("run_id") or failed["id"]
    checks = (await here.ask("list_check_runs", **PULL))["checks"]
    jobs = (await here.ask("get_workflow_run_details", run_id=run))["jobs"]
    return {
        "comment": comments[0]["id"],
        "review_comment": review[0]["id"],
        "run": run,
        "check": checks[0]["id"],
        "job": jobs[0].get("job_id") or jobs[0]["id"],
    }


def writes(known: Mapping[str, int]) -> Reads:
    """Return the writes, in an order in which each is allowed."""
    review, inline = {"comment_id": known["review_comment"]}, {"path": "src/screws.py"}
    return [
        ("create_comment", {**ISSUE, "body": "One more."}),
        ("create_comment", {**PULL_AS_ISSUE, "body": "One more."}),
        ("upsert_comment", {**PULL_AS_ISSUE, "marker": "m-1", "body": "First."}),
        ("upsert_comment", {**PULL_AS_ISSUE, "marker": "m-1", "body": "Second."}),
        ("github_add_labels", {**ISSUE, "labels": ["later"], "create_missing": True}),
        ("github_add_labels", {**PULL_AS_ISSUE, "labels": ["later"]}),
        ("remove_label", {**ISSUE, "name": "later"}),
        ("create_issue", {"title": "Widgets hum and wobble", "body": "They do."}),
        ("update_issue", {**ISSUE, "title": "Widgets wobble a lot"}),
        ("github_close_issue", {**ISSUE, "comment": "Done."}),
        ("reopen_issue", {**ISSUE}),
        ("update_pull_request", {**PULL, "title": "Tighten all screws"}),
        ("set_draft", {**PULL, "draft": True}),
        ("set_draft", {**PULL, "draft": False}),
        ("request_reviewers", {**PULL, "reviewers": ["alice"]}),
        ("create_inline_comment", {**PULL, **inline, "line": 7, "body": "And here?"}),
        ("reply_to_review_comment", {**PULL, **review, "body": "Because."}),
        ("resolve_thread", {**PULL, **review}),
        ("unresolve_thread", {**PULL, **review}),
        ("create_review", {**PULL, "event": "COMMENT", "body": "Looks well."}),
        ("start_pending_review", {**PULL, "body": "To come."}),
        ("submit_pending_review", {**PULL, "event": "COMMENT"}),
        ("start_pending_review", {**PULL, "body": "To be dropped."}),
        ("discard_pending_review", {**PULL}),
        ("rerun_failed_jobs", {"run_id": known["run"]}),
        ("cancel_run", {"run_id": known["run"]}),
        ("rerun_run", {"run_id": known["run"]}),
        ("update_pull_request", {**PULL, "state": "closed"}),
        ("update_pull_request", {**PULL, "state": "open"}),
    ]


@pytest.mark.requirement("cache.services")
async def test_every_read_shows_every_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """All reads are kept, one write is made, all are read at once: each is what is there now."""
    # Without the contract's guard: it takes most of the time, and other tests have it.
    async with GitHubStandIn() as github, world(github, monkeypatch) as here:
        reads, known = await all_reads(here), await ids(here)
        assert set(here.read_only) - {name for name, _ in reads} == {"wait_for_ci"}
        found, unkept = [], set()
        for name, arguments in writes(known):
            here.clock.advance(60)
            await here.kept(reads)
            again = zip(reads, await here.kept(reads), strict=True)
            # Which pull request a branch has is looked up anew each time.
            unkept |= {
                read
                for (read, given), (source, _) in again
                if source != "cache" and "branch" not in given
            }
            _, said = await _answer(here.keeping, name, arguments)
            assert "error_code" not in said, (name, said)
            found += [f"after {name}: {one}" for one in await here.stale(reads)]
    # While a run is underway, its logs are not kept.
    assert (found, unkept - {"get_failed_logs"}) == ([], set())
