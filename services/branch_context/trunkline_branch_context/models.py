"""What the tools answer."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from trunkline_shared.listing import Entry, PageInfo, Source


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True)


class WorktreeName(_Answer):
    """The working tree that a branch is checked out in; `path` only where paths may be told."""

    name: str
    path: str | None = None
    linked: bool = False


class BranchInfo(_Answer):
    """One branch, or a detached HEAD."""

    branch: Annotated[str | None, Field(description="null when HEAD is detached")]
    jira_issue: str | None = None
    issue_key: Annotated[
        str | None, Field(description="jira_issue, else the key in the branch's name")
    ] = None
    pr_number: int | None = None
    parent_branch: str | None = None
    created_at: Annotated[str | None, Field(description="when twig began to track it")] = None
    detached: bool = False
    unborn: Annotated[bool, Field(description="no commit yet")] = False
    head_sha: str | None = None
    upstream: str | None = None
    ahead: Annotated[int | None, Field(description="commits that upstream lacks")] = None
    behind: Annotated[int | None, Field(description="commits of upstream that it lacks")] = None
    dirty: Annotated[
        bool | None, Field(description="tracked files differ; null: not checked out, or unknown")
    ] = None
    worktree: WorktreeName | None = None
    exists_locally: bool = True
    tracked: Annotated[bool, Field(description="twig knows it")] = False
    current: bool = False
    warnings: list[str] = []


class StackedBranch(_Answer):
    """One step of a stack."""

    branch: str
    jira_issue: str | None = None
    pr_number: int | None = None
    parent_branch: str | None = None
    created_at: str | None = None
    secondary_parents: list[str] = []
    exists_locally: bool = True
    current: bool = False


class BranchStack(_Answer):
    """A branch and what it stands on."""

    stack: Annotated[list[StackedBranch], Field(description="the branch first, its root last")]
    cycle: Annotated[bool, Field(description="the parents lead back into the stack")] = False
    secondary_parents: list[str] = []
    truncated: bool = False
    warnings: list[str] = []


class TreeBranch(_Answer):
    """One branch of the tree."""

    branch: str
    children: list[str] = []
    jira_issue: str | None = None
    pr_number: int | None = None
    current: bool = False
    orphan: Annotated[bool, Field(description="no parent; hung under the default root")] = False
    also_parents: list[str] = []
    cycle: bool = False
    ahead: Annotated[int | None, Field(description="commits that the branch above lacks")] = None
    behind: Annotated[int | None, Field(description="commits of the branch above it lacks")] = None


class BranchTree(_Answer):
    """The dependency tree, as text and as branches in the text's order."""

    root: str | None
    roots: list[str]
    tree_text: str
    branches: list[TreeBranch]
    not_shown: Annotated[int, Field(description="branches left out by depth or size")] = 0
    warnings: list[str] = []


class BranchEntry(Entry):
    """One branch of a list."""

    branch: str = ""
    jira_issue: str | None = None
    pr_number: int | None = None
    parent_branch: str | None = None
    created_at: str | None = None
    tracked: bool = False
    exists_locally: bool = True
    current: bool = False
    head_sha: str | None = None
    committed_at: str | None = None
    upstream: str | None = None


class BranchList(_Answer):
    """Branches sorted by name."""

    branches: list[BranchEntry]
    has_more: bool = False
    page_info: PageInfo
    source: Source
    warnings: list[str] = []


class RepositoryEntry(Entry):
    """One repository that twig knows; `path` only where paths may be told."""

    name: str = ""
    path: str | None = None
    last_fetch: str | None = None
    exists: bool = False


class RepositoryList(_Answer):
    """The repositories in the registry's order."""

    repositories: list[RepositoryEntry]
    has_more: bool = False
    page_info: PageInfo
    source: Source
    warnings: list[str] = []


class WorktreeEntry(Entry):
    """One worktree; `path` only where paths may be told."""

    name: str = ""
    path: str | None = None
    branch: str | None = None
    head: str | None = None
    locked: bool = False
    locked_reason: str | None = None
    prunable: bool = False
    bare: bool = False
    current: bool = False
    in_state: bool = False
    in_git: bool = False


class WorktreeList(_Answer):
    """The worktrees, the main one first."""

    worktrees: list[WorktreeEntry]
    has_more: bool = False
    page_info: PageInfo
    source: Source
    warnings: list[str] = []


class ResolvedBranches(_Answer):
    """The branches linked to a pull request or an issue; none is an empty list."""

    branches: list[BranchEntry]
    warnings: list[str] = []


class BranchDivergence(_Answer):
    """How far a branch has grown away from its base."""

    branch: str
    base: str
    base_is: Annotated[str, Field(description="given, parent, upstream or root")]
    ahead: Annotated[int, Field(description="commits that only the branch has")]
    behind: Annotated[int, Field(description="commits that only the base has")]
    merge_base: Annotated[str | None, Field(description="null: no common history")]
    head_sha: str
    base_sha: str
