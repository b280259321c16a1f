"""What of a stand-in Jira an account may see."""

from collections.abc import Sequence

from trunkline_shared.testing.jira.issues import Issue, Project
from trunkline_shared.testing.jira.people import User
from trunkline_shared.testing.jira.state import State


def find_issue(state: State, key_or_id: str) -> Issue | None:
    """Return the issue that a path names: by key in any case, by former key, or by id."""
    found = state.issues.get(key_or_id.upper()) or state.moved.get(key_or_id.upper())
    by_id = (one for one in state.issues.values() if one.id == key_or_id)
    return found or next(by_id, None)


def visible(project: Project, user: User | None) -> bool:
    """Whether a user, or nobody in particular, may browse a project."""
    if project.public or user is None:
        return project.public
    return project.members is None or user in project.members


def visible_projects(state: State, user: User | None) -> Sequence[Project]:
    """Return the projects that a user may browse, by key."""
    shown = [one for one in state.projects.values() if visible(one, user)]
    return sorted(shown, key=lambda project: project.key)


def visible_issues(state: State, user: User | None) -> Sequence[Issue]:
    """Return the issues that a user may browse, in the order in which they were made."""
    return [one for one in state.issues.values() if visible(one.project, user)]
