"""What the tools about labels return."""

from typing import Literal

from trunkline_issues.issue_models import Result
from trunkline_shared.listing import Entry, PageInfo, Source


class LabelsAdded(Result):
    """The labels of an issue; `missing` are those that the repository lacks and nobody made.

    `suggestions` has the nearest existing names of each.
    """

    success: Literal[True] = True
    issue_number: int
    labels_added: list[str]
    already_present: list[str]
    missing: list[str]
    suggestions: dict[str, list[str]]
    labels: list[str]


class LabelRemoved(Result):
    """A label that an issue no longer has; `existed` says whether it still had it."""

    removed: Literal[True] = True
    issue_number: int
    existed: bool
    labels: list[str]


class LabelEntry(Entry):
    """A label of a repository."""

    name: str = ""
    description: str = ""
    color: str = ""
    default: bool = False


class Labels(Result):
    """A page of a repository's labels."""

    labels: list[LabelEntry]
    page_info: PageInfo
    has_more: bool
    source: Source
