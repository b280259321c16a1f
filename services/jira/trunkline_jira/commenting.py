"""Adding a comment: once, also when nobody can say whether it has been added."""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline_jira.bodies import Bodies
from trunkline_jira.change_endpoints import add_comment
from trunkline_jira.change_models import AddedComment
from trunkline_jira.comment_text import written_comment
from trunkline_jira.endpoints import list_comments, myself
from trunkline_jira.keys import IssueKey
from trunkline_jira.sent import SentComment
from trunkline_jira.shapes import account
from trunkline_jira.site.client import Jira
from trunkline_jira.site.flavour import Deployment, Flavour
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look

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
        deployment = await self.jira.deployment()
        flavour = deployment.flavour
        body = await written_comment(flavour, self.markdown)
        began = self.jira.clock.now()

        async def send() -> SentComment:
            endpoint = add_comment(flavour, self.key, body)
            return await self.jira.fetch(with_time_to_look(endpoint))

        async def look() -> SentComment | None:
            return await self._found(flavour, body, began)

        write = DoubtfulWrite(
            send=send,
            look=look,
            repeatable=False,
            how_to_look=f"look with list_jira_comments(issue_key={str(self.key)!r})",
        )
        return self._added(deployment, await write.perform())

    async def ensure(self, began: float) -> None:
        """Add it unless it has been added since `began`, in seconds since the epoch.

        Raises what `add` does.
        """
        flavour = (await self.jira.deployment()).flavour
        body = await written_comment(flavour, self.markdown)
        if await self._found(flavour, body, began) is None:
            await self.add()

    async def _found(self, flavour: Flavour, body: object, began: float) -> SentComment | None:
        """Return a comment of ours that says the same and is no older than the request."""
        mine = account(await self.jira.fetch(myself(flavour)))
        newest = await self.jira.fetch(list_comments(flavour, self.key, "newest", limit=_LOOKED_AT))
        bodies = Bodies(flavour=flavour, form="markdown")
        wanted = bodies.read(body).text
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


def _since(comments: tuple[SentComment, ...], since: float) -> Iterator[SentComment]:
    return (one for one in comments if one.created and one.created.timestamp() >= since)
