"""What the tools about documents return."""

from datetime import datetime

from trunkline_project_reader.results import Author, File, ListResult, Result
from trunkline_shared.listing import Entry


class DocumentEntry(Entry):
    """A document of a vault; `excerpt` is how it begins, in plain text."""

    id: int = 0
    title: str = ""
    author: Author | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    url: str = ""
    excerpt: str = ""
    comments_count: int = 0


class Documents(ListResult):
    """A part of a vault's documents, by its id."""

    vault_id: int
    items: list[DocumentEntry]


class Document(Result):
    """A document in full; `content` is Markdown."""

    id: int
    title: str
    author: Author | None
    status: str
    created_at: datetime | None
    updated_at: datetime | None
    url: str
    content: str
    comments_count: int
    attachments: list[File]
    mentions: list[str]
