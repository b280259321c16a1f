"""The stand-ins of the vendors, what they hold, and our servers before them behind a router."""

import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.tokens.scenario import BRANCH, JIRA, Scenario, seed
from bench.uncached_mesh import uncached_mesh
from trunkline_branch_context.service import SERVICE as TWIG
from trunkline_bridge.service import SERVICE as BRIDGE
from trunkline_ci_status.service import SERVICE as CI
from trunkline_comment.service import SERVICE as COMMENTS
from trunkline_inline_review.service import SERVICE as REVIEWS
from trunkline_issues.service import SERVICE as ISSUES
from trunkline_jira.service import SERVICE as JIRA_READER
from trunkline_project_reader.service import SERVICE as BASECAMP
from trunkline_shared.service import Service
from trunkline_shared.testing import basecamp, github, jira
from trunkline_shared.testing.basecamp.todos import Todo
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.git_repository import GitRepository, twig_state

SERVICES: tuple[Service[Any], ...] = (
    TWIG, ISSUES, CI, REVIEWS, COMMENTS, JIRA_READER, BASECAMP, BRIDGE,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendors:
    """The running stand-ins; `addresses` are their bases, `scenario` what GitHub's holds."""

    addresses: Mapping[str, str]
    scenario: Scenario
    todo: Mapping[str, object]
    account: int


@asynccontextmanager
async def vendors() -> AsyncIterator[Vendors]:
    """Serve the stand-ins at a time that stands still, so that every run answers the same."""
    clock = FakeClock()
    async with (
        github.GitHubStandIn(clock=clock) as forge,
        basecamp.BasecampStandIn() as projects,
        jira.JiraStandIn() as tracker,
    ):
        launch = basecamp.seed_demo(projects.state)
        jira.seed_demo(tracker.state)
        todo = next(one for one in launch.account.recordings.values() if isinstance(one, Todo))
        account = launch.account.id
        place = f"{account}/buckets/{todo.project.id}/todos/{todo.id}"
        scenario = seed(forge.state, f"https://3.basecamp.com/{place}")
        yield Vendors(
            addresses={
                "github": forge.url,
                "basecamp": f"{projects.url}/{account}",
                "jira": tracker.url,
            },
            scenario=scenario,
            todo={"project_id": todo.project.id, "todo_id": todo.id},
            account=account,
        )


@asynccontextmanager
async def mesh(before: Vendors) -> AsyncIterator[str]:
    """Run our servers and a router that caches nothing; yields its URL."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = _checkout(Path(folder))
        given: Mapping[str, object] = {
            "github_api_url": before.addresses["github"],
            "github_write_interval_s": 0,
            "basecamp_api_url": before.addresses["basecamp"].rpartition("/")[0],
            "basecamp_account_id": str(before.account),
            "jira_url": before.addresses["jira"],
            "repo_path": checkout.path,
            "netrc": "/nonexistent",
            "toolsets": ["reviews"],
            **checkout.environment,
        }
        async with uncached_mesh(SERVICES, given) as url:
            yield url


def _checkout(at: Path) -> GitRepository:
    made = GitRepository.at(at)
    made.branch(BRANCH)
    made.switch(BRANCH)
    made.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    made.twig(twig_state(branches={BRANCH: (JIRA, None)}))
    return made
