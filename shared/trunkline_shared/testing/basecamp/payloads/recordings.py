"""The part of a recording that all kinds share, and comments, as Basecamp shows them."""

from datetime import datetime

from trunkline_shared.testing.basecamp.payloads.moments import local_moment, moment
from trunkline_shared.testing.basecamp.payloads.people import person
from trunkline_shared.testing.basecamp.projects import DockTool, Project
from trunkline_shared.testing.basecamp.recordings import Attachment, Comment, Recording
from trunkline_shared.testing.basecamp.urls import Urls


def recording(of: Recording, urls: Urls) -> dict[str, object]:
    """Return what every recording has."""
    return {
        "id": of.id,
        "status": of.status,
        "visible_to_clients": of.visible_to_clients,
        "created_at": _moment(of, of.created_at),
        "updated_at": _moment(of, of.updated_at),
        "title": of.title,
        "inherits_status": True,
        "type": of.type,
        "url": urls.of(of),
        "app_url": urls.page_of(of),
        "bookmark_url": urls.to(f"/my/bookmarks/{of.id}.json"),
        "bucket": bucket(of.project),
        "creator": person(of.creator, urls),
        **({"parent": _parent(of.parent, urls)} if of.parent is not None else {}),
    }


def commented(of: Recording, urls: Urls) -> dict[str, object]:
    """Return what recordings have that can be commented on."""
    return {
        **recording(of, urls),
        "subscription_url": urls.to(
            f"/buckets/{of.project.id}/recordings/{of.id}/subscription.json"
        ),
        "comments_count": len(of.comments),
        "comments_url": urls.to(f"/buckets/{of.project.id}/recordings/{of.id}/comments.json"),
    }


def comment(of: Comment, urls: Urls) -> dict[str, object]:
    """Return a comment."""
    return {**recording(of, urls), "content": of.content, "boosts_count": 0}


def bucket(of: Project) -> dict[str, object]:
    """Return the project that a recording lies in."""
    return {"id": of.id, "name": of.name, "type": "Project"}


def attachment(of: Attachment, urls: Urls) -> dict[str, object]:
    """Return a file of a rich text."""
    at = f"/blobs/{of.id}/download/{of.filename}"
    return {
        "id": of.id,
        "sgid": f"sgid-{of.id}",
        "filename": of.filename,
        "content_type": of.content_type,
        "byte_size": of.byte_size,
        "download_url": urls.to(at),
        "app_download_url": urls.on_web(at),
        "width": of.width,
        "height": of.height,
        "previewable": of.width is not None,
    }


def _parent(of: DockTool | Recording, urls: Urls) -> dict[str, object]:
    return {
        "id": of.id,
        "title": of.title,
        "type": of.type,
        "url": urls.of(of),
        "app_url": urls.page_of(of),
    }


def _moment(of: Recording, at: datetime) -> str:
    return local_moment(at) if isinstance(of, Comment) else moment(at)
