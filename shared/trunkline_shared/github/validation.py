"""What a 422 means: branch, line, exists, too long, other; in this order.

Decided by code and field where GitHub gives them; its sentences count only for the entries that
carry nothing else (`code: custom`, or a plain string).
"""

from collections.abc import Callable

from trunkline_shared.errors import (
    BranchNotFound,
    Conflict,
    InvalidInput,
    LineNotInDiff,
    TooLarge,
    TrunklineError,
)
from trunkline_shared.github.refusal import FieldError, Refusal, facts, field_errors

_LINE_FIELDS = frozenset({
    "line", "start_line", "side", "start_side", "position", "path", "diff_hunk"
})  # fmt: skip
_LINE_WORDS = ("part of the diff", "line could not be resolved", "path could not be resolved")
_PENDING_WORDS = "one pending review"


def unprocessable(refusal: Refusal) -> TrunklineError:
    """Return the failure that a 422 is."""
    for is_it, build in _ORDER:
        if any(is_it(error) for error in refusal.errors):
            return build(refusal)
    return _other(refusal)


def _is_branch(error: FieldError) -> bool:
    return error.field in {"head", "base"} and error.code in {"invalid", "missing"}


def _is_line(error: FieldError) -> bool:
    if error.resource and not error.resource.startswith("PullRequestReview"):
        return False
    by_field = bool(error.resource) and error.field.rpartition(".")[2] in _LINE_FIELDS
    return by_field or _says(error, *_LINE_WORDS)


def _exists(error: FieldError) -> bool:
    return error.code == "already_exists" or _says(error, "already exists", _PENDING_WORDS)


def _is_too_long(error: FieldError) -> bool:
    return error.code in {"too_long", "too_large"} or _says(error, "is too long")


def _says(error: FieldError, *words: str) -> bool:
    return error.code in {"", "custom", "unprocessable"} and any(
        word in error.message.lower() for word in words
    )


def _branch(refusal: Refusal) -> TrunklineError:
    fields = sorted({e.field for e in refusal.errors if _is_branch(e)})
    return BranchNotFound(
        f"{refusal.sentence} ({' and '.join(fields)} names no branch of the repository)",
        hint="Push the branch first; a branch of a fork is written owner:branch.",
        details=_details(refusal, "branch"),
    )


def _line(refusal: Refusal) -> TrunklineError:
    return LineNotInDiff(
        refusal.sentence,
        hint="Comment only on lines of the pull request's diff, on the side that shows them.",
        details=_details(refusal, "line_not_in_diff"),
    )


def _already(refusal: Refusal) -> TrunklineError:
    pending = any(_says(e, _PENDING_WORDS) for e in refusal.errors)
    return Conflict(
        refusal.sentence,
        hint="Submit or delete the pending review first." if pending else "Use the existing one.",
        details=_details(refusal, "pending_review" if pending else "already_exists"),
    )


def _too_long(refusal: Refusal) -> TrunklineError:
    return TooLarge(
        refusal.sentence,
        hint="GitHub takes at most 65,536 characters; shorten or split the text.",
        details=_details(refusal, "too_long"),
    )


def _other(refusal: Refusal) -> TrunklineError:
    return InvalidInput(
        refusal.sentence,
        hint="Correct the arguments that the message names.",
        details=_details(refusal, "validation_failed"),
    )


def _details(refusal: Refusal, reason: str) -> dict[str, object]:
    return facts(refusal.response) | {
        "reason": reason,
        "field_errors": field_errors(refusal.errors),
    }


_ORDER: tuple[tuple[Callable[[FieldError], bool], Callable[[Refusal], TrunklineError]], ...] = (
    (_is_branch, _branch),
    (_is_line, _line),
    (_exists, _already),
    (_is_too_long, _too_long),
)
