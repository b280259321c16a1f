"""The tools that open and change pull requests."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from trunkline_issues import refs
from trunkline_issues.issue_text import checked_body, checked_title
from trunkline_issues.pull_creating import IfExists, NewPull, PullCreating
from trunkline_issues.pull_refusals import without_drafts
from trunkline_issues.pull_results import CreatedPull, DraftSet, PullDetails, ReviewersRequested
from trunkline_issues.pull_shapes import details
from trunkline_issues.pull_tools import PULL
from trunkline_issues.reviewers import reviewers as told_apart
from trunkline_issues.tags import ALL_ISSUES
from trunkline_shared.clock import Clock
from trunkline_shared.contracts import WRITE, WRITE_IDEMPOTENT, Policy, Writes
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.arguments import Owner, PullNumber, Repo
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.pull_writing import request_reviewers, set_draft, update_pull
from trunkline_shared.github.pulls import get_pull
from trunkline_shared.github.targets import require_bound_issue, to_write
from trunkline_shared.tool import tool

_LONGEST_TITLE = 256
_CHANGES = Policy(
    writes=Writes(tags=(PULL, ALL_ISSUES)),
    needs=("owner", "repo", "pr_number"),
    write_group="issues",
)
Title = Annotated[str, Field(min_length=1, max_length=_LONGEST_TITLE)]
Names = Annotated[tuple[str, ...], Field(max_length=100)]
People = Annotated[tuple[str, ...], Field(max_length=15, description="Logins, or org/team")]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullWriteTools:
    """Opening and changing pull requests."""

    github: GitHub
    clock: Clock
    writes: KeyedWrites

    @tool(
        "Create pull request",
        WRITE,
        Policy(writes=Writes(tags=("gh:{owner}/{repo}",)), needs=("owner", "repo")),
    )
    async def github_create_pr(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        title: Title,
        body: str,
        base: str,
        head: Annotated[str, Field(description="branch or owner:branch")],
        draft: bool = False,
        head_repo: Annotated[str, Field(description="owner/repo, in the same organization")] = "",
        maintainer_can_modify: bool = True,
        reviewers: People = (),
        labels: Names = (),
        if_exists: IfExists = "error",
        owner: Owner = "",
        repo: Repo = "",
    ) -> CreatedPull:
        """Open a pull request. Returns pr_number, url.

        With if_exists=return a repeated call returns the open one.
        """
        repository = await to_write(self.github, owner, repo)
        new = NewPull(
            title=checked_title(title),
            body=checked_body(body, None),
            base=refs.branch(base, "base"),
            head=refs.head(head),
            head_repo=await self._home(head_repo),
            draft=draft,
            maintainer_can_modify=maintainer_can_modify,
            if_exists=if_exists,
            reviewers=told_apart(reviewers),
            labels=labels,
        )
        creating = PullCreating(
            github=self.github, clock=self.clock, writes=self.writes, repository=repository
        )
        return await creating.create(new)

    @tool("Request reviewers", WRITE_IDEMPOTENT, _CHANGES)
    async def request_reviewers(
        self,
        *,
        pr_number: PullNumber,
        reviewers: Annotated[People, Field(min_length=1)],
        owner: Owner = "",
        repo: Repo = "",
    ) -> ReviewersRequested:
        """Ask people or teams to review a pull request."""
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(pr_number)
        asked = told_apart(reviewers)
        endpoint = request_reviewers(repository, pr_number, people=asked.people, teams=asked.teams)
        pull = await self.github.fetch(endpoint)
        return ReviewersRequested(
            pr_number=pull.number,
            requested_reviewers=[user.login for user in pull.requested_reviewers],
            requested_teams=[team.slug for team in pull.requested_teams],
        )

    @tool("Update pull request", WRITE_IDEMPOTENT, _CHANGES)
    async def update_pull_request(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        pr_number: PullNumber,
        title: Annotated[str, Field(max_length=_LONGEST_TITLE)] = "",
        body: str = "",
        base: str = "",
        state: Literal["", "open", "closed"] = "",
        owner: Owner = "",
        repo: Repo = "",
    ) -> PullDetails:
        """Change title, body, base or state of a pull request; what is not given stays."""
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(pr_number)
        given = {
            "title": checked_title(title) if title else "",
            "body": checked_body(body, None),
            "base": refs.branch(base, "base") if base else "",
            "state": state,
        }
        fields = {name: value for name, value in given.items() if value}
        if not fields:
            raise InvalidInput("Nothing to change: pass title, body, base or state.")
        return details(await self.github.fetch(update_pull(repository, pr_number, fields)))

    @tool("Set draft", WRITE_IDEMPOTENT, _CHANGES)
    async def set_draft(
        self, *, pr_number: PullNumber, draft: bool, owner: Owner = "", repo: Repo = ""
    ) -> DraftSet:
        """Make a pull request a draft, or ready for review."""
        repository = await to_write(self.github, owner, repo)
        require_bound_issue(pr_number)
        pull = await self.github.fetch(get_pull(repository, pr_number))
        if pull.draft != draft:
            try:
                await self.github.fetch(set_draft(pull.node_id, draft=draft))
            except InvalidInput as error:
                raise without_drafts(error) from None
        return DraftSet(pr_number=pull.number, draft=draft, changed=pull.draft != draft)

    async def _home(self, full_name: str) -> str:
        """Check the head's repository. Raises InvalidInput, or BlockedByPolicy outside the mesh."""
        if not full_name:
            return ""
        owner, slash, name = full_name.partition("/")
        if not slash or not owner or not name:
            problem = "must be written owner/repo"
            raise InvalidInput(
                f"head_repo {full_name[:120]!r} {problem}.",
                details={"field_errors": [{"field": "head_repo", "problem": problem}]},
            )
        return (await self.github.repository(owner, name)).slug
