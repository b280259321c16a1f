"""The parts of a branch's context: its own facts, and what other servers know, each by itself."""

from pydantic import BaseModel, ConfigDict

from trunkline_branch_context.models import BranchInfo
from trunkline_shared.work.part import Part
from trunkline_shared.work.summaries import CiSummary, IssueSummary, PullSummary


class Parts(BaseModel):
    """What other servers know of one branch."""

    model_config = ConfigDict(frozen=True)

    pull_request: Part[PullSummary]
    ci: Part[CiSummary]
    jira: Part[IssueSummary]


class BranchContext(Parts):
    """The combined view of one branch; each part degrades on its own."""

    branch: BranchInfo
