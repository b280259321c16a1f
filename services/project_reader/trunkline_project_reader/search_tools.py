"""The tool that searches."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_project_reader import searching
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, MaxItems, PageNumber
from trunkline_project_reader.search_models import Hits
from trunkline_project_reader.tags import ACCOUNT, tagged
from trunkline_shared.arguments import OptionalNumber
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool

TOOLSET = "search"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTools:
    """Search over all projects."""

    basecamp: Basecamp

    @tool(
        "Search Basecamp",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, settle_s=60, tags=(ACCOUNT,)),
            needs=("q",),
            enforces=("project_id",),
            toolset=TOOLSET,
        ),
    )
    async def search(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        q: Annotated[str, Field(max_length=500)],
        type: Annotated[str, Field(description="Todo, Message, Document …")] = "",  # noqa: A002 - the name that Basecamp has for it
        bucket_id: Annotated[OptionalNumber, Field(description="A project")] = 0,
        creator_id: OptionalNumber = 0,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Hits]:
        """Search Basecamp: items (type, title, excerpt, url, project), most relevant first."""
        account = await self.basecamp.account()
        query = searching.query_of(q, type, bucket_id, creator_id)
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        found = await searching.find(self.basecamp, query, extent, fields)
        return tagged(found, account, query.project_id)
