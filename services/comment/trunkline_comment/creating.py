"""Creating comments, and finding or making the one that bears a marker."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_comment.finding import Conversation, bears, first
from trunkline_comment.models import Part
from trunkline_comment.posted import part
from trunkline_comment.posting import Posting
from trunkline_comment.updating import same_text
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NotFound, TrunklineError
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.markers import Marker, marker_of

Action = Literal["created", "updated", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What writing needs: a GitHub, the time, and the memory of marked comments."""

    github: GitHub
    clock: Clock
    marked: KeyedWrites

    async def create(
        self, where: Conversation, bodies: Sequence[str], marker: Marker | None
    ) -> list[Part]:
        """Post the bodies in order; those whose marker is there already are left as they are.

        Raises the failure of the first that could not be posted; `details.posted` names the
        comments before it.
        """
        if marker is None:
            return await self._post_all(where, bodies)
        async with self.marked.alone((where.slug, where.number, marker.text)):
            return await self._post_all(where, bodies)

    async def upsert(
        self, where: Conversation, body: str, marker: Marker, *, author_only: bool
    ) -> tuple[IssueComment, Action]:
        """Give the oldest comment with the marker this body, or post it."""
        async with self.marked.alone((where.slug, where.number, marker.text)):
            login = await self.github.login() if author_only else None
            before = await self._marked(where, marker, login)
            if before is not None and same_text(before.body, body):
                return before, "unchanged"
            after = await self._replaced(where, before, body)
            if after is not None:
                return after, "updated"
            return await self._post(where, body, marker), "created"

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
                done.append(await self._once(where, body))
            except TrunklineError as error:
                if done:
                    posted = [each.comment_id for each in done]
                    error.details = {**error.details, "posted": posted}
                raise
        return done

    async def _once(self, where: Conversation, body: str) -> Part:
        marker = marker_of(body)
        if marker is not None:
            there = await self._marked(where, marker, await self.github.login())
            if there is not None:
                return part(there, created=False)
        return part(await self._post(where, body, marker), created=True)

    async def _post(self, where: Conversation, body: str, marker: Marker | None) -> IssueComment:
        posting = Posting(github=self.github, clock=self.clock, where=where)
        comment = await posting.post(body, marker)
        if marker is not None:
            self.marked.remember(_key(where, marker), comment.id)
        return comment

    async def _marked(
        self, where: Conversation, marker: Marker, login: str | None
    ) -> IssueComment | None:
        wanted = bears(marker, login)
        recalled = await self._recalled(where, marker)
        if recalled is not None and wanted(recalled):
            return recalled
        return await first(self.github, where, wanted)

    async def _recalled(self, where: Conversation, marker: Marker) -> IssueComment | None:
        key = _key(where, marker)
        comment_id = self.marked.recall(key)
        if comment_id is None:
            return None
        try:
            return await self.github.fetch(comments.get_issue_comment(where.repository, comment_id))
        except NotFound:
            self.marked.forget(key)
            return None


def _key(where: Conversation, marker: Marker) -> tuple[str, int, str]:
    return (where.slug, where.number, f"{marker.part}:{marker.text}")
