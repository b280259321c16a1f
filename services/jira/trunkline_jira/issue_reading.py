"""An issue with its newest comments, as Jira sent it and as an agent reads it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from trunkline_jira.bodies import Bodies, Format, require_form
from trunkline_jira.comment_reading import comment_of
from trunkline_jira.custom_values import custom_value, permitted
from trunkline_jira.endpoints import get_issue, list_comments
from trunkline_jira.field_selection import FieldSelector, Selection
from trunkline_jira.keys import IssueKey, KeyRules
from trunkline_jira.models import JiraIssue
from trunkline_jira.projects import AllowedProjects
from trunkline_jira.sent import SentAttachment, SentComments, SentIssue
from trunkline_jira.shapes import (
    account,
    category_of,
    linked,
    name_of,
    names_of,
    person,
    related,
)
from trunkline_jira.site.client import Jira
from trunkline_jira.site.flavour import Deployment
from trunkline_jira.tags import issue_tags
from trunkline_shared.listing import choose
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.together import together
from trunkline_shared.untrusted import sanitize


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueView:
    """What is asked for of an issue: fields, how many comments, and the form of its texts."""

    selection: Selection
    comments: int
    form: Format

    @property
    def shown(self) -> tuple[str, ...]:
        """Our fields to return, all when empty; comments that were asked for are among them."""
        chosen = self.selection.shown
        with_comments = ("comments", "comments_total") if chosen and self.comments else ()
        return (*chosen, *with_comments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What Jira said about an issue."""

    issue: SentIssue
    comments: SentComments | None


async def read_issue(
    selector: FieldSelector, key: IssueKey, *, fields: Sequence[str], comments: int, form: Format
) -> Reusable[JiraIssue]:
    """Return an issue with its newest comments, and the tags of all issues that it shows.

    Raises a TrunklineError; BlockedByPolicy when it has moved to a project that is not allowed.
    """
    jira = selector.jira
    deployment = await jira.deployment()
    require_form(deployment.flavour, form)
    view = IssueView(selection=await selector.selected(fields), comments=comments, form=form)
    found = await _ask(jira, deployment, key, view)
    now = KeyRules.sent(found.issue.key) or key
    jira.projects.require_key(now)
    whole = shown_issue(jira, deployment, found, view)
    if now != key:
        whole = whole.model_copy(update={"moved_from": str(key)})
    (issue,) = choose([whole], view.shown, JiraIssue)
    return Reusable(issue, Reuse(tags=issue_tags(jira.site, [str(key), *_keys(whole)])))


def _keys(issue: JiraIssue) -> Iterator[str]:
    """Yield the keys of the issues that one shows, itself first."""
    yield issue.key
    for one in (*([issue.parent] if issue.parent else []), *issue.links, *issue.subtasks):
        yield one.key


async def _ask(jira: Jira, deployment: Deployment, key: IssueKey, view: IssueView) -> Found:
    """Ask for the issue and its comments at the same time."""
    flavour, selection = deployment.flavour, view.selection
    asked = get_issue(flavour, key, selection.asked, names=bool(selection.custom))
    if not view.comments:
        return Found(issue=await jira.fetch(asked), comments=None)
    newest = list_comments(flavour, key, "newest", limit=view.comments)
    async with together() as tasks:
        issue = tasks.create_task(jira.fetch(asked))
        comments = tasks.create_task(jira.fetch(newest))
    return Found(issue=issue.result(), comments=comments.result())


def shown_issue(jira: Jira, deployment: Deployment, found: Found, view: IssueView) -> JiraIssue:
    """Return an issue as an agent reads it; what was not asked for is empty."""
    sent, fields = found.issue, found.issue.fields
    bodies = Bodies(flavour=deployment.flavour, form=view.form, media=_media(fields.attachment))
    description = bodies.read(fields.description)
    page = deployment.page(sent.key)
    newest = found.comments.comments[: view.comments] if found.comments else ()
    comments = [comment_of(one, bodies, page) for one in reversed(newest)]
    lossy = {*description.lossy, *(name for one in comments for name in one.lossy)}
    return JiraIssue(
        key=sent.key,
        summary=sanitize(fields.summary),
        description=description.text,
        status=name_of(fields.status),
        status_category=category_of(fields.status),
        assignee=person(fields.assignee),
        assignee_id=account(fields.assignee),
        url=page,
        type=name_of(fields.issuetype),
        priority=name_of(fields.priority),
        reporter=person(fields.reporter),
        labels=[sanitize(label) for label in fields.labels],
        parent=related(fields.parent, jira.projects) if fields.parent else None,
        fix_versions=names_of(fields.fixVersions),
        created=fields.created,
        updated=fields.updated,
        resolution=name_of(fields.resolution),
        links=linked(fields.issuelinks, jira.projects),
        subtasks=[related(one, jira.projects) for one in fields.subtasks],
        attachments=[sanitize(one.filename) for one in fields.attachment],
        comments=comments,
        comments_total=found.comments.total if found.comments else None,
        custom=dict(_custom(jira.projects, sent, view.selection.custom, bodies)),
        lossy=sorted(lossy),
    )


def _media(attachments: Iterable[SentAttachment]) -> dict[str, str]:
    """Return the names of files by what documents may call them; nothing is fetched."""
    return {
        identifier: sanitize(one.filename)
        for one in attachments
        for identifier in (one.id, one.mediaApiFileId)
        if identifier and one.filename
    }


def _custom(
    allowed: AllowedProjects, sent: SentIssue, wanted: Iterable[str], bodies: Bodies
) -> Iterator[tuple[str, JsonValue]]:
    """Yield the further fields by what people call them; those of one name with their ids."""
    values: Mapping[str, object] = {**sent.fields.model_dump(), **(sent.fields.model_extra or {})}
    names = {field: (sent.names or {}).get(field) or field for field in wanted}
    for field, name in names.items():
        alone = sum(name == other for other in names.values()) == 1
        label = name if alone or name == field else f"{name} ({field})"
        yield sanitize(label), custom_value(permitted(values.get(field), allowed), bodies)
