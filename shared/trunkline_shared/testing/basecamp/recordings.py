"""What projects are made of: recordings, each with an author, a state and comments."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Literal

from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.projects import DockTool, Project

Status = Literal["active", "archived", "trashed"]


@dataclass(slots=True, kw_only=True, eq=False)
class Attachment:
    """A file in a rich text, as the structured list beside the text tells of it."""

    id: int
    filename: str
    content_type: str = "application/pdf"
    byte_size: int = 1024
    width: int | None = None
    height: int | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class Recording:
    """The part that all recordings share; `type` is Basecamp's name for the kind.

    `route` is the family of its URL, such as `messages`.
    """

    type: ClassVar[str] = "Recording"
    route: ClassVar[str] = "recordings"

    id: int
    project: Project
    creator: Person | None
    created_at: datetime
    updated_at: datetime
    parent: "DockTool | Recording | None" = None
    status: Status = "active"
    visible_to_clients: bool = True
    comments: "list[Comment]" = field(default_factory=list)

    @property
    def title(self) -> str:
        return ""


@dataclass(slots=True, kw_only=True, eq=False)
class Comment(Recording):
    """A comment on a recording; `content` is HTML."""

    type = "Comment"
    route = "comments"

    content: str

    @property
    def title(self) -> str:
        return f"Re: {self.parent.title}" if self.parent is not None else "Re:"


@dataclass(slots=True, kw_only=True, eq=False)
class Category:
    """What a message is about: an announcement, a question, and so on."""

    id: int
    name: str
    icon: str


@dataclass(slots=True, kw_only=True, eq=False)
class Message(Recording):
    """A message of a board; `content` is HTML, null for one that is a subject only."""

    type = "Message"
    route = "messages"

    subject: str
    content: str | None = None
    category: Category | None = None
    attachments: list[Attachment] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.subject
