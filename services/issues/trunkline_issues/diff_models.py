"""What the tools about a pull request's changes return."""

from typing import Literal

from pydantic import Field

from trunkline_issues.issue_models import Result
from trunkline_shared.listing import Entry, PageInfo, Source


class FileOfDiff(Result):
    """A file that the pull request changes.

    `included` says whether `diff` holds any of its lines, `partial` that it does not hold all.
    """

    path: str
    previous_path: str | None = None
    status: str
    additions: int
    deletions: int
    included: bool
    partial: bool = False


class Diff(Result):
    """A diff, or a page of one: the next begins at `next_offset`.

    `original_size_bytes` is that of the whole diff of the files asked for. `files` lacks those
    before `offset`. `hidden_characters` counts those in `diff` that cannot be seen and are shown
    as escapes, `shortened_lines` lines that were too long for a page.
    """

    pr_number: int
    diff: str
    truncated: bool
    warning: str | None = None
    original_size_bytes: int
    files: list[FileOfDiff]
    base_sha: str
    head_sha: str
    head_moved: bool = False
    source: Literal["diff", "files"]
    next_offset: int | None = None
    hidden_characters: int = 0
    shortened_lines: int = 0
    other_pull_requests: list[int] = Field(default_factory=list)


class ChangedFile(Entry):
    """A file of a list; `patch` is there when asked for and GitHub has one.

    Characters in it that cannot be seen are shown as escapes.
    """

    path: str = ""
    previous_path: str | None = None
    status: str = ""
    additions: int = 0
    deletions: int = 0
    patch: str | None = None


class ChangedFiles(Result):
    """A page of the files that a pull request changes; `total` is how many it has."""

    pr_number: int
    files: list[ChangedFile]
    total: int
    page_info: PageInfo
    has_more: bool
    hidden_characters: int = 0
    source: Source
    other_pull_requests: list[int] = Field(default_factory=list)
