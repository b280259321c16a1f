"""Vaults, documents and uploaded files, as Basecamp sends them.

bc3-api, sections/vaults.md, documents.md and uploads.md.
"""

from trunkline_project_reader.basecamp.models import Attached, Html, SentRecording, Words
from trunkline_project_reader.basecamp.reading import get, one, page
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_VAULT = "/vaults/{vault_id}.json"
_DOCUMENTS = "/vaults/{vault_id}/documents.json"
_DOCUMENT = "/documents/{document_id}.json"
_UPLOADS = "/vaults/{vault_id}/uploads.json"


class SentDocument(SentRecording):
    """A document; `content` is rich text."""

    content: Html = ""
    content_attachments: Attached = ()
    position: int | None = None


class SentUpload(SentRecording):
    """An uploaded file; `description` is rich text."""

    description: Html = ""
    description_attachments: Attached = ()
    filename: Words = ""
    content_type: Words = ""
    byte_size: int | None = None
    download_url: Words = ""


_read_vault = one(SentRecording)
_read_document = one(SentDocument)
_read_documents = page(SentDocument)
_read_uploads = page(SentUpload)


def vault(vault_id: int) -> Endpoint[SentRecording]:
    """Read one vault: that of a dock, or a folder."""
    return get(_VAULT, _read_vault, vault_id=vault_id)


def documents(vault_id: int) -> Endpoint[Page[SentDocument]]:
    """List the active documents of a vault, without those of its folders."""
    return get(_DOCUMENTS, _read_documents, vault_id=vault_id)


def document(document_id: int) -> Endpoint[SentDocument]:
    """Read one document."""
    return get(_DOCUMENT, _read_document, document_id=document_id)


def uploads(vault_id: int) -> Endpoint[Page[SentUpload]]:
    """List the active files of a vault, without those of its folders."""
    return get(_UPLOADS, _read_uploads, vault_id=vault_id)
