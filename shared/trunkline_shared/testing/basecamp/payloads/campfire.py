"""Lines of a campfire as Basecamp shows them."""

from trunkline_shared.testing.basecamp.campfire import Line
from trunkline_shared.testing.basecamp.payloads.recordings import recording
from trunkline_shared.testing.basecamp.recordings import Attachment
from trunkline_shared.testing.basecamp.urls import Urls


def line(of: Line, urls: Urls) -> dict[str, object]:
    """Return a line; only one that shows files has attachments, and then no content."""
    assert of.parent is not None
    chat = f"/buckets/{of.project.id}/chats/{of.parent.id}"
    files = {"attachments": [_file(one, urls) for one in of.attachments]}
    return {
        **recording(of, urls),
        "type": f"Chat::Lines::{of.kind}",
        "url": urls.to(f"{chat}/lines/{of.id}.json"),
        "app_url": urls.on_web(f"{chat}@{of.id}"),
        "boosts_count": 0,
        "content": of.content,
        **(files if of.kind == "Upload" else {}),
    }


def _file(of: Attachment, urls: Urls) -> dict[str, object]:
    """Return a file of a line: with fewer facts than in a rich text, and without an id."""
    return {
        "title": of.filename,
        "url": urls.on_web(f"/blobs/{of.id}/previews/full"),
        "filename": of.filename,
        "content_type": of.content_type,
        "byte_size": of.byte_size,
        "download_url": urls.to(f"/blobs/{of.id}/download/{of.filename}"),
    }
