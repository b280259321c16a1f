"""The tools that find projects and what is in them."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_project_reader.arguments import ProjectId
from trunkline_project_reader.basecamp.belonging import require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, MaxItems, PageNumber
from trunkline_project_reader.basecamp.projects import project
from trunkline_project_reader.project_listing import (
    ProjectQuery,
    ProjectStatus,
    browse,
    tools_of,
)
from trunkline_project_reader.project_models import Projects, ProjectTools
from trunkline_project_reader.tags import ACCOUNT, PROJECT, tagged
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectReading:
    """Projects of the account."""

    basecamp: Basecamp

    @tool(
        "List projects",
        READ,
        Policy(
            reads=Reads(ttl_s=60, stale_s=3600, tags=(ACCOUNT,)),
            enforces=("project_id",),
        ),
    )
    async def list_projects(
        self,
        *,
        status: ProjectStatus = "active",
        query: Annotated[str, Field(description="Part of the name", max_length=200)] = "",
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Projects]:
        """List projects: items (id, name, description, status, enabled tools), has_more."""
        account = await self.basecamp.account()
        wanted = ProjectQuery(status=status, name=query.strip().casefold())
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        return tagged(await browse(self.basecamp, wanted, extent, fields), account)

    @tool(
        "Get project tools",
        READ,
        Policy(
            reads=Reads(ttl_s=300, stale_s=3600, tags=(PROJECT,)),
            needs=("project_id",),
        ),
    )
    async def get_project_tools(self, *, project_id: ProjectId) -> Reusable[ProjectTools]:
        """Show a project's tools and their ids. Other tools find these ids by themselves."""
        account = await self.basecamp.account()
        require_project(project_id)
        found = await self.basecamp.fetch(project(project_id))
        return tagged(tools_of(found), account, project_id)
