"""What the tools about uploaded files return."""

from datetime import datetime

from trunkline_project_reader.results import Author, ListResult
from trunkline_shared.listing import Entry


class UploadEntry(Entry):
    """An uploaded file: `type` is its media type, `size` in bytes, `description` Markdown.

    Its download needs the account's token.
    """

    id: int = 0
    filename: str = ""
    type: str = ""
    size: int | None = None
    download_url: str = ""
    url: str = ""
    description: str = ""
    author: Author | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    comments_count: int = 0


class Uploads(ListResult):
    """A part of a vault's files, by its id."""

    vault_id: int
    items: list[UploadEntry]
