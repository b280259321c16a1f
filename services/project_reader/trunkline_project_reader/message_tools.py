"""The tools that read message boards."""

from dataclasses import dataclass

from trunkline_project_reader import message_reading
from trunkline_project_reader.arguments import BodyForm, ProjectId, RecordingId, ToolId
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, MaxItems, PageNumber
from trunkline_project_reader.message_models import Message, Messages
from trunkline_project_reader.message_reading import BoardQuery, Direction, Sort
from trunkline_project_reader.tags import PROJECT, recording, tagged
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageTools:
    """Messages, as people post them to a project."""

    basecamp: Basecamp

    @tool(
        "List messages",
        READ,
        Policy(reads=Reads(ttl_s=30, stale_s=600, tags=(PROJECT,)), needs=("project_id",)),
    )
    async def list_messages(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        project_id: ProjectId,
        message_board_id: ToolId = 0,
        sort: Sort = "created_at",
        direction: Direction = "desc",
        body: BodyForm = "full",
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Messages]:
        """List a project's messages: items (title, author, content in Markdown), has_more."""
        account = await self.basecamp.account()
        query = BoardQuery(
            project_id=project_id,
            board_id=message_board_id,
            sort=sort,
            direction=direction,
            body=body,
        )
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        found = await message_reading.browse(self.basecamp, query, extent, fields)
        return tagged(found, account, project_id, found.message_board_id)

    @tool(
        "Get message",
        READ,
        Policy(
            reads=Reads(ttl_s=60, stale_s=3600, tags=(recording("message_id"),)),
            needs=("project_id", "message_id"),
        ),
    )
    async def get_message(
        self, *, project_id: ProjectId, message_id: RecordingId, include_comments: bool = False
    ) -> Reusable[Message]:
        """Read a message in full: content in Markdown, attachments, mentions, comments."""
        account = await self.basecamp.account()
        found = await message_reading.read(
            self.basecamp, project_id, message_id, include_comments=include_comments
        )
        return tagged(found, account, project_id, message_id)
