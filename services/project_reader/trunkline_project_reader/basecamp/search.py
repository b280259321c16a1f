"""What a search finds, as Basecamp sends it (bc3-api, sections/search.md)."""

from typing import Annotated

from trunkline_project_reader.basecamp.models import (
    Html,
    OrNothing,
    Sent,
    SentBucket,
    SentParent,
    SentPerson,
    When,
    Words,
)
from trunkline_project_reader.basecamp.reading import get, one, page
from trunkline_project_reader.basecamp.todos import Query
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_SEARCH = "/search.json"
_METADATA = "/searches/metadata.json"


class SentHit(Sent):
    """Something that was found: a recording, or a file, which has no id, type, title or address.

    The text is null; what is plain of it is HTML nevertheless, with the words marked.
    """

    id: int | None = None
    type: Words = ""
    title: Words = ""
    app_url: Words = ""
    created_at: When | None = None
    updated_at: When | None = None
    bucket: SentBucket | None = None
    parent: SentParent | None = None
    creator: SentPerson | None = None
    plain_text_content: Html = ""
    plain_text_description: Html = ""
    filename: Words = ""
    content_type: Words = ""
    byte_size: int | None = None
    download_url: Words = ""
    app_download_url: Words = ""


class SentType(Sent):
    """A type that can be searched for; all types together have a key of null."""

    key: Words = ""
    value: Words = ""


class SentMetadata(Sent):
    """What a search can be narrowed to."""

    recording_search_types: Annotated[tuple[SentType, ...], OrNothing] = ()


_read_hits = page(SentHit)
_read_metadata = one(SentMetadata)


def search(query: Query) -> Endpoint[Page[SentHit]]:
    """Search what the token's person may see, the most relevant first; `q` is needed."""
    return get(_SEARCH, _read_hits, query)


def metadata() -> Endpoint[SentMetadata]:
    """Read which types can be searched for: they differ between accounts."""
    return get(_METADATA, _read_metadata)
