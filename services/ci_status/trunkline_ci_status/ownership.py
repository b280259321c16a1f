"""Whether a run, a check or a commit belongs to the pull request that the context is bound to.

All of them are addressed by a number or SHA of their own, which no router can judge.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from trunkline_shared.binding import bound, outside_binding
from trunkline_shared.errors import NotFound
from trunkline_shared.github.check_models import CheckRun, PullReference, WorkflowRun
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.commits import MOST_OF_PULL, list_commits_of_pull
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.github.pulls import get_pull
from trunkline_shared.github.repository import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Something of CI, by what tells whose it is; `pulls` is empty for forks."""

    name: str
    head_sha: str
    head_branch: str | None = None
    head_repository: str | None = None
    pulls: tuple[PullReference, ...] = ()


def run_as_subject(run: WorkflowRun) -> Subject:
    """Return a run by what tells whose it is."""
    home = run.head_repository
    return Subject(
        name=f"workflow run {run.id}",
        head_sha=run.head_sha,
        head_branch=run.head_branch,
        head_repository=home.full_name if home is not None else None,
        pulls=run.pull_requests or (),
    )


def check_as_subject(check: CheckRun) -> Subject:
    """Return a check run by what tells whose it is."""
    return Subject(name=f"check run {check.id}", head_sha=check.head_sha, pulls=check.pull_requests)


def bound_pull_number() -> int | None:
    """Return the pull request that the context is bound to, if it is to any."""
    number = bound("pr_number")
    return int(number) if number is not None and str(number).isdecimal() else None


async def bound_pull(github: GitHub, repository: Repository) -> PullRequest | None:
    """Read the pull request that the context is bound to, if it is to any."""
    number = bound_pull_number()
    return None if number is None else await github.fetch(get_pull(repository, number))


async def require_own(github: GitHub, repository: Repository, subject: Subject) -> None:
    """Check that `subject` is of the bound pull request, if the context is bound to any.

    Raises BlockedByPolicy.
    """
    number = bound_pull_number()
    if number is not None and not await belongs(github, repository, subject, number):
        raise outside_binding(f"The {subject.name} belongs to other work", "pr_number")


async def belongs(github: GitHub, repository: Repository, subject: Subject, number: int) -> bool:
    """Whether `subject` is of a pull request: it names it, or shares its head.

    A commit that was its head before counts too.
    """
    if any(_is_here(one, repository, number) for one in subject.pulls):
        return True
    try:
        pull = await github.fetch(get_pull(repository, number))
    except NotFound:
        return False
    if shares_head(pull, subject):
        return True
    commits = await github.collect(list_commits_of_pull(repository, number), limit=MOST_OF_PULL)
    return subject.head_sha in {commit.sha for commit in commits.items}


def shares_head(pull: PullRequest, subject: Subject) -> bool:
    """Whether something is of the head of a pull request: its commit, or its very branch."""
    if subject.head_sha == pull.head.sha:
        return True
    home = pull.head.repo.full_name if pull.head.repo is not None else None
    theirs = subject.head_repository
    same_home = home is not None and theirs is not None and home.lower() == theirs.lower()
    return same_home and subject.head_branch == pull.head.ref


def _is_here(pull: PullReference, repository: Repository, number: int) -> bool:
    """Whether a reference is to this number of this repository, not of another one."""
    wanted = f"/repos/{repository.slug}/pulls/{number}".lower()
    return pull.number == number and urlsplit(pull.url).path.lower().endswith(wanted)
