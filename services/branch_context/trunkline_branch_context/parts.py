"""The parts of a branch's context: its own facts, and what other servers know, each by itself."""

from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from trunkline_branch_context.models import BranchInfo
from trunkline_branch_context.summaries import CiSummary, IssueSummary, PullSummary
from trunkline_shared.errors import TrunklineError

DataT = TypeVar("DataT", PullSummary, CiSummary, IssueSummary)


class Part(BaseModel, Generic[DataT]):
    """What another server knows, or why it is missing; text in `data` is from strangers."""

    model_config = ConfigDict(frozen=True)

    available: bool = False
    data: DataT | None = None
    error_code: str | None = None
    message: str | None = None
    hint: str | None = None
    retryable: bool = False

    @classmethod
    def having(cls, data: DataT) -> "Part[DataT]":
        """Return a part that is there."""
        return cls(available=True, data=data)

    @classmethod
    def without(cls, error: TrunklineError) -> "Part[DataT]":
        """Return a part that is missing, with what an agent may do about it."""
        return cls(
            error_code=error.code,
            message=error.message,
            hint=error.hint,
            retryable=error.retryable,
        )


class Parts(BaseModel):
    """What other servers know of one branch."""

    model_config = ConfigDict(frozen=True)

    pull_request: Part[PullSummary]
    ci: Part[CiSummary]
    jira: Part[IssueSummary]


class BranchContext(Parts):
    """The combined view of one branch; each part degrades on its own."""

    branch: BranchInfo
