"""Posting a comment once, also when nobody can say whether it has been posted."""

from dataclasses import dataclass

from trunkline_comment.finding import Conversation, Wanted, bears, first, says
from trunkline_shared.clock import Clock
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.doubtful_write import DoubtfulWrite, with_time_to_look
from trunkline_shared.github.markers import Marker

_MARKED_SKEW_S = 300.0
_TEXT_SKEW_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Posts to one conversation."""

    github: GitHub
    clock: Clock
    where: Conversation

    async def post(self, body: str, marker: Marker | None) -> IssueComment:
        """Add a comment. Raises the failure, with `may_have_happened` when that is unknown."""
        since = self.clock.now() - (_MARKED_SKEW_S if marker else _TEXT_SKEW_S)

        async def send() -> IssueComment:
            endpoint = comments.create_issue_comment(self.where.repository, self.where.number, body)
            return await self.github.fetch(with_time_to_look(endpoint))

        async def look() -> IssueComment | None:
            login = await self.github.login()
            wanted: Wanted = bears(marker, login) if marker else says(body, login)
            return await first(self.github, self.where, wanted, since=since)

        return await DoubtfulWrite(
            send=send,
            look=look,
            repeatable=marker is not None,
            how_to_look="look with list_comments",
        ).perform()
