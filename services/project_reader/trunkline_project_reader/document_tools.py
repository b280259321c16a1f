"""The tools that read documents."""

from dataclasses import dataclass

from trunkline_project_reader import document_reading
from trunkline_project_reader.arguments import ProjectId, RecordingId, ToolId
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, MaxItems, PageNumber
from trunkline_project_reader.document_models import Document, Documents
from trunkline_project_reader.tags import PROJECT, recording, tagged
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentTools:
    """Documents of a project's vault and of its folders."""

    basecamp: Basecamp

    @tool(
        "List documents",
        READ,
        Policy(reads=Reads(ttl_s=60, stale_s=3600, tags=(PROJECT,)), needs=("project_id",)),
    )
    async def list_documents(
        self,
        *,
        project_id: ProjectId,
        vault_id: ToolId = 0,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Documents]:
        """List the documents of a project, or of a folder: items (id, title, author, excerpt)."""
        account = await self.basecamp.account()
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        found = await document_reading.browse(self.basecamp, project_id, vault_id, extent, fields)
        return tagged(found, account, project_id, found.vault_id)

    @tool(
        "Get document",
        READ,
        Policy(
            reads=Reads(ttl_s=60, stale_s=3600, tags=(recording("document_id"),)),
            needs=("project_id", "document_id"),
        ),
    )
    async def get_document(
        self, *, project_id: ProjectId, document_id: RecordingId
    ) -> Reusable[Document]:
        """Read a document in full, in Markdown."""
        account = await self.basecamp.account()
        found = await document_reading.read(self.basecamp, project_id, document_id)
        return tagged(found, account, project_id, document_id)
