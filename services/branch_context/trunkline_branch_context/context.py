"""A branch's context: what this server knows of it, and parts that other servers know."""

from pydantic import BaseModel, ConfigDict

from trunkline_branch_context.checkout import Checkout
from trunkline_branch_context.describe import describe
from trunkline_branch_context.models import BranchInfo


class Part(BaseModel):
    """A part of the context that another server has, or the reason why it is missing."""

    model_config = ConfigDict(frozen=True)

    available: bool = False
    error_code: str | None = None
    message: str | None = None


class BranchContext(BaseModel):
    """The combined view of one branch; each part degrades on its own."""

    model_config = ConfigDict(frozen=True)

    branch: BranchInfo
    pull_request: Part
    ci: Part
    jira: Part


async def branch_context(checkout: Checkout, name: str) -> BranchContext:
    """Return the context of a branch.

    Raises BranchNotFound, InvalidInput, NotFound (reason detached_head).
    """
    branch = await describe(checkout, name)
    pull_request = "no pull request is linked to the branch"
    if branch.pr_number is not None:
        pull_request = f"call get_pr_status with pr_number {branch.pr_number}"
    jira = "no Jira issue is linked to the branch"
    if branch.jira_issue is not None:
        jira = f"call get_jira_issue with issue_key {branch.jira_issue}"
    return BranchContext(
        branch=branch,
        pull_request=_elsewhere(pull_request),
        ci=_elsewhere(f"call get_ci_status for the branch's commit {branch.head_sha or '(none)'}"),
        jira=_elsewhere(jira),
    )


def _elsewhere(advice: str) -> Part:
    return Part(error_code="UNSUPPORTED", message=f"not included by this server: {advice}")
