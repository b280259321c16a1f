"""Which commit a call is about: the head of a pull request, or what a reference names."""

from dataclasses import dataclass
from datetime import datetime

from trunkline_ci_status.ownership import Subject, belongs, require_own
from trunkline_shared.errors import InvalidInput, NotFound, TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.commits import get_commit
from trunkline_shared.github.pulls import get_pull
from trunkline_shared.github.repository import Repository
from trunkline_shared.github.targets import require_bound_issue

_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What the caller named: a pull request, a reference, or one within the other."""

    repository: Repository
    pr_number: int | None
    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A commit; `branch` is the one whose rules say what is required."""

    head_sha: str
    branch: str
    pr_number: int | None = None
    opened_at: datetime | None = None
    follows_head: bool = False


async def find_target(github: GitHub, aim: Aim) -> Target:
    """Read which commit `aim` means now.

    Raises InvalidInput when it names nothing, NotFound for an unknown reference, BlockedByPolicy
    for a commit that is not of the bound pull request.
    """
    if aim.pr_number is not None:
        require_bound_issue(aim.pr_number)
        return await _in_pull(github, aim, aim.pr_number)
    if not aim.ref:
        raise InvalidInput(
            "pr_number or ref must be given.",
            hint="Pass pr_number, or ref with a commit SHA, branch or tag.",
            details={"field_errors": [{"field": "pr_number", "problem": "is required"}]},
        )
    sha = await commit_sha(github, aim.repository, aim.ref)
    return Target(head_sha=sha, branch=aim.ref)


async def _in_pull(github: GitHub, aim: Aim, number: int) -> Target:
    pull = await github.fetch(get_pull(aim.repository, number))
    target = Target(
        head_sha=pull.head.sha,
        branch=pull.base.ref,
        pr_number=number,
        opened_at=pull.created_at,
        follows_head=True,
    )
    if aim.ref in {"", pull.head.sha, pull.head.ref}:
        return target
    sha = await commit_sha(github, aim.repository, aim.ref)
    subject = Subject(name=f"commit {aim.ref}", head_sha=sha)
    if not await belongs(github, aim.repository, subject, number):
        raise InvalidInput(
            f"ref {aim.ref!r} is no commit of pull request {number}.",
            hint="Pass pr_number or ref, not both.",
            details={"field_errors": [{"field": "ref", "problem": "is another commit"}]},
        )
    return Target(head_sha=sha, branch=pull.base.ref, pr_number=number)


async def commit_sha(github: GitHub, repository: Repository, ref: str) -> str:
    """Return the SHA of the commit that a SHA, branch or tag names.

    Raises NotFound when there is none, BlockedByPolicy for one of another pull request.
    """
    try:
        commit = await github.fetch(get_commit(repository, ref))
    except TrunklineError as error:
        if error.details.get("http_status") != _UNPROCESSABLE:
            raise
        raise NotFound(
            f"ref {ref!r} names no commit of {repository.slug}.",
            hint="Pass a commit SHA, a branch or a tag of the repository.",
            details={"reason": "unknown_ref"},
        ) from None
    await require_own(github, repository, Subject(name=f"commit {ref}", head_sha=commit.sha))
    return commit.sha
