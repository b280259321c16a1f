"""Listing projects, and showing what one of them has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_project_reader.basecamp.belonging import bound_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import enabled_names, preferred
from trunkline_project_reader.basecamp.listing import Extent, Listed, Listing
from trunkline_project_reader.basecamp.models import SentDockEntry, SentProject
from trunkline_project_reader.basecamp.projects import project, projects
from trunkline_project_reader.project_models import (
    DockTool,
    NamedDockTool,
    ProjectEntry,
    Projects,
    ProjectTools,
)
from trunkline_project_reader.results import ending
from trunkline_shared.exchange import Endpoint
from trunkline_shared.listing import choose
from trunkline_shared.vendor.page import Page

ProjectStatus = Literal["active", "archived", "all", "trashed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectQuery:
    """Which projects to list; an empty `name` lets all through."""

    status: ProjectStatus = "active"
    name: str = ""

    @property
    def statuses(self) -> tuple[str, ...]:
        return ("active", "archived") if self.status == "all" else (self.status,)

    def lets_through(self, one: SentProject) -> bool:
        return self.name in one.name.casefold()


async def browse(
    basecamp: Basecamp, query: ProjectQuery, extent: Extent, fields: Sequence[str]
) -> Projects:
    """Return a part of the projects; in a context that is bound to one, that one alone.

    Raises InvalidInput for an unknown field or an unusable cursor before anything is asked.
    """
    choose((), fields, ProjectEntry)
    listed = await _listed(basecamp, query, extent)
    entries = choose([_entry(one) for one in listed.items], fields, ProjectEntry)
    return Projects(items=entries, **ending(listed))


async def _listed(basecamp: Basecamp, query: ProjectQuery, extent: Extent) -> Listed[SentProject]:
    alone = bound_project()
    listing: Listing[SentProject]
    if alone is not None:
        listing = Listing(
            endpoints=(_only(alone),),
            question=("projects", query, alone),
            wanted=lambda one: one.status in query.statuses and query.lets_through(one),
        )
    else:
        listing = Listing(
            endpoints=tuple(projects(status) for status in query.statuses),
            question=("projects", query),
            wanted=query.lets_through if query.name else None,
        )
    return await basecamp.listed(listing, extent)


def _only(project_id: int) -> Endpoint[Page[SentProject]]:
    """Read one project as a list of one."""
    endpoint = project(project_id)
    return Endpoint(
        request=endpoint.request,
        read=lambda response: Page(items=(endpoint.read(response),)),
        repeatable=True,
    )


def tools_of(one: SentProject) -> ProjectTools:
    """Return what the dock of a project holds."""
    by_name = {entry.name: preferred(one.dock, entry.name) or entry for entry in one.dock}

    def number(name: str) -> int | None:
        return by_name[name].id if name in by_name else None

    return ProjectTools(
        project_id=one.id,
        project_name=one.name,
        message_board_id=number("message_board"),
        todoset_id=number("todoset"),
        vault_id=number("vault"),
        chat_id=number("chat"),
        schedule_id=number("schedule"),
        questionnaire_id=number("questionnaire"),
        inbox_id=number("inbox"),
        kanban_board_id=number("kanban_board"),
        tools={name: DockTool(**_facts(entry)) for name, entry in by_name.items()},
        all_tools=[
            NamedDockTool(name=entry.name, position=entry.position, **_facts(entry))
            for entry in one.dock
        ],
    )


def _facts(entry: SentDockEntry) -> dict[str, object]:
    return {
        "id": entry.id,
        "enabled": entry.enabled,
        "title": entry.title,
        "url": entry.app_url,
    }


def _entry(one: SentProject) -> ProjectEntry:
    return ProjectEntry(
        id=one.id,
        name=one.name,
        description=one.description,
        status=one.status,
        purpose=one.purpose,
        created_at=one.created_at,
        updated_at=one.updated_at,
        url=one.app_url,
        tools=enabled_names(one.dock),
    )
