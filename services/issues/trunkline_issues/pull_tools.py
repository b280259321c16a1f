"""The tools that read pull requests: one, its state, a list."""

from dataclasses import dataclass
from typing import Literal

from trunkline_issues.cursor import Cursor
from trunkline_issues.pull_finding import Asked, Branch, find
from trunkline_issues.pull_listing import PullQuery, Slice, pulls
from trunkline_issues.pull_results import DetailsAndStatus, PullDetails, PullRequests, PullStatus
from trunkline_issues.pull_shapes import details
from trunkline_issues.pull_status import StatusReading
from trunkline_issues.tags import BASE, LISTED
from trunkline_shared.arguments import PerPage
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.github import defaults
from trunkline_shared.github.arguments import PullNumber
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.tags import CHANGED_RUNS, EDITED_COMMENTS, OF_COMMIT
from trunkline_shared.github.targets import to_read
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool

PULL = "gh:{owner}/{repo}#{pr_number}"
"""When it was changed last is shown, so this stands for all beneath it."""

REVIEWS = f"{PULL}:reviews"
DIFF = f"{PULL}:diff"
NEEDS = ("owner", "repo", "pr_number|branch")
DEFAULTS = dict(defaults.OF_PULL_REQUEST)
_CHECKS = (OF_COMMIT, CHANGED_RUNS)


def _policy(*tags: str) -> Policy:
    return Policy(
        reads=Reads(ttl_s=10, stale_s=600, tags=(*tags, BASE)),
        needs=NEEDS,
        defaults=DEFAULTS,
        enforces=("pr_number", "branch"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PullTools:
    """Pull requests and their state."""

    github: GitHub
    clock: Clock

    @tool("Pull request status", READ, _policy(REVIEWS, DIFF, *_CHECKS))
    async def github_pr_status(
        self,
        *,
        pr_number: PullNumber | None = None,
        branch: Branch = "",
        owner: str = "",
        repo: str = "",
    ) -> Reusable[PullStatus]:
        """Say whether a pull request can be merged: conflicts, reviews, checks."""
        asked = Asked(owner=owner, repo=repo, pr_number=pr_number, branch=branch)
        reading = await self._reading(asked)
        return Reusable(await reading.status(), reading.reuse)

    @tool("Get pull request", READ, _policy(PULL, EDITED_COMMENTS))
    async def get_pull_request(
        self,
        *,
        pr_number: PullNumber | None = None,
        branch: Branch = "",
        owner: str = "",
        repo: str = "",
    ) -> Reusable[PullDetails]:
        """Read a pull request: title, body, author, branches, draft, mergeable, size."""
        asked = Asked(owner=owner, repo=repo, pr_number=pr_number, branch=branch)
        found = await find(self.github, asked)
        return Reusable(details(found.pull, found.others), found.reuse)

    @tool("Get pull request with status", READ, _policy(PULL, EDITED_COMMENTS, *_CHECKS))
    async def get_pr_status(
        self,
        *,
        pr_number: PullNumber | None = None,
        branch: Branch = "",
        owner: str = "",
        repo: str = "",
    ) -> Reusable[DetailsAndStatus]:
        """Read a pull request with its reviews and checks."""
        asked = Asked(owner=owner, repo=repo, pr_number=pr_number, branch=branch)
        reading = await self._reading(asked)
        return Reusable(await reading.details(), reading.reuse)

    @tool(
        "List pull requests",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=LISTED),
            needs=("owner", "repo"),
            defaults=dict(defaults.OF_REPOSITORY),
        ),
    )
    async def list_pull_requests(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        state: Literal["open", "closed", "all"] = "open",
        base: str = "",
        head: str = "",
        sort: Literal["created", "updated", "popularity", "long-running"] = "created",
        direction: Literal["asc", "desc"] = "desc",
        limit: PerPage = 30,
        cursor: Cursor = "",
        fields: Fields = (),
        owner: str = "",
        repo: str = "",
    ) -> PullRequests:
        """List a repository's pull requests without bodies."""
        repository = await to_read(self.github, owner, repo)
        query = PullQuery(state=state, base=base, head=head, sort=sort, direction=direction)
        part = Slice(limit=limit, cursor=cursor, fields=fields)
        return await pulls(self.github, repository, query, part)

    async def _reading(self, asked: Asked) -> StatusReading:
        found = await find(self.github, asked)
        return StatusReading(github=self.github, clock=self.clock, found=found)
