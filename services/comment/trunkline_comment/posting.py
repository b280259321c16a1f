"""Posting a comment once, also when nobody can say whether it has been posted."""

from dataclasses import dataclass, replace

from trunkline_comment.finding import Conversation, Wanted, bears, first, says
from trunkline_comment.markers import Marker
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import TrunklineError
from trunkline_shared.github import comments
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.repository import Repository

_LONGEST_S = 15.0
_SHARE = 0.6
_MARKED_SKEW_S = 300.0
_TEXT_SKEW_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """Posts to one conversation."""

    github: GitHub
    clock: Clock
    where: Conversation

    async def post(self, body: str, marker: Marker | None) -> IssueComment:
        """Add a comment; after a failure that may have posted it, look for it first.

        It is sent again only if GitHub answered the first request, and it is not there. Raises
        the failure, with `may_have_happened` when it is still unknown.
        """
        began = self.clock.now()
        try:
            return await self._send(body)
        except TrunklineError as error:
            if not error.details.get("may_have_happened"):
                raise
            found = await self._sought(body, marker, began)
            if found is not None:
                return found
            if "http_status" not in error.details:
                raise _unknown(error, marker) from None
        return await self._again(body, marker, began)

    async def _again(self, body: str, marker: Marker | None, began: float) -> IssueComment:
        try:
            return await self._send(body)
        except TrunklineError as error:
            found = await self._sought(body, marker, began)
            if found is not None:
                return found
            raise _unknown(error, marker) from None

    async def _send(self, body: str) -> IssueComment:
        """Leave a part of the call's time for looking what has become of it."""
        repository: Repository = self.where.repository
        endpoint = comments.create_issue_comment(repository, self.where.number, body)
        seconds = _SHARE * remaining(_LONGEST_S / _SHARE)
        return await self.github.fetch(replace(endpoint, timeout_s=seconds))

    async def _sought(self, body: str, marker: Marker | None, began: float) -> IssueComment | None:
        """Look among the comments since the request began; what cannot be seen is not found."""
        try:
            login = await self.github.login()
            wanted: Wanted = bears(marker, login) if marker else says(body, login)
            since = began - (_MARKED_SKEW_S if marker else _TEXT_SKEW_S)
            return await first(self.github, self.where, wanted, since=since)
        except TrunklineError:
            return None


def _unknown(error: TrunklineError, marker: Marker | None) -> TrunklineError:
    if not error.details.get("may_have_happened"):
        return error
    hint = (
        "It may have been posted: call again with the same marker, which never posts twice."
        if marker
        else "It may have been posted: look with list_comments before you post again."
    )
    return type(error)(
        error.message,
        hint=hint,
        retryable=marker is not None,
        retry_after=error.retry_after,
        details=error.details,
    )
