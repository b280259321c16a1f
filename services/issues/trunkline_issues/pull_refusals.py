"""What GitHub's refusals of a new pull request mean, by the words that stand for them alone."""

from trunkline_issues.refs import Head
from trunkline_shared.errors import (
    BranchNotFound,
    InvalidInput,
    NotFound,
    PermissionDenied,
    TrunklineError,
    Unsupported,
)

_NO_COMMITS = "no commits between"
_NO_DRAFTS = "draft pull requests are not supported"
_EXISTS = "already_exists"


def exists_already(error: TrunklineError) -> bool:
    """Whether the refusal says that there is an open one for the same head and base."""
    return error.details.get("reason") == _EXISTS


def without_drafts(error: InvalidInput) -> InvalidInput | Unsupported:
    """Return the refusal of a draft; where the plan has none, as that."""
    if _NO_DRAFTS not in error.message.lower():
        return error
    return Unsupported(
        "The repository's plan has no draft pull requests.",
        hint="Open it, or leave it, with draft=false.",
        details={**error.details, "reason": "drafts_unsupported"},
    )


def understood(error: TrunklineError, base: str, head: Head) -> TrunklineError:
    """Return the refusal with what it means for the one who asked."""
    said = error.message.lower()
    if isinstance(error, InvalidInput) and _NO_COMMITS in said:
        return InvalidInput(
            f"{head.label} has no commits that {base} lacks.",
            hint="Commit and push to the head branch first, or choose another base.",
            details={**error.details, "reason": "no_commits"},
        )
    if isinstance(error, InvalidInput) and _NO_DRAFTS in said:
        return without_drafts(error)
    if isinstance(error, PermissionDenied | NotFound):
        hint = (
            "Opening a pull request takes read access to the base repository and push access to "
            f"the head's. {error.hint or ''}"
        )
        return type(error)(error.message, hint=hint.strip(), details=error.details)
    if isinstance(error, BranchNotFound):
        return BranchNotFound(
            f"GitHub knows no such branch: base {base!r} or head {head.label!r}. {error.message}",
            hint="Push the branch first; the branch of a fork is written owner:branch, and one of "
            "another repository of the same organization needs head_repo.",
            details=error.details,
        )
    return error
