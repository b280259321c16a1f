"""Projects and their docks as Basecamp shows them."""

from trunkline_shared.testing.basecamp.payloads.moments import moment
from trunkline_shared.testing.basecamp.projects import DockTool, Project
from trunkline_shared.testing.basecamp.urls import Urls


def project(of: Project, urls: Urls) -> dict[str, object]:
    """Return a project."""
    return {
        "id": of.id,
        "status": of.status,
        "created_at": moment(of.created_at),
        "updated_at": moment(of.updated_at),
        "name": of.name,
        "description": of.description,
        "purpose": of.purpose,
        "clients_enabled": False,
        "timesheet_enabled": False,
        "color": None,
        "bookmark_url": urls.to(f"/my/bookmarks/{of.id}.json"),
        "url": urls.project(of),
        "app_url": urls.on_web(f"/projects/{of.id}"),
        "dock": [dock_entry(tool, urls) for tool in of.dock],
        "bookmarked": False,
    }


def dock_entry(of: DockTool, urls: Urls) -> dict[str, object]:
    """Return a tool as the dock has it; the position of a disabled one is null."""
    return {
        "id": of.id,
        "title": of.title,
        "name": of.name,
        "enabled": of.enabled,
        "position": of.position,
        "url": urls.of(of),
        "app_url": urls.page_of(of),
    }
