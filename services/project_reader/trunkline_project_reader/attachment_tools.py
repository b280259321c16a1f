"""The tools that list uploaded files."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_project_reader.arguments import BodyForm, ProjectId, ToolId
from trunkline_project_reader.attachment_models import UploadEntry, Uploads
from trunkline_project_reader.basecamp import files
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.files import SentUpload
from trunkline_project_reader.basecamp.holding import require_held
from trunkline_project_reader.basecamp.listing import Extent, Listing, MaxItems, PageNumber
from trunkline_project_reader.bodies import RichText, bodies_of, form_in
from trunkline_project_reader.results import author_of, ending
from trunkline_project_reader.tags import PROJECT, tagged
from trunkline_project_reader.vaults import vault_of
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields, choose
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentTools:
    """Files of a project's vault and of its folders."""

    basecamp: Basecamp

    @tool(
        "List attachments",
        READ,
        Policy(reads=Reads(ttl_s=60, stale_s=3600, tags=(PROJECT,)), needs=("project_id",)),
    )
    async def list_attachments(
        self,
        *,
        project_id: ProjectId,
        vault_id: ToolId = 0,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Uploads]:
        """List files of a project, or of a folder: items (filename, type, size, download_url)."""
        account = await self.basecamp.account()
        choose((), fields, UploadEntry)
        vault = await vault_of(self.basecamp, project_id, vault_id)
        listing = Listing(endpoints=(files.uploads(vault),), question=("uploads", vault))
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        listed = await self.basecamp.listed(listing, extent)
        await require_held(self.basecamp, project_id, listed.items, files.vault(vault))
        entries = await _entries(listed.items, form_in(fields, "description"))
        items = choose(entries, fields, UploadEntry)
        found = Uploads(vault_id=vault, items=items, **ending(listed))
        return tagged(found, account, project_id, vault)


async def _entries(found: Sequence[SentUpload], form: BodyForm) -> list[UploadEntry]:
    texts = (
        RichText(html=one.description, attachments=one.description_attachments) for one in found
    )
    bodies = await bodies_of(texts, form)
    return [
        UploadEntry(
            id=one.id,
            filename=one.filename or one.title,
            type=one.content_type,
            size=one.byte_size,
            download_url=one.download_url,
            url=one.app_url,
            description=body.markdown,
            author=author_of(one.creator),
            created_at=one.created_at,
            updated_at=one.updated_at,
            comments_count=one.comments_count,
        )
        for one, body in zip(found, bodies, strict=True)
    ]
