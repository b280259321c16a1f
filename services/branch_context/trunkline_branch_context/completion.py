"""Completion of branch names, for the prompt's argument and the template's variable."""

from collections.abc import Collection
from dataclasses import dataclass

from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from trunkline_branch_context.checkout import Checkout
from trunkline_branch_context.uris import CONTEXT_TEMPLATE
from trunkline_shared.errors import TrunklineError
from trunkline_shared.server import ToolServer

MOST = 100
"""The protocol's limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchCompletion:
    """Offers the branches that a caller may mean."""

    checkout: Checkout

    async def complete(
        self,
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,  # noqa: ARG002 - the SDK's signature
    ) -> Completion | None:
        """Return the branches that fit what is typed, or None for anything but a branch."""
        if not _asks_for_branch(ref, argument.name):
            return None
        try:
            overview = await self.checkout.overview()
        except TrunklineError:
            return None
        found = fitting(argument.value, overview.known)
        return Completion(values=found[:MOST], total=len(found), has_more=len(found) > MOST)


def fitting(typed: str, known: Collection[str]) -> list[str]:
    """Return the names that begin with what is typed, then those that hold it, each by name."""
    folded = typed.casefold()
    holding = sorted(name for name in known if folded in name.casefold())
    return sorted(holding, key=lambda name: not name.casefold().startswith(folded))


def _asks_for_branch(ref: PromptReference | ResourceTemplateReference, argument: str) -> bool:
    if isinstance(ref, PromptReference):
        return (ref.name, argument) == ("branch-context", "branch")
    return (ref.uri, argument) == (CONTEXT_TEMPLATE, "name")


def add_completion(server: ToolServer, completion: BranchCompletion) -> None:
    """Register the completion with `server`."""
    server.completion()(completion.complete)  # type: ignore[no-untyped-call] # the SDK's decorator has no types
