"""An issue's comments, as Jira sent them and as an agent reads them."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_jira.bodies import Bodies, Format, require_form
from trunkline_jira.endpoints import Order, list_comments
from trunkline_jira.keys import IssueKey
from trunkline_jira.models import JiraComment, JiraComments
from trunkline_jira.offset import offset
from trunkline_jira.sent import SentComment, Visibility
from trunkline_jira.shapes import account, person
from trunkline_jira.site.client import Jira
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentPage:
    """Which comments of an issue are asked for, and in which form."""

    key: IssueKey
    order: Order
    limit: int
    cursor: str
    fields: Sequence[str]
    form: Format = "markdown"


async def browse_comments(jira: Jira, wanted: CommentPage) -> JiraComments:
    """Return a page of an issue's comments.

    Raises a TrunklineError; InvalidInput for a cursor of another list.
    """
    choose((), wanted.fields, JiraComment)
    question = ("comments", jira.site, str(wanted.key), wanted.order)
    start = offset(jira.cursors.read(wanted.cursor, *question))
    deployment = await jira.deployment()
    require_form(deployment.flavour, wanted.form)
    sent = await jira.fetch(
        list_comments(deployment.flavour, wanted.key, wanted.order, start=start, limit=wanted.limit)
    )
    bodies = Bodies(flavour=deployment.flavour, form=wanted.form)
    page = deployment.page(str(wanted.key))
    shown = [comment_of(one, bodies, page) for one in sent.comments]
    end = start + len(sent.comments)
    more = bool(sent.comments) and end < sent.total
    return JiraComments(
        key=str(wanted.key),
        comments=choose(shown, wanted.fields, JiraComment),
        page_info=PageInfo(
            has_more=more,
            next_cursor=jira.cursors.written(str(end), *question) if more else None,
            total_count=sent.total,
            returned=len(shown),
        ),
        has_more=more,
    )


def comment_of(sent: SentComment, bodies: Bodies, page: str) -> JiraComment:
    """Return a comment; `page` is the address of its issue's page."""
    body = bodies.read(sent.body)
    return JiraComment(
        id=sent.id,
        author=person(sent.author),
        author_id=account(sent.author),
        created=sent.created,
        updated=sent.updated,
        body=body.text,
        visibility=_visibility(sent.visibility),
        internal=sent.jsdPublic is False,
        url=f"{page}?focusedCommentId={sent.id}",
        lossy=list(body.lossy),
    )


def _visibility(sent: Visibility | None) -> str | None:
    if sent is None or not sent.value:
        return None
    return sanitize(f"{sent.type}: {sent.value}" if sent.type else sent.value)
