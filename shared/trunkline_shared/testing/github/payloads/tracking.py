"""Labels, milestones and types of issues as GitHub shows them."""

from urllib.parse import quote

from trunkline_shared.testing.github.payloads.users import moment, node_id, simple_user
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.tracking import Label, Milestone
from trunkline_shared.testing.github.urls import Urls


def label(of: Label, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a label."""
    return {
        "id": of.id,
        "node_id": node_id("LA", of.id),
        "url": f"{urls.repository(home)}/labels/{quote(of.name, safe='')}",
        "name": of.name,
        "color": of.color,
        "default": of.default,
        "description": of.description,
    }


def milestone(of: Milestone | None, home: Repository, urls: Urls) -> dict[str, object] | None:
    """Return a milestone."""
    if of is None:
        return None
    url = f"{urls.repository(home)}/milestones/{of.number}"
    inside = [one for one in home.issues.values() if one.milestone is of]
    opened = sum(one.state == "open" for one in inside)
    return {
        "id": of.id,
        "node_id": node_id("MI", of.id),
        "number": of.number,
        "url": url,
        "labels_url": f"{url}/labels",
        "html_url": f"{urls.web}/{home.full_name}/milestone/{of.number}",
        "title": of.title,
        "description": None,
        "creator": simple_user(of.creator, urls),
        "state": of.state,
        "open_issues": opened,
        "closed_issues": len(inside) - opened,
        "due_on": None,
        "closed_at": None,
        "created_at": moment(of.created_at),
        "updated_at": moment(of.created_at),
    }


def issue_type(name: str | None) -> dict[str, object] | None:
    """Return the type of an issue, which its organization has given the name."""
    if name is None:
        return None
    return {
        "id": sum(name.encode()),
        "node_id": node_id("IT", sum(name.encode())),
        "name": name,
        "description": None,
    }
