"""Which pull request a read is about: by its number, or by the branch that it comes from."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_issues import refs
from trunkline_shared.binding import require_bound
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.exchange import Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.github.pulls import get_pull, list_pulls
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.tags import of_branch
from trunkline_shared.github.targets import require_bound_issue, to_read
from trunkline_shared.reuse import Reuse
from trunkline_shared.vendor.answered import with_response

Branch = Annotated[str, Field(description="Or its branch")]
_MOST_OTHERS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a read was told of the pull request it is about."""

    owner: str
    repo: str
    pr_number: int | None
    branch: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The pull request, the answer it came in, and others that are open from the same branch."""

    repository: Repository
    pull: PullRequest
    response: Response
    others: tuple[int, ...] = ()
    by_branch: bool = False

    @property
    def reuse(self) -> Reuse:
        """How long what is read of it may be used again.

        The tags of a read that was told a branch only do not name the pull request, so that a
        write to it would not spoil them.
        """
        if self.by_branch:
            return Reuse(no_store=True)
        return Reuse(tags=(of_branch(self.repository, self.pull.base.ref),))


async def find(github: GitHub, asked: Asked) -> Found:
    """Read the pull request with this number, else the newest open one from the branch.

    Raises CredentialsMissing before anything else, then InvalidInput when neither is given,
    BlockedByPolicy outside the context, NotFound.
    """
    repository = await to_read(github, asked.owner, asked.repo)
    if asked.pr_number is not None:
        require_bound_issue(asked.pr_number)
        pull, response = await github.fetch(with_response(get_pull(repository, asked.pr_number)))
        require_bound("The pull request's branch", pull.head.ref, "branch")
        return Found(repository=repository, pull=pull, response=response)
    if not asked.branch:
        raise _unsaid()
    number, *others = await _open_from(github, repository, asked.branch)
    require_bound_issue(number)
    pull, response = await github.fetch(with_response(get_pull(repository, number)))
    return Found(
        repository=repository, pull=pull, response=response, others=tuple(others), by_branch=True
    )


async def _open_from(github: GitHub, repository: Repository, branch: str) -> list[int]:
    """Return the numbers of the open pull requests from a branch, the newest first."""
    source = refs.head(branch, "branch")
    require_bound("The branch", source.branch, "branch")
    label = source.of(repository.owner)
    filters = {"head": label, "state": "open", "sort": "created", "direction": "desc"}
    page = await github.fetch(list_pulls(repository, filters, per_page=_MOST_OTHERS))
    numbers = [one.number for one in page.items if one.head.ref == source.branch]
    if not numbers:
        raise NotFound(
            f"No open pull request of {repository.slug} comes from the branch {label}.",
            hint="Pass pr_number for a closed one, or owner:branch for the branch of a fork; "
            "github_create_pr opens one.",
            details={"reason": "no_open_pull_request", "branch": label},
        )
    return numbers


def _unsaid() -> InvalidInput:
    problem = "is required, or branch"
    return InvalidInput(
        "Neither pr_number nor branch is given.",
        hint="Pass pr_number, or branch to find the open pull request that comes from it.",
        details={"field_errors": [{"field": "pr_number", "problem": problem, "kind": "missing"}]},
    )
