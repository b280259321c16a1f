"""What the tools about messages return."""

from datetime import datetime

from trunkline_project_reader.results import Author, File, ListResult, Result
from trunkline_shared.listing import Entry, PageInfo


class MessageEntry(Entry):
    """A message of a list; `title` is its subject, `content` Markdown (null when not asked for)."""

    id: int = 0
    title: str = ""
    author: Author | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    url: str = ""
    content: str | None = None
    comments_count: int = 0
    category: str | None = None


class Messages(ListResult):
    """A part of a message board, by its id."""

    message_board_id: int
    items: list[MessageEntry]


class CommentEntry(Entry):
    """A comment; `content` is Markdown."""

    id: int = 0
    author: Author | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    url: str = ""
    content: str = ""


class Message(Result):
    """A message in full; `content` is Markdown.

    `comments` is there when asked for; where `comments_page` has more, list_recording_comments
    goes on with its cursor.
    """

    id: int
    title: str
    author: Author | None
    status: str
    created_at: datetime | None
    updated_at: datetime | None
    url: str
    content: str
    comments_count: int
    category: str | None
    attachments: list[File]
    mentions: list[str]
    comments: list[CommentEntry] | None = None
    comments_page: PageInfo | None = None
