"""Listing the documents of a vault, and reading one."""

from collections.abc import Sequence

from trunkline_project_reader.basecamp import files
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.files import SentDocument
from trunkline_project_reader.basecamp.holding import found, require_held
from trunkline_project_reader.basecamp.listing import Extent, Listing
from trunkline_project_reader.bodies import RichText, bodies_of, form_in, markdown_of
from trunkline_project_reader.document_models import Document, DocumentEntry, Documents
from trunkline_project_reader.results import author_of, ending, file_of
from trunkline_project_reader.vaults import vault_of
from trunkline_shared.listing import choose


async def browse(
    basecamp: Basecamp, project_id: int, vault_id: int, extent: Extent, fields: Sequence[str]
) -> Documents:
    """Return a part of a vault's documents; `vault_id` 0 is the vault of the project's dock.

    Raises InvalidInput for an unknown field before anything is asked, ToolNotEnabled for a project
    without a vault, NotFound for one in another project, else a TrunklineError.
    """
    choose((), fields, DocumentEntry)
    vault = await vault_of(basecamp, project_id, vault_id)
    listing = Listing(endpoints=(files.documents(vault),), question=("documents", vault))
    listed = await basecamp.listed(listing, extent)
    await require_held(basecamp, project_id, listed.items, files.vault(vault))
    texts = (RichText(html=one.content) for one in listed.items)
    excerpts = await bodies_of(texts, form_in(fields, "excerpt", "excerpt"))
    entries = [_entry(one, body.markdown) for one, body in zip(listed.items, excerpts, strict=True)]
    return Documents(vault_id=vault, items=choose(entries, fields, DocumentEntry), **ending(listed))


async def read(basecamp: Basecamp, project_id: int, document_id: int) -> Document:
    """Return a document in full. Raises BlockedByPolicy, or a TrunklineError."""
    document = await found(basecamp, project_id, files.document(document_id))
    body = await markdown_of(document.content, document.content_attachments)
    return Document(
        id=document.id,
        title=document.title,
        author=author_of(document.creator),
        status=document.status,
        created_at=document.created_at,
        updated_at=document.updated_at,
        url=document.app_url,
        content=body.markdown,
        comments_count=document.comments_count,
        attachments=[file_of(one) for one in body.attachments],
        mentions=list(body.mentions),
    )


def _entry(document: SentDocument, excerpt: str) -> DocumentEntry:
    return DocumentEntry(
        id=document.id,
        title=document.title,
        author=author_of(document.creator),
        created_at=document.created_at,
        updated_at=document.updated_at,
        url=document.app_url,
        excerpt=excerpt,
        comments_count=document.comments_count,
    )
