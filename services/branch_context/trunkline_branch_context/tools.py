"""The tools: what an agent may ask about the checkout."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_branch_context import branch_list, registry
from trunkline_branch_context.branch_stack import branch_stack
from trunkline_branch_context.branch_tree import View, branch_tree
from trunkline_branch_context.checkout import Checkout
from trunkline_branch_context.compare import compare
from trunkline_branch_context.describe import describe, describe_current
from trunkline_branch_context.models import (
    BranchDivergence,
    BranchEntry,
    BranchInfo,
    BranchList,
    BranchStack,
    BranchTree,
    RepositoryEntry,
    RepositoryList,
    ResolvedBranches,
    WorktreeEntry,
    WorktreeList,
)
from trunkline_branch_context.names import shown
from trunkline_branch_context.tree_text import Style
from trunkline_branch_context.worktrees import Worktree, list_worktrees
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.listing import Fields, choose
from trunkline_shared.tool import tool

TIMEOUT_S = 10.0
DEFAULT = Policy(reads=Reads(ttl_s=0), timeout_s=TIMEOUT_S)
BRANCHES = Policy(reads=Reads(ttl_s=0), toolset="branches", timeout_s=TIMEOUT_S)

Name = Annotated[str, Field(min_length=1, max_length=1024, description="Branch; '.' is current")]
OptionalName = Annotated[str, Field(max_length=1024, description="Branch; default: current")]


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchTools:
    """Questions about single branches and how they are stacked."""

    checkout: Checkout

    @tool("Current branch", READ, DEFAULT, open_world=False)
    async def get_current_branch(self) -> BranchInfo:
        """Get the git branch checked out now: Jira issue, pull request, parent, commit, dirty.

        Works on a detached HEAD and without twig.
        """
        return await describe_current(self.checkout)

    @tool("Branch metadata", READ, DEFAULT, open_world=False)
    async def get_branch_metadata(self, branch: Name) -> BranchInfo:
        """Get Jira issue, pull request, parent, commit and upstream of one branch.

        Also of a branch that git no longer has but twig still tracks.
        """
        return await describe(self.checkout, branch)

    @tool("Branch tree", READ, DEFAULT, open_world=False)
    async def get_branch_tree(
        self,
        branch: Annotated[str, Field(max_length=1024, description="Root; default: all")] = "",
        *,
        max_depth: Annotated[int | None, Field(ge=0, description="Roots have depth 0")] = None,
        include_orphans: Annotated[bool, Field(description="Branches without a parent")] = True,
        style: Style = "plain",
    ) -> BranchTree:
        """Get the tree of stacked branches as text and data, with issues and pull requests."""
        view = View(
            branch=branch, max_depth=max_depth, include_orphans=include_orphans, style=style
        )
        return await branch_tree(self.checkout, view)

    @tool("Branch stack", READ, DEFAULT, open_world=False)
    async def get_branch_stack(self, branch: OptionalName = "") -> BranchStack:
        """Get the chain from a branch over its parents to the root, with issues and PRs."""
        return await branch_stack(self.checkout, branch)

    @tool("Branch divergence", READ, BRANCHES, open_world=False)
    async def get_branch_divergence(
        self,
        branch: Name,
        base: Annotated[
            str,
            Field(max_length=1024, description="Default: parent, else upstream, else root"),
        ] = "",
    ) -> BranchDivergence:
        """Count the commits a branch is ahead of and behind another; find their merge base."""
        return await compare(self.checkout, branch, base)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTools:
    """Lists of branches, repositories and worktrees."""

    checkout: Checkout

    @tool("List branches", READ, DEFAULT, open_world=False)
    async def list_branches(
        self,
        *,
        include_untracked: Annotated[bool, Field(description="Also those twig ignores")] = False,
        stale_days: Annotated[
            int | None, Field(ge=0, le=36500, description="Only without commits for so long")
        ] = None,
        page: Annotated[int, Field(ge=1, le=100_000)] = 1,
        fields: Fields = (),
    ) -> BranchList:
        """List the branches that twig tracks, with Jira issue, pull request and parent."""
        now = self.checkout.clock.now()
        overview = await self.checkout.overview()
        names = branch_list.chosen_names(
            overview,
            include_untracked=include_untracked,
            not_since=None if stale_days is None else now - stale_days * branch_list.DAY_S,
        )
        part, info = branch_list.page_of(names, page)
        return BranchList(
            branches=choose(branch_list.entries(overview, part), fields, BranchEntry),
            has_more=info.has_more,
            page_info=info,
            source=branch_list.source_at(now, overview.current_sha),
            warnings=list(overview.state.warnings),
        )

    @tool("Find branches by issue or pull request", READ, BRANCHES, open_world=False)
    async def resolve_branch(
        self,
        pr_number: Annotated[int | None, Field(ge=1)] = None,
        issue_key: Annotated[str, Field(max_length=255, description="e.g. PROJ-12")] = "",
    ) -> ResolvedBranches:
        """Find the branches that twig links to a pull request or a Jira issue."""
        overview = await self.checkout.overview()
        names = branch_list.linked(overview, pr_number, issue_key)
        return ResolvedBranches(
            branches=branch_list.entries(overview, names), warnings=list(overview.state.warnings)
        )

    @tool("List repositories", READ, DEFAULT, open_world=False)
    async def list_repositories(self, fields: Fields = ()) -> RepositoryList:
        """List the repositories on this machine that twig knows."""
        known = await self.checkout.registry.read()
        entries = [
            RepositoryEntry(
                name=each.name,
                path=self.checkout.path(each.path),
                last_fetch=each.last_fetch,
                exists=registry.exists(each),
            )
            for each in known.repositories
        ]
        return RepositoryList(
            repositories=choose(entries, fields, RepositoryEntry),
            page_info=branch_list.whole(len(entries)),
            source=branch_list.source_at(self.checkout.clock.now()),
            warnings=list(known.warnings),
        )

    @tool("List worktrees", READ, DEFAULT, open_world=False)
    async def get_worktrees(self, fields: Fields = ()) -> WorktreeList:
        """List the worktrees of this repository: those of git and those in twig's state."""
        here = await self.checkout.here()
        known = await list_worktrees(self.checkout.git, here.place, here.state.worktrees)
        top = str(here.place.toplevel)
        entries = [self._worktree(each, current=each.path == top) for each in known]
        return WorktreeList(
            worktrees=choose(entries, fields, WorktreeEntry),
            page_info=branch_list.whole(len(entries)),
            source=branch_list.source_at(self.checkout.clock.now(), here.head.sha),
            warnings=list(here.state.warnings),
        )

    def _worktree(self, each: Worktree, *, current: bool) -> WorktreeEntry:
        return WorktreeEntry(
            name=each.name,
            path=self.checkout.path(each.path),
            branch=each.branch,
            head=each.head,
            locked=each.locked,
            locked_reason=None if each.locked_reason is None else shown(each.locked_reason),
            prunable=each.prunable,
            bare=each.bare,
            current=current,
            in_state=each.in_state,
            in_git=each.in_git,
        )
