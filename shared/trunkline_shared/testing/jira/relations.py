"""What ties issues to each other, to files and to projects."""

from trunkline_shared.testing.jira.issues import Attachment, Issue, Link, LinkType, Project
from trunkline_shared.testing.jira.state import State


def attach(state: State, issue: Issue, filename: str, *, media_id: str = "") -> Attachment:
    """Attach a file; `media_id` is what Cloud's documents call it."""
    attachment = Attachment(
        id=state.next_id(),
        filename=filename,
        author=issue.reporter,
        created=state.now(),
        media_id=media_id,
    )
    issue.attachments.append(attachment)
    return attachment


def link(state: State, issue: Issue, kind: LinkType, other: Issue) -> None:
    """Link two issues: `issue` is the one that, say, blocks."""
    identifier = state.next_id()
    issue.links.append(Link(id=identifier, type=kind, other=other, outward=True))
    other.links.append(Link(id=identifier, type=kind, other=issue, outward=False))


def move(state: State, issue: Issue, project: Project) -> None:
    """Give an issue a key of another project; the old one leads to it from now on."""
    state.moved[issue.key] = issue
    del state.issues[issue.key]
    project.last_number += 1
    issue.project, issue.number = project, project.last_number
    state.issues[issue.key] = issue
