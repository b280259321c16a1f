"""Searching an account (bc3-api, sections/search.md)."""

from collections.abc import Iterator

from trunkline_shared.testing.basecamp.access import sees
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.search import file_hit, hit, plain
from trunkline_shared.testing.basecamp.recordings import Attachment, Recording
from trunkline_shared.testing.stand_in.call import Answer

TYPES = {
    None: "Search Everything",
    "Comment": "Comments",
    "Document": "Documents",
    "Schedule::Entry": "Events",
    "Attachment": "Files",
    "Vault": "Folders",
    "Message": "Messages",
    "Todo": "To-dos",
}


def get_metadata(_: Asked) -> Answer:
    """Return which types can be searched for; the one without a key is all of them."""
    types = [{"key": key, "value": value} for key, value in TYPES.items()]
    return Answer(json={"recording_search_types": types, "default_type_label": "Search Everything"})


def search(asked: Asked) -> Answer:
    """Return a page of what holds the words, newest first."""
    words = asked.query.get("q", "")
    found = sorted(_found(asked, words.lower()), key=lambda one: one[0].created_at, reverse=True)
    return paged(
        asked,
        found,
        lambda one: (
            hit(one[0], words, asked.urls)
            if one[1] is None
            else file_hit(one[1], one[0], asked.urls)
        ),
    )


def _found(asked: Asked, words: str) -> Iterator[tuple[Recording, Attachment | None]]:
    """Yield what was found, each with the file that was meant, if it was one."""
    kind = asked.query.get("type")
    for one in asked.account.recordings.values():
        if not _is_open(asked, one):
            continue
        if kind in {None, one.type} and words in f"{one.title} {plain(one)[1]}".lower():
            yield one, None
        if kind in {None, "Attachment"}:
            files: list[Attachment] = getattr(one, "attachments", [])
            yield from ((one, file) for file in files if words in file.filename.lower())


def _is_open(asked: Asked, one: Recording) -> bool:
    projects, creators = asked.query.get("bucket_id"), asked.query.get("creator_id")
    creator = one.creator.id if one.creator is not None else 0
    return (
        one.status == "active"
        and sees(asked, one)
        and projects in {None, str(one.project.id)}
        and creators in {None, str(creator)}
    )


SHOWN = (
    Shown(path="/searches/metadata.json", show=get_metadata),
    Shown(path="/search.json", show=search),
)
