"""The tool that tells all about the work at hand."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_bridge.work.asked import Asked
from trunkline_bridge.work.bounding import bounded
from trunkline_bridge.work.composing import Composing
from trunkline_bridge.work.models import WorkContext
from trunkline_shared.arguments import PLAIN
from trunkline_shared.contracts import READ, Policy
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkTools:
    """The work at hand in one call."""

    composing: Composing

    @tool("Get work context", READ, Policy(enforces=("pr_number", "issue_key")))
    async def get_work_context(
        self,
        *,
        branch: Annotated[str, Field(max_length=1024, description="Default: current")] = "",
        max_tokens: Annotated[int, Field(ge=300, le=6000), PLAIN] = 1500,
        owner: str = "",
        repo: str = "",
    ) -> WorkContext:
        """Tell all about the work at hand in one call: start here.

        branch, its pull_request with reviews, ci with failed jobs, unresolved review threads, the
        jira issue, the linked Basecamp todo. Each part is there (available, data) or says why not.
        left_out counts what max_tokens cut.
        """
        context = await self.composing.of(Asked(branch=branch.strip(), owner=owner, repo=repo))
        return bounded(context, max_tokens)
