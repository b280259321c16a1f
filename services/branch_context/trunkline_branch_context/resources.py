"""The resources: the tree, the branches, and each branch's context, as JSON."""

from dataclasses import dataclass
from typing import Annotated

from mcp.server.mcpserver import ResourceSecurity
from pydantic import BaseModel, Field

from trunkline_branch_context import branch_list
from trunkline_branch_context.branch_tree import View, branch_tree
from trunkline_branch_context.checkout import Checkout
from trunkline_branch_context.context import Contexts
from trunkline_branch_context.models import BranchList
from trunkline_branch_context.uris import BRANCHES_URI, CONTEXT_TEMPLATE, TREE_URI
from trunkline_shared.server import ToolServer

JSON = "application/json"

A_NAME = ResourceSecurity(exempt_params=frozenset({"name"}))
"""A branch's name holds slashes and is looked up in a list; it never becomes a path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What can be read and subscribed to."""

    checkout: Checkout
    contexts: Contexts

    async def tree(self) -> str:
        """Dependency tree of the branches."""
        return _json(await branch_tree(self.checkout, View()))

    async def branches(self) -> str:
        """All tracked branches with their issue, pull request and parent."""
        now = self.checkout.clock.now()
        overview = await self.checkout.overview()
        names = branch_list.chosen_names(overview, include_untracked=False, not_since=None)
        return _json(
            BranchList(
                branches=branch_list.entries(overview, names),
                page_info=branch_list.whole(len(names)),
                source=branch_list.source_at(now, overview.current_sha),
                warnings=list(overview.state.warnings),
            )
        )

    async def context(
        self, name: Annotated[str, Field(description="Branch, percent-encoded; '.' is current")]
    ) -> str:
        """Branch with its pull request, CI and Jira issue; what cannot be read says why."""
        return _json(await self.contexts.of(name))


def _json(answer: BaseModel) -> str:
    return answer.model_dump_json()


def add_resources(server: ToolServer, resources: Resources) -> None:
    """Register the resources with `server`."""
    server.resource(TREE_URI, name="tree", title="Branch tree", mime_type=JSON)(resources.tree)
    server.resource(BRANCHES_URI, name="branches", title="Tracked branches", mime_type=JSON)(
        resources.branches
    )
    server.resource(
        CONTEXT_TEMPLATE, name="context", title="Branch context", mime_type=JSON, security=A_NAME
    )(resources.context)
