"""Adding a comment: once, also when nobody can say whether it has been added."""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline_jira.bodies import Bodies
from trunkline_jira.change_endpoints import add_comment, comment_body
from trunkline_jira.change_models import AddedComment
from trunkline_jira.endpoints import list_comments, myself
from trunkline_jira.keys import IssueKey
from trunkline_jira.sent import SentComment
from trunkline_jira.shapes import account
from trunkline_jira.site.client import Jira
from trunkline_jira.site.flavour import Deployment, Flavour
from trunkline_shared.errors import TooLarge
from trunkline_shared.postable import require_clean, unusable
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

MOST_CHARACTERS = 32_767
"""Jira's own limit of a text: jira.text.field.character.limit."""

_LOOKED_AT = 20
_CLOCKS_DIFFER_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Commenting:
    """One comment to be added to one issue."""

    jira: Jira
    key: IssueKey
    markdown: str

    async def add(self) -> AddedComment:
        """Add it. Raises a TrunklineError; UpstreamTimeout when it may have been added."""
        require_postable(self.markdown)
        deployment = await self.jira.deployment()
        flavour = deployment.flavour
        _require_short(flavour, self.markdown)
        began = self.jira.clock.now()

        async def send() -> SentComment:
            endpoint = add_comment(flavour, self.key, self.markdown)
            return await self.jira.fetch(with_time_to_look(endpoint))

        async def look() -> SentComment | None:
            return await self._found(flavour, began)

        write = DoubtfulWrite(
            send=send,
            look=look,
            repeatable=False,
            how_to_look=f"look with list_jira_comments(issue_key={str(self.key)!r})",
        )
        return self._added(deployment, await write.perform())

    async def _found(self, flavour: Flavour, began: float) -> SentComment | None:
        """Return a comment of ours that says the same and is no older than the request."""
        mine = account(await self.jira.fetch(myself(flavour)))
        newest = await self.jira.fetch(list_comments(flavour, self.key, "newest", limit=_LOOKED_AT))
        bodies = Bodies(flavour=flavour, form="markdown")
        wanted = bodies.read(comment_body(flavour, self.markdown)).text
        same = (
            comment
            for comment in _since(newest.comments, began - _CLOCKS_DIFFER_S)
            if account(comment.author) == mine and bodies.read(comment.body).text == wanted
        )
        return next(same, None)

    def _added(self, deployment: Deployment, comment: SentComment) -> AddedComment:
        return AddedComment(
            id=comment.id,
            key=str(self.key),
            url=f"{deployment.page(str(self.key))}?focusedCommentId={comment.id}",
        )


def require_postable(markdown: str, field: str = "body") -> None:
    """Check a text that is about to be posted.

    Raises InvalidInput for a blank one, BlockedByPolicy for a secret.
    """
    if not markdown.strip():
        raise unusable(field, "is blank", "must not be blank")
    require_clean(markdown, field)


def _require_short(flavour: Flavour, markdown: str) -> None:
    written = markdown if flavour.is_cloud else str(comment_body(flavour, markdown))
    if len(written) > MOST_CHARACTERS:
        raise TooLarge(
            f"body has {len(written):,} characters; Jira takes {MOST_CHARACTERS:,}.",
            hint="Shorten it, or add several comments.",
            details={
                "reason": "too_long",
                "characters": len(written),
                "max_characters": MOST_CHARACTERS,
            },
        )


def _since(comments: tuple[SentComment, ...], since: float) -> Iterator[SentComment]:
    return (one for one in comments if one.created and one.created.timestamp() >= since)
