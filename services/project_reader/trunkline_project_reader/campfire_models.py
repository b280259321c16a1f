"""What the tools about campfires return."""

from datetime import datetime

from pydantic import Field

from trunkline_project_reader.results import Author, File, ListResult
from trunkline_shared.listing import Entry


class LineEntry(Entry):
    """A line of a campfire; `text` is Markdown, empty when it shows files only."""

    id: int = 0
    author: Author | None = None
    created_at: datetime | None = None
    text: str = ""
    attachments: list[File] = Field(default_factory=list)
    url: str = ""


class Lines(ListResult):
    """A part of what was said in a campfire, newest first, by its id."""

    chat_id: int
    items: list[LineEntry]
