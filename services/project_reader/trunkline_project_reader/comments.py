"""Comments on a recording (bc3-api, sections/comments.md)."""

from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, Listed, Listing
from trunkline_project_reader.basecamp.models import SentComment
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_project_reader.bodies import RichText, bodies_of
from trunkline_project_reader.message_models import CommentEntry
from trunkline_project_reader.results import author_of

_COMMENTS = "/recordings/{recording_id}/comments.json"
_read_page = page(SentComment)


async def comments_on(basecamp: Basecamp, recording_id: int, extent: Extent) -> Listed[SentComment]:
    """Return a part of the comments on a recording, oldest first. Raises a TrunklineError."""
    listing = Listing(
        endpoints=(get(_COMMENTS, _read_page, recording_id=recording_id),),
        question=("comments", recording_id),
    )
    return await basecamp.listed(listing, extent)


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
