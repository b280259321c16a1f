"""The branch that other servers are asked about, and where it is hosted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trunkline_branch_context.default_repository import git_host
from trunkline_branch_context.git import Git
from trunkline_branch_context.models import BranchInfo
from trunkline_branch_context.remotes import HostedRepository, hosted_repositories
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_shared.errors import TrunklineError


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A branch, by what is known of it here; `upstream` is written as people do."""

    branch: str
    pr_number: int | None = None
    issue_key: str | None = None
    head_sha: str | None = None
    upstream: str | None = None


def subject_of(branch: BranchInfo) -> Subject:
    """Return the subject of a branch that has a name."""
    return Subject(
        branch=branch.branch or "",
        pr_number=branch.pr_number,
        issue_key=branch.issue_key,
        head_sha=branch.head_sha,
        upstream=branch.upstream,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosting:
    """The repository that the checkout stands for, and the remotes on the same host."""

    repository: str = ""
    remotes: Sequence[HostedRepository] = ()

    @property
    def owner(self) -> str:
        return self.repository.partition("/")[0]

    @property
    def arguments(self) -> Mapping[str, str]:
        """What names the repository in a call; nothing where the router has to know it."""
        if not self.repository:
            return {}
        return {"owner": self.owner, "repo": self.repository.partition("/")[2]}

    def head(self, subject: Subject) -> str:
        """Return how GitHub writes the branch: with its owner where a fork is pushed to."""
        for remote in self.remotes:
            pushed = subject.upstream == f"{remote.remote}/{subject.branch}"
            if pushed and self.owner and remote.owner.casefold() != self.owner.casefold():
                return f"{remote.owner}:{subject.branch}"
        return subject.branch


async def find_hosting(git: Git, settings: BranchContextSettings) -> Hosting:
    """Return where the checkout is hosted: as configured, else by its remotes on GitHub's host."""
    try:
        found = await hosted_repositories(git)
    except TrunklineError:
        found = []
    host = git_host(settings.github_api_url)
    remotes = [each for each in found if each.host == host]
    first = remotes[0].full_name if remotes else ""
    return Hosting(repository=settings.github_repository or first, remotes=remotes)
