"""What Basecamp sends, as far as it is read here.

Anything may be null: the examples of Basecamp's documentation show it, its published types deny it.
"""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from trunkline_project_reader.html.attachment import ListedAttachment
from trunkline_shared.untrusted import sanitize


def _text(value: object) -> object:
    return "" if value is None else value


def _number(value: object) -> object:
    return 0 if value is None else value


def _id(value: object) -> object:
    """Read an id; those of Basecamp's own actors are words, which are none."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


def _numbered(value: object) -> object:
    read = _id(value)
    return read if isinstance(read, int) and not isinstance(read, bool) else None


def _list(value: object) -> object:
    return () if value is None else value


def _truth(value: object) -> object:
    return False if value is None else value


def _in_utc(value: datetime) -> datetime:
    return value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)


Html = Annotated[str, BeforeValidator(_text)]
"""A rich text, which `bodies` has yet to read."""

Words = Annotated[str, BeforeValidator(_text), AfterValidator(sanitize)]
Count = Annotated[int, BeforeValidator(_number)]
Truth = Annotated[bool, BeforeValidator(_truth)]
PersonId = Annotated[int | None, BeforeValidator(_numbered)]
When = Annotated[datetime, AfterValidator(_in_utc)]
OrNothing = BeforeValidator(_list)
"""Reads null as an empty list."""

Attached = Annotated[tuple[ListedAttachment, ...], OrNothing]
"""The structured list beside a rich text."""


class Sent(BaseModel):
    """A JSON object of Basecamp."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SentPerson(Sent):
    """A person, a bot, or the tombstone of one who left; the last two have no e-mail address."""

    id: PersonId = None
    name: Words = ""
    email_address: Words = ""
    personable_type: Words = ""
    title: Words = ""
    client: Truth = False


class SentBucket(Sent):
    """What a recording lies in: a project, most often."""

    id: int
    name: Words = ""
    type: Words = ""


class SentParent(Sent):
    """What a recording hangs on."""

    id: int
    title: Words = ""
    type: Words = ""
    app_url: Words = ""


class SentRecording(Sent):
    """What nearly everything in a project is: an entry with a place, an author and a state."""

    id: int
    status: Words = ""
    type: Words = ""
    title: Words = ""
    created_at: When | None = None
    updated_at: When | None = None
    app_url: Words = ""
    bucket: SentBucket
    parent: SentParent | None = None
    creator: SentPerson | None = None
    comments_count: Count = 0
    visible_to_clients: Truth = False


class SentDockEntry(Sent):
    """A tool of a project, as its dock shows it."""

    id: int
    name: Words
    title: Words = ""
    enabled: Truth = False
    position: int | None = None
    app_url: Words = ""


class SentProject(Sent):
    """A project with its dock."""

    id: int
    name: Words = ""
    description: Words = ""
    status: Words = ""
    purpose: Words = ""
    created_at: When | None = None
    updated_at: When | None = None
    app_url: Words = ""
    dock: Annotated[tuple[SentDockEntry, ...], OrNothing] = ()


class SentCategory(Sent):
    """What a message is about, with the emoji that stands for it."""

    name: Words = ""
    icon: Words = ""


class SentMessage(SentRecording):
    """A message of a board; without a text it is its subject only."""

    subject: Words = ""
    content: Html = ""
    category: SentCategory | None = None
    content_attachments: Attached = ()


class SentComment(SentRecording):
    """A comment on a recording."""

    content: Html = ""
    content_attachments: Attached = ()
