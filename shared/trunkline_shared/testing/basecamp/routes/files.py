"""Vaults, documents and files (bc3-api, sections/vaults.md, documents.md and uploads.md)."""

from trunkline_shared.testing.basecamp.access import recording_named, sees, tool_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.files import Document, Folder, Upload, Vault
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.files import document, upload, vault
from trunkline_shared.testing.stand_in.call import Answer

_VAULT = "vault_id"


def get_vault(asked: Asked) -> Answer:
    """Return one vault."""
    return Answer(json=vault(_vault_named(asked), asked.urls))


def list_documents(asked: Asked) -> Answer:
    """Return a page of a vault's own documents."""
    parent = _vault_named(asked)
    found = [one for one in asked.account.of_kind(Document) if one.parent is parent]
    shown = [one for one in found if one.status == "active" and sees(asked, one)]
    return paged(asked, shown, lambda one: document(one, asked.urls))


def get_document(asked: Asked) -> Answer:
    """Return one document."""
    return Answer(json=document(recording_named(asked, Document, "document_id"), asked.urls))


def list_uploads(asked: Asked) -> Answer:
    """Return a page of a vault's own files."""
    parent = _vault_named(asked)
    found = [one for one in asked.account.of_kind(Upload) if one.parent is parent]
    shown = [one for one in found if one.status == "active" and sees(asked, one)]
    return paged(asked, shown, lambda one: upload(one, asked.urls))


def _vault_named(asked: Asked) -> Vault:
    """Return the vault of a dock, or a folder."""
    if asked.number(_VAULT) in asked.account.recordings:
        return recording_named(asked, Folder, _VAULT)
    return tool_named(asked, "vault", _VAULT)


SHOWN = (
    Shown(path="/vaults/{vault_id}.json", show=get_vault),
    Shown(path="/vaults/{vault_id}/documents.json", show=list_documents),
    Shown(path="/documents/{document_id}.json", show=get_document),
    Shown(path="/vaults/{vault_id}/uploads.json", show=list_uploads),
)
