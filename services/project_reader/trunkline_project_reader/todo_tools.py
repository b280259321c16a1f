"""The tools that read to-dos."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

from pydantic import Field

from trunkline_project_reader import todo_listing, todo_reading, todolist_listing
from trunkline_project_reader.arguments import ProjectId, RecordingId, ToolId
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, MaxItems, PageNumber
from trunkline_project_reader.tags import PROJECT, recording, tagged
from trunkline_project_reader.todo_listing import TodoQuery
from trunkline_project_reader.todo_models import Todo, Todolists, Todos
from trunkline_project_reader.todolist_listing import Status, TodolistQuery
from trunkline_shared.arguments import OptionalNumber
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoTools:
    """To-do lists and the to-dos in them."""

    basecamp: Basecamp

    @tool(
        "List to-do lists",
        READ,
        Policy(reads=Reads(ttl_s=30, stale_s=600, tags=(PROJECT,)), needs=("project_id",)),
    )
    async def list_todolists(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        project_id: ProjectId,
        todoset_id: ToolId = 0,
        status: Status = "active",
        include_groups: bool = False,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Todolists]:
        """List a project's to-do lists: items (id, name, counts, groups), has_more."""
        account = await self.basecamp.account()
        query = TodolistQuery(
            project_id=project_id,
            todoset_id=todoset_id,
            status=status,
            include_groups=include_groups,
        )
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        found = await todolist_listing.browse(self.basecamp, query, extent, fields)
        lists = (one.id for one in found.items)
        return tagged(found, account, project_id, found.todoset_id, *lists)

    @tool(
        "List to-dos",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(PROJECT,)),
            needs=("project_id", "todolist_id"),
        ),
    )
    async def list_todos(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        project_id: ProjectId,
        todolist_id: RecordingId,
        completed: Annotated[
            bool, Field(description="Only completed; else pending (other statuses: both)")
        ] = False,
        status: Status = "active",
        include_groups: bool = True,
        assignee_id: OptionalNumber = 0,
        due_before: date | None = None,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Todos]:
        """List a list's to-dos, and its groups': items (title, content, assignees, due_on)."""
        account = await self.basecamp.account()
        query = TodoQuery(
            project_id=project_id,
            todolist_id=todolist_id,
            completed=completed,
            status=status,
            include_groups=include_groups,
            assignee_id=assignee_id,
            due_before=due_before,
        )
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        found = await todo_listing.browse(self.basecamp, query, extent, fields)
        lists = (todolist_id, *(group.id for group in found.groups))
        return tagged(found, account, project_id, *lists)

    @tool(
        "Get to-do",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(recording("todo_id"),)),
            needs=("project_id", "todo_id"),
        ),
    )
    async def get_todo(self, *, project_id: ProjectId, todo_id: RecordingId) -> Reusable[Todo]:
        """Read a to-do in full: title, content, assignees, dates, completion, files, steps."""
        account = await self.basecamp.account()
        found = await todo_reading.read(self.basecamp, project_id, todo_id)
        return tagged(found, account, project_id, todo_id)
