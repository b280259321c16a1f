"""Folders, documents and files as Basecamp shows them."""

from trunkline_shared.testing.basecamp.files import Document, Upload, Vault
from trunkline_shared.testing.basecamp.payloads.recordings import attachment, bucket, commented
from trunkline_shared.testing.basecamp.recordings import Recording
from trunkline_shared.testing.basecamp.urls import Urls


def vault(of: Vault, urls: Urls) -> dict[str, object]:
    """Return a vault: the one of a dock, or a folder."""
    shared = (
        commented(of, urls)
        if isinstance(of, Recording)
        else {"id": of.id, "status": "active", "title": of.title, "bucket": bucket(of.project)}
    )
    return {
        **shared,
        "type": "Vault",
        "documents_url": urls.to(f"/vaults/{of.id}/documents.json"),
        "uploads_url": urls.to(f"/vaults/{of.id}/uploads.json"),
        "vaults_url": urls.to(f"/vaults/{of.id}/vaults.json"),
    }


def document(of: Document, urls: Urls) -> dict[str, object]:
    """Return a document."""
    return {
        **commented(of, urls),
        "position": 1,
        "content": of.content,
        "content_attachments": [attachment(one, urls) for one in of.attachments],
        "boosts_count": 0,
    }


def upload(of: Upload, urls: Urls) -> dict[str, object]:
    """Return a file; sizes of images are sent as fractional numbers."""
    at = f"/buckets/{of.project.id}/uploads/{of.id}/download/{of.filename}"
    return {
        **commented(of, urls),
        "position": 1,
        "description": of.description,
        "description_attachments": [],
        "filename": of.filename,
        "content_type": of.content_type,
        "byte_size": of.byte_size,
        "width": None if of.width is None else float(of.width),
        "height": None if of.height is None else float(of.height),
        "download_url": urls.to(at),
        "app_download_url": urls.on_web(at),
    }
