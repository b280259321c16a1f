"""The tools that read campfires."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_project_reader import campfire_reading
from trunkline_project_reader.arguments import PLAIN, ProjectId, ToolId
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import MOST_ITEMS
from trunkline_project_reader.campfire_models import Lines
from trunkline_project_reader.campfire_reading import CampfireQuery
from trunkline_project_reader.tags import PROJECT, tagged
from trunkline_shared.arguments import Moment
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class CampfireTools:
    """What people say in a project's campfire."""

    basecamp: Basecamp

    @tool(
        "List campfire lines",
        READ,
        Policy(reads=Reads(ttl_s=5, stale_s=600, tags=(PROJECT,)), needs=("project_id",)),
    )
    async def list_campfire_lines(
        self,
        *,
        project_id: ProjectId,
        chat_id: ToolId = 0,
        since: Moment = None,
        limit: Annotated[int, Field(ge=1, le=MOST_ITEMS), PLAIN] = 50,
        cursor: Cursor = "",
        fields: Fields = (),
    ) -> Reusable[Lines]:
        """Read a project's chat, newest lines first: items (author, created_at, text)."""
        account = await self.basecamp.account()
        query = CampfireQuery(
            project_id=project_id, chat_id=chat_id, since=since, limit=limit, cursor=cursor
        )
        found = await campfire_reading.read(self.basecamp, query, fields)
        # No event of Basecamp tells of a chat, so nothing narrower than the project is promised.
        return tagged(found, account, project_id)
