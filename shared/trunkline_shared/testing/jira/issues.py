"""What a stand-in Jira keeps: projects, issues and all that hangs on them."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from trunkline_shared.testing.jira.people import User

Category = Literal["new", "indeterminate", "done"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A status of a workflow; `category` None is one whose category Jira does not tell."""

    id: str
    name: str
    category: Category | None


TO_DO = Status(id="10000", name="To Do", category="new")
IN_PROGRESS = Status(id="3", name="In Progress", category="indeterminate")
DONE = Status(id="10001", name="Done", category="done")


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueType:
    """A type of issue; subtasks have types of their own."""

    id: str
    name: str
    subtask: bool = False


STORY = IssueType(id="10004", name="Story")
BUG = IssueType(id="10005", name="Bug")
EPIC = IssueType(id="10000", name="Epic")
SUBTASK = IssueType(id="10003", name="Sub-task", subtask=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkType:
    """How one issue stands to another, read from either end."""

    name: str
    inward: str
    outward: str


BLOCKS = LinkType(name="Blocks", inward="is blocked by", outward="blocks")
RELATES = LinkType(name="Relates", inward="relates to", outward="relates to")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenField:
    """A field that a transition asks for."""

    id: str
    name: str
    kind: str = "string"
    required: bool = False
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A way to a status; out of every status when `sources` is empty."""

    id: str
    name: str
    to: Status
    sources: tuple[Status, ...] = ()
    fields: tuple[ScreenField, ...] = ()

    def out_of(self, issue: "Issue") -> bool:
        """Whether an issue may take it now."""
        return issue.status != self.to and (not self.sources or issue.status in self.sources)


RESOLUTION = ScreenField(
    id="resolution", name="Resolution", kind="resolution", allowed=("Done", "Won't Do")
)
WORKFLOW = (
    Transition(id="11", name="Back to To Do", to=TO_DO),
    Transition(id="21", name="Start work", to=IN_PROGRESS),
    Transition(id="31", name="Finish", to=DONE, sources=(IN_PROGRESS,), fields=(RESOLUTION,)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomField:
    """A field that an administrator added; several may have one name."""

    id: str
    name: str
    kind: str = "string"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visibility:
    """Who may see a comment."""

    type: Literal["role", "group"]
    value: str


@dataclass(slots=True, kw_only=True, eq=False)
class Project:
    """A project; nobody in particular may browse it (`members` None), or only its members.

    A public one is shown to those who are not logged in, too.
    """

    id: str
    key: str
    name: str
    type: str = "software"
    public: bool = False
    members: list[User] | None = None
    last_number: int = 0


@dataclass(slots=True, kw_only=True, eq=False)
class Comment:
    """A comment; `author` None is a deleted account. `public` is Service Management's flag."""

    id: str
    author: User | None
    body: object
    created: datetime
    updated: datetime
    visibility: Visibility | None = None
    public: bool | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Attachment:
    """A file of an issue; `media_id` is what Cloud's documents call it."""

    id: str
    filename: str
    author: User | None
    created: datetime
    mime_type: str = "image/png"
    size: int = 1024
    media_id: str = ""


@dataclass(slots=True, kw_only=True, eq=False)
class Link:
    """One end of a link: this issue is at the outward end when `outward` says so."""

    id: str
    type: LinkType
    other: "Issue"
    outward: bool


@dataclass(slots=True, kw_only=True, eq=False)
class Issue:
    """An issue; texts are wiki text, or on Cloud documents (a str is put into one).

    `custom` holds values by the field's id, as Jira sends them.
    """

    id: str
    project: Project
    number: int
    summary: str
    description: object
    type: IssueType
    status: Status
    reporter: User | None
    created: datetime
    updated: datetime
    assignee: User | None = None
    priority: str | None = "Medium"
    resolution: str | None = None
    resolved: datetime | None = None
    labels: list[str] = field(default_factory=list)
    fix_versions: list[str] = field(default_factory=list)
    components: list[str] = field(default_factory=list)
    due: str | None = None
    parent: "Issue | None" = None
    subtasks: list["Issue"] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    custom: dict[str, object] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return f"{self.project.key}-{self.number}"
