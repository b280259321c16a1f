"""The tools that read what happens in projects, whatever it is about."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BeforeValidator, Field

from trunkline_project_reader import recording_listing, schedule_listing
from trunkline_project_reader.activity_models import Comments, Recordings, ScheduleEntries
from trunkline_project_reader.arguments import ProjectId, RecordingId, ToolId
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, MaxItems, PageNumber
from trunkline_project_reader.basecamp.recordings import RecordingType
from trunkline_project_reader.comments import comment_entries, comments_on
from trunkline_project_reader.message_models import CommentEntry
from trunkline_project_reader.message_reading import Direction, Sort
from trunkline_project_reader.recording_listing import RecordingQuery, within_reach
from trunkline_project_reader.results import ending
from trunkline_project_reader.tags import ACCOUNT, PROJECT, tagged
from trunkline_project_reader.todolist_listing import Status
from trunkline_shared.arguments import Number
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields, choose
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool

TOOLSET = "activity"
MOST_PROJECTS = 50


def _many(value: object) -> object:
    return (value,) if isinstance(value, int) and not isinstance(value, bool) else value


Projects = Annotated[
    tuple[Number, ...],
    BeforeValidator(_many),
    Field(max_length=MOST_PROJECTS, description="Project ids; none: all active"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityTools:
    """Comments, recordings of a type, and schedules."""

    basecamp: Basecamp

    @tool(
        "List comments on a recording",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(ACCOUNT,)),
            needs=("recording_id",),
            enforces=("project_id",),
            toolset=TOOLSET,
        ),
    )
    async def list_recording_comments(
        self,
        *,
        recording_id: RecordingId,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Comments]:
        """List comments on a message, to-do, document or file: items (author, content)."""
        account = await self.basecamp.account()
        choose((), fields, CommentEntry)
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        listed = await comments_on(self.basecamp, recording_id, extent)
        items = choose(await comment_entries(listed), fields, CommentEntry)
        found = Comments(recording_id=recording_id, items=items, **ending(listed))
        if not listed.items:
            return tagged(found, account)
        return tagged(found, account, listed.items[0].bucket.id, recording_id)

    @tool(
        "List recordings",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(ACCOUNT,)),
            needs=("type",),
            enforces=("project_id",),
            toolset=TOOLSET,
        ),
    )
    async def list_recordings(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        type: RecordingType,  # noqa: A002 - the name that Basecamp has for it
        bucket: Projects = (),
        status: Status = "active",
        sort: Sort = "created_at",
        direction: Direction = "desc",
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Recordings]:
        """List all recordings of a type over projects, the newest or latest changed first."""
        account = await self.basecamp.account()
        query = RecordingQuery(
            type=type,
            projects=within_reach(bucket),
            status=status,
            sort=sort,
            direction=direction,
        )
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        return tagged(await recording_listing.browse(self.basecamp, query, extent, fields), account)

    @tool(
        "List schedule entries",
        READ,
        Policy(
            reads=Reads(ttl_s=60, stale_s=3600, tags=(PROJECT,)),
            needs=("project_id",),
            toolset=TOOLSET,
        ),
    )
    async def list_schedule_entries(  # noqa: PLR0913 - a tool's arguments are its schema
        self,
        *,
        project_id: ProjectId,
        schedule_id: ToolId = 0,
        status: Status = "active",
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[ScheduleEntries]:
        """List a project's events: items (summary, starts_at, ends_at, participants)."""
        account = await self.basecamp.account()
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        found = await schedule_listing.browse(
            self.basecamp, (project_id, schedule_id), status, extent, fields
        )
        return tagged(found, account, project_id, found.schedule_id)
