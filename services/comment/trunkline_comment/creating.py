"""Creating comments, and finding or making the one that bears a marker."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_comment.models import Part
from trunkline_comment.posted import part
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NotFound, TrunklineError
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import Conversation, same_text
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.comment_posting import CommentPosting
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker

Action = Literal["created", "updated", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What writing needs: a GitHub, the time, and the memory of marked comments."""

    github: GitHub
    clock: Clock
    marked: KeyedWrites

    @property
    def posting(self) -> CommentPosting:
        return CommentPosting(github=self.github, clock=self.clock, marked=self.marked)

    async def create(
        self, where: Conversation, bodies: Sequence[str], marker: Marker | None
    ) -> list[Part]:
        """Post the bodies in order; those whose marker is there already are left as they are.

        Raises the failure of the first that could not be posted; `details.posted` names the
        comments before it.
        """
        if marker is None:
            return await self._post_all(where, bodies)
        async with self.posting.alone(where, marker):
            return await self._post_all(where, bodies)

    async def upsert(
        self, where: Conversation, body: str, marker: Marker, *, author_only: bool
    ) -> tuple[IssueComment, Action]:
        """Give the oldest comment with the marker this body, or post it."""
        async with self.posting.alone(where, marker):
            login = await self.github.login() if author_only else None
            before = await self.posting.with_marker(where, marker, login)
            if before is not None and same_text(before.body, body):
                return before, "unchanged"
            after = await self._replaced(where, before, body)
            if after is not None:
                return after, "updated"
            return await self.posting.post(where, body, marker), "created"

    async def _replaced(
        self, where: Conversation, before: IssueComment | None, body: str
    ) -> IssueComment | None:
        """Update the comment; None when there is none, or it was deleted meanwhile."""
        if before is None:
            return None
        try:
            return await self.github.fetch(
                comments.update_issue_comment(where.repository, before.id, body)
            )
        except NotFound:
            return None

    async def _post_all(self, where: Conversation, bodies: Sequence[str]) -> list[Part]:
        done: list[Part] = []
        for body in bodies:
            try:
                comment, created = await self.posting.once(where, body)
            except TrunklineError as error:
                if done:
                    posted = [each.comment_id for each in done]
                    error.details = {**error.details, "posted": posted}
                raise
            done.append(part(comment, created=created))
        return done
