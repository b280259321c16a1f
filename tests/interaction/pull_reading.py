"""A real client in front of the issues server, in front of a GitHub with pull requests."""

import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client

from tests.interaction.asking import Asking
from trunkline_issues.app import open_server
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import (
    ChangedFile,
    GitHubStandIn,
    Issue,
    Pull,
    Repository,
    User,
)
from trunkline_shared.testing.github.conversation import Review, ReviewState
from trunkline_shared.testing.serving import serving

PULLS = "/repos/acme/widgets/pulls"
ONE = "/repos/acme/widgets/pulls/2"
FILES = f"{ONE}/files"
REVIEWERS = "/repos/acme/widgets/pulls/*/requested_reviewers"


def text(lines: int, changed: Sequence[int] = (), *, of: str = "line") -> str:
    """Return a file of so many lines, some of them marked."""
    return "".join(f"{of} {n}{' changed' if n in changed else ''}\n" for n in range(1, lines + 1))


def edited(path: str, lines: int = 40, every: int = 10) -> ChangedFile:
    """Return a file with a changed line every so often."""
    return ChangedFile(path=path, before=text(lines), after=text(lines, range(1, lines, every)))


@dataclass(frozen=True, kw_only=True)
class Pulling(Asking):
    """Pull request 2 of `acme/widgets` from the branch `mend`, and a client of the server."""

    github: GitHubStandIn
    repository: Repository
    issue: Issue
    change: Issue
    me: User
    author: User
    clock: FakeClock

    @property
    def pull(self) -> Pull:
        """What the pull request has beyond an issue."""
        assert self.change.pull is not None
        return self.change.pull

    async def diff(self, **arguments: object) -> dict[str, Any]:
        """Read the diff of the pull request."""
        return await self.call("github_get_pr_diff", pr_number=2, **arguments)

    async def pages(self, **arguments: object) -> list[dict[str, Any]]:
        """Read the diff of the pull request page by page, to its end."""
        pages = [await self.diff(**arguments)]
        while pages[-1]["next_offset"] is not None:
            pages.append(await self.diff(**arguments, offset=pages[-1]["next_offset"]))
        return pages

    def review(self, author: User | None, state: ReviewState) -> Review:
        """Add a review of the pull request."""
        review = Review(
            id=self.repository.ledger.next_id(),
            issue=self.change,
            author=author,
            body="",
            state=state,
            commit_id=self.pull.head_sha,
            submitted_at=self.repository.ledger.now(),
        )
        self.change.reviews.append(review)
        return review

    def sent(self, method: str, path: str = "*") -> int:
        """Return how many requests of this kind arrived."""
        return len(self.github.requests.matching(method, path))


def numstat(diff: str) -> dict[str, tuple[int, int]]:
    """Return what git counts in a diff, by file. Fails the test for one that git refuses."""
    run = subprocess.run(
        ["git", "apply", "--numstat", "-z", "-"],
        input=diff.encode(),
        capture_output=True,
        check=False,
        timeout=10,
    )
    assert run.returncode == 0, run.stderr.decode() + diff
    rows = [row.split("\t", 2) for row in run.stdout.decode().split("\0") if row]
    return {path: (int(added), int(removed)) for added, removed, path in rows if added != "-"}


@asynccontextmanager
async def pulling(
    github: GitHubStandIn, environment: pytest.MonkeyPatch, **settings: object
) -> AsyncIterator[Pulling]:
    """Seed the stand-in and serve the issues server before it, as one who may write."""
    me, author = github.state.add_user("helper-bot"), github.state.add_user("mallory")
    repository = github.state.add_repository("acme/widgets")
    repository.grant(me, "write")
    environment.setenv("GITHUB_TOKEN", github.state.add_token(me, "helper").secret)
    given = {
        "github_api_url": github.url,
        "github_write_interval_s": 0,
        "netrc": "/nonexistent",
        "toolsets": "all",
        "enable_writes": "all",
        **settings,
    }
    clock = FakeClock()
    async with (
        open_server(load(IssuesSettings, given), in_process_store(clock), clock) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        yield Pulling(
            github=github,
            repository=repository,
            issue=repository.add_issue("Broken", author),
            change=repository.add_pull(
                "Mend", author, head="mend", files=[edited("src/a.py"), edited("src/b.py")]
            ),
            me=me,
            author=author,
            clock=clock,
            client=client,
        )
