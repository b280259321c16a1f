"""What the results of all tools are made of."""

from collections.abc import Iterable
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from trunkline_project_reader.basecamp.listing import Listed
from trunkline_project_reader.basecamp.models import SentPerson
from trunkline_project_reader.html.attachment import Attachment
from trunkline_shared.listing import PageInfo, Source

T = TypeVar("T")


class Result(BaseModel):
    """A tool's answer, or a part of one."""

    model_config = ConfigDict(frozen=True)


class ListResult(Result):
    """A part of a list; `total_count` is null where nobody knows it."""

    has_more: bool
    page_info: PageInfo
    source: Source


class Author(Result):
    """Somebody; bots and people who have left have no e-mail address, some no id."""

    id: int | None
    name: str
    email: str | None


class File(Result):
    """Something attached to a text; its download needs the account's token."""

    filename: str
    content_type: str
    byte_size: int | None
    download_url: str
    url: str
    caption: str


def author_of(person: SentPerson | None) -> Author | None:
    """Return a person as an agent sees them."""
    if person is None:
        return None
    return Author(id=person.id, name=person.name, email=person.email_address or None)


def authors_of(people: Iterable[SentPerson]) -> list[Author]:
    """Return people as an agent sees them."""
    return [author for person in people if (author := author_of(person)) is not None]


def file_of(attachment: Attachment) -> File:
    """Return an attachment as an agent sees it."""
    return File(
        filename=attachment.filename,
        content_type=attachment.content_type,
        byte_size=attachment.byte_size,
        download_url=attachment.download_url,
        url=attachment.url,
        caption=attachment.caption,
    )


def ending(listed: Listed[T]) -> dict[str, object]:
    """Return the fields of a `ListResult` that say where the list ends and comes from."""
    return {"has_more": listed.has_more, "page_info": listed.page_info, "source": listed.source}
