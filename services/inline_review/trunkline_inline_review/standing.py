"""What of a review stands on the pull request already: models repeat a call after a slow answer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from trunkline_inline_review.asked_review import Asked, Where
from trunkline_inline_review.batch import Placed
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import is_by
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.markers import without_marker
from trunkline_shared.github.pull_models import Review
from trunkline_shared.github.review_comments import list_review_comments

MOST = 1_000
"""How many of the newest comments of a pull request are looked at."""

_JUDGING = frozenset({"APPROVED", "CHANGES_REQUESTED", "DISMISSED"})
Place = tuple[str, str | None, int | None, int | None, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One's own comments and reviews of a pull request."""

    reviews: Sequence[Review]
    comments: dict[Place, ReviewComment] = field(default_factory=dict)

    def comment(self, placed: Placed) -> ReviewComment | None:
        """Return one's own comment that says the same about the same lines."""
        anchor = placed.anchor
        key = (
            anchor.path,
            anchor.side,
            anchor.line,
            anchor.start_line,
            _text(placed.entry.ask.text),
        )
        return self.comments.get(key)

    def said(self, asked: Asked, commit_id: str, there: Iterable[ReviewComment]) -> Review | None:
        """Return one's own review that says all of a review whose comments are `there`.

        A judgement counts only while it is one's last.
        """
        if not asked.says_something and asked.event == "COMMENT":
            ids = {comment.pull_request_review_id for comment in there}
            return next((one for one in reversed(self.reviews) if one.id in ids), None)
        last = self.reviews
        if asked.state in _JUDGING:
            last = [one for one in self.reviews if one.state in _JUDGING][-1:]
        return next((one for one in reversed(last) if asked.made(one, commit_id)), None)


async def standing(github: GitHub, where: Where, own: Sequence[Review]) -> Standing:
    """Read one's own comments on the lines of a pull request; `own` are one's reviews of it."""
    login = await github.login()
    newest = list_review_comments(where.repository, where.number, direction="desc")
    found = await github.collect(newest, limit=MOST)
    mine = (
        one
        for one in reversed(found.items)
        if is_by(one.user, login) and one.in_reply_to_id is None and one.line is not None
    )
    return Standing(reviews=own, comments={_place(one): one for one in mine})


def _place(one: ReviewComment) -> Place:
    return (one.path, one.side, one.line, one.start_line, _text(one.body))


def _text(body: str) -> str:
    return without_marker(body).replace("\r\n", "\n").strip()
