"""Comments on recordings (bc3-api, sections/comments.md)."""

from trunkline_shared.testing.basecamp.access import recording_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.recordings import comment
from trunkline_shared.testing.basecamp.recordings import Recording
from trunkline_shared.testing.stand_in.call import Answer


def list_comments(asked: Asked) -> Answer:
    """Return a page of the comments on a recording, oldest first."""
    found = [
        one
        for one in recording_named(asked, Recording, "recording_id").comments
        if one.status == "active"
    ]
    return paged(asked, found, lambda one: comment(one, asked.urls))


SHOWN = (Shown(path="/recordings/{recording_id}/comments.json", show=list_comments),)
