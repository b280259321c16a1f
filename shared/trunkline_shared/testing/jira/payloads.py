"""Users, projects, issues and comments as Jira sends them."""

from trunkline_shared.testing.jira.issues import Attachment, Comment, Issue, Link, Project, Status
from trunkline_shared.testing.jira.people import User
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.jira.texts import moment_payload, text_payload

Payload = dict[str, object]

_CATEGORIES = {"new": (2, "To Do"), "indeterminate": (4, "In Progress"), "done": (3, "Done")}


def user_payload(state: State, user: User | None) -> Payload | None:
    """Return an account; a deleted one is null, and Cloud hides addresses."""
    if user is None:
        return None
    identity: Payload = (
        {"accountId": user.account_id, "accountType": "atlassian"}
        if state.is_cloud
        else {"name": user.name, "key": f"JIRAUSER-{user.name}", "emailAddress": user.email}
    )
    return {
        "self": f"{state.url}{state.api}/user",
        **identity,
        "displayName": user.display_name,
        "active": user.active,
        "timeZone": user.time_zone,
    }


def status_payload(status: Status) -> Payload:
    """Return a status, without its category when Jira does not tell it."""
    payload: Payload = {"id": status.id, "name": status.name}
    if status.category is not None:
        number, name = _CATEGORIES[status.category]
        payload["statusCategory"] = {"id": number, "key": status.category, "name": name}
    return payload


def project_payload(state: State, project: Project) -> Payload:
    """Return a project as issues and lists show it."""
    return {
        "self": f"{state.url}{state.api}/project/{project.id}",
        "id": project.id,
        "key": project.key,
        "name": project.name,
        "projectTypeKey": project.type,
    }


def comment_payload(state: State, issue: Issue, comment: Comment) -> Payload:
    """Return a comment; that of a deleted account has no author."""
    at = f"{state.url}{state.api}/issue/{issue.id}/comment/{comment.id}"
    payload: Payload = {
        "self": at,
        "id": comment.id,
        "body": text_payload(state, comment.body),
        "created": moment_payload(comment.created),
        "updated": moment_payload(comment.updated),
    }
    if comment.author is not None:
        author = user_payload(state, comment.author)
        payload |= {"author": author, "updateAuthor": author}
    if comment.visibility is not None:
        payload["visibility"] = {
            "type": comment.visibility.type,
            "value": comment.visibility.value,
        }
    if comment.public is not None:
        payload["jsdPublic"] = comment.public
    return payload


def short_payload(state: State, issue: Issue) -> Payload:
    """Return an issue as others show it: in links, as a parent, as a subtask."""
    return {
        "id": issue.id,
        "key": issue.key,
        "self": f"{state.url}{state.api}/issue/{issue.id}",
        "fields": {
            "summary": issue.summary,
            "status": status_payload(issue.status),
            "priority": _named(issue.priority),
            "issuetype": _type(issue),
        },
    }


def fields_payload(state: State, issue: Issue) -> Payload:
    """Return every field of an issue, null where it is empty."""
    absent: Payload = dict.fromkeys(state.fields)
    return {
        "summary": issue.summary,
        "description": text_payload(state, issue.description),
        "status": status_payload(issue.status),
        "assignee": user_payload(state, issue.assignee),
        "reporter": user_payload(state, issue.reporter),
        "issuetype": _type(issue),
        "project": project_payload(state, issue.project),
        "priority": _named(issue.priority),
        "resolution": _named(issue.resolution),
        "resolutiondate": moment_payload(issue.resolved) if issue.resolved else None,
        "labels": list(issue.labels),
        "fixVersions": [{"name": name} for name in issue.fix_versions],
        "components": [{"name": name} for name in issue.components],
        "duedate": issue.due,
        "created": moment_payload(issue.created),
        "updated": moment_payload(issue.updated),
        **({"parent": short_payload(state, issue.parent)} if issue.parent else {}),
        "subtasks": [short_payload(state, one) for one in issue.subtasks],
        "issuelinks": [_link(state, link) for link in issue.links],
        "attachment": [_attachment(state, one) for one in issue.attachments],
        **absent,
        **issue.custom,
    }


def issue_payload(state: State, issue: Issue, wanted: frozenset[str] | None) -> Payload:
    """Return an issue with the fields that are wanted; None wants them all."""
    everything = fields_payload(state, issue)
    shown = {n: v for n, v in everything.items() if wanted is None or n in wanted}
    return {
        "id": issue.id,
        "key": issue.key,
        "self": f"{state.url}{state.api}/issue/{issue.id}",
        "fields": shown,
    }


def names_payload(state: State, shown: object) -> Payload:
    """Return what people call the fields that are shown, as `expand=names` does."""
    custom = {one.id: one.name for one in state.fields.values()}
    ids = list(shown) if isinstance(shown, dict) else []
    return {name: custom.get(name, SYSTEM_NAMES.get(name, name.capitalize())) for name in ids}


SYSTEM_NAMES = {
    "issuetype": "Issue Type",
    "fixVersions": "Fix versions",
    "issuelinks": "Linked Issues",
    "subtasks": "Sub-tasks",
    "duedate": "Due date",
    "resolutiondate": "Resolved",
}


def _type(issue: Issue) -> Payload:
    return {"id": issue.type.id, "name": issue.type.name, "subtask": issue.type.subtask}


def _named(name: str | None) -> Payload | None:
    return {"name": name} if name else None


def _link(state: State, link: Link) -> Payload:
    end = "outwardIssue" if link.outward else "inwardIssue"
    kind = {"name": link.type.name, "inward": link.type.inward, "outward": link.type.outward}
    return {"id": link.id, "type": kind, end: short_payload(state, link.other)}


def _attachment(state: State, attachment: Attachment) -> Payload:
    return {
        "id": attachment.id,
        "filename": attachment.filename,
        "author": user_payload(state, attachment.author),
        "created": moment_payload(attachment.created),
        "size": attachment.size,
        "mimeType": attachment.mime_type,
        "content": f"{state.url}{state.api}/attachment/content/{attachment.id}",
        **({"mediaApiFileId": attachment.media_id} if attachment.media_id else {}),
    }
