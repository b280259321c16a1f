"""What the tools that search return."""

from datetime import datetime

from trunkline_project_reader.results import Author, ListResult
from trunkline_project_reader.todo_models import Named
from trunkline_shared.listing import Entry


class Hit(Entry):
    """Something that was found; a file has no id of its own, its `parent` is what it is in.

    `excerpt` is plain text around the words.
    """

    id: int | None = None
    type: str = ""
    title: str = ""
    excerpt: str = ""
    url: str = ""
    project: Named | None = None
    parent: Named | None = None
    author: Author | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


class Hits(ListResult):
    """A part of what was found, the most relevant first."""

    items: list[Hit]
