"""Lines of a campfire: what people say, and the files that they show one another."""

from dataclasses import dataclass, field
from typing import Literal

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.projects import DockTool
from trunkline_shared.testing.basecamp.recordings import Attachment, Recording

LineKind = Literal["Text", "RichText", "Code", "Upload"]


@dataclass(slots=True, kw_only=True, eq=False)
class Line(Recording):
    """A line; `content` is HTML in one of rich text, plain in others, null for a file."""

    type = "Chat::Lines::RichText"
    route = "lines"

    kind: LineKind = "RichText"
    content: str | None = ""
    attachments: list[Attachment] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.content or ", ".join(one.filename for one in self.attachments)


def add_line(
    account: Account,
    chat: DockTool,
    creator: Person | None,
    content: str | None,
    kind: LineKind = "RichText",
) -> Line:
    """Say something in a campfire."""
    now = account.times.tick()
    return account.keep(
        Line(
            id=account.times.next_id(),
            project=chat.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=chat,
            kind=kind,
            content=content,
        )
    )
