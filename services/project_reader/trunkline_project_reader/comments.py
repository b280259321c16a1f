"""Comments on a recording (bc3-api, sections/comments.md)."""

from trunkline_project_reader.basecamp.belonging import all_within, bound_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, Listed, Listing
from trunkline_project_reader.basecamp.models import SentComment
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_project_reader.bodies import RichText, bodies_of
from trunkline_project_reader.message_models import CommentEntry
from trunkline_project_reader.results import author_of
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_COMMENTS = "/recordings/{recording_id}/comments.json"
_COMMENTS_WITHIN = "/buckets/{project_id}/recordings/{recording_id}/comments.json"
_read_page = page(SentComment)


async def comments_on(basecamp: Basecamp, recording_id: int, extent: Extent) -> Listed[SentComment]:
    """Return a part of the comments on a recording, oldest first.

    In a context that is bound to a project the older route is asked, which finds only what lies in
    that project: a list without comments would not tell. Raises a TrunklineError.
    """
    alone = bound_project()
    listing = Listing(
        endpoints=(_endpoint(recording_id, alone),), question=("comments", recording_id)
    )
    listed = await basecamp.listed(listing, extent)
    if alone is not None:
        all_within(listed.items, alone)
    return listed


def _endpoint(recording_id: int, project_id: int | None) -> Endpoint[Page[SentComment]]:
    if project_id is None:
        return get(_COMMENTS, _read_page, recording_id=recording_id)
    return get(_COMMENTS_WITHIN, _read_page, recording_id=recording_id, project_id=project_id)


async def comment_entries(listed: Listed[SentComment]) -> list[CommentEntry]:
    """Return comments as an agent sees them."""
    texts = (RichText(html=c.content, attachments=c.content_attachments) for c in listed.items)
    bodies = await bodies_of(texts)
    return [
        CommentEntry(
            id=one.id,
            author=author_of(one.creator),
            created_at=one.created_at,
            updated_at=one.updated_at,
            url=one.app_url,
            content=body.markdown,
        )
        for one, body in zip(listed.items, bodies, strict=True)
    ]
