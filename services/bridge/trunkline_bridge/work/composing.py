"""The whole of what is known of the work at hand, in time to answer."""

from dataclasses import dataclass
from typing import Final

from trunkline_bridge.work.asked import CURRENT, Asked, bound_number
from trunkline_bridge.work.gathering import Gathered, Gathering
from trunkline_bridge.work.models import WorkContext
from trunkline_shared.binding import outside_binding
from trunkline_shared.deadline import deadline_in, remaining
from trunkline_shared.errors import (
    BranchNotFound,
    InvalidInput,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.mesh.caller import entrance
from trunkline_shared.work.reading import PartReading

LONGEST_S: Final = 25.0
ANSWER_S: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Composing:
    """Composes work contexts in the name of the present call's caller."""

    reading: PartReading

    async def of(self, asked: Asked) -> WorkContext:
        """Return every part, or why it is missing.

        Raises Unsupported without a delegation, BlockedByPolicy for a branch that is not the bound
        pull request's, BranchNotFound, InvalidInput where nothing tells which branch is meant.
        """
        entrance("get_work_context")
        with deadline_in(remaining(LONGEST_S + ANSWER_S) - ANSWER_S):
            gathered = await Gathering(reading=self.reading, asked=asked).all()
        refusal = _refusal(asked, gathered)
        if refusal is not None:
            raise refusal
        return WorkContext(
            branch=gathered.found.here,
            pull_request=gathered.pull,
            ci=gathered.ci,
            threads=gathered.threads,
            jira=gathered.issue,
            todo=gathered.todo,
        )


def _refusal(asked: Asked, gathered: Gathered) -> TrunklineError | None:
    here, pull = gathered.found.here, gathered.pull
    if asked.branch not in {"", CURRENT}:
        return _of_named(asked, gathered)
    if here.available or bound_number() is not None:
        return None
    said = here.message or "The checkout does not tell"
    if here.retryable:
        return UpstreamUnavailable(f"No branch is known: {said}", hint=here.hint)
    if pull.available:
        return None
    return InvalidInput(
        f"No branch is known: {said}",
        hint="Pass branch, or use a context that is bound to a pull request.",
        details={"field_errors": [{"field": "branch", "problem": "is required here"}]},
    )


def _of_named(asked: Asked, gathered: Gathered) -> TrunklineError | None:
    here, pull = gathered.found.here, gathered.pull
    said = here.message or ""
    if bound_number() is not None and pull.data and _name(pull.data.head) != _name(asked.branch):
        return outside_binding(
            f"The branch {asked.branch!r} is not the pull request's", "pr_number"
        )
    if here.error_code == InvalidInput.code:
        return InvalidInput(said, hint=here.hint)
    if here.error_code == BranchNotFound.code and pull.error_code == "NOT_FOUND":
        return BranchNotFound(said, hint=here.hint)
    return None


def _name(head: str) -> str:
    """Return a branch's name without the owner of a fork."""
    return head.rpartition(":")[2]
