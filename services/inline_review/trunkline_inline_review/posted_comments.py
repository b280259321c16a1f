"""Which comments a review became: matched by path and text, as GitHub leaves their lines out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from trunkline_inline_review import review_endpoints as endpoints
from trunkline_inline_review.asked_review import Where
from trunkline_inline_review.batch import Placed
from trunkline_inline_review.drafts import Worded
from trunkline_inline_review.review_models import PostedComment
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import ReviewComment
from trunkline_shared.github.markers import without_marker

MOST = 1_000


async def comments_of(github: GitHub, where: Where, review_id: int) -> tuple[ReviewComment, ...]:
    """Return the comments of a review, in the order in which they were made."""
    endpoint = endpoints.list_comments_of(where.repository, where.number, review_id)
    found = await github.collect(endpoint, limit=MOST)
    return tuple(sorted(found.items, key=lambda one: one.id))


def same_comments(placed: Sequence[Placed], comments: Iterable[ReviewComment]) -> bool:
    """Say whether a review holds exactly these comments."""
    wanted = Counter(_key(one.anchor.path, one.entry.ask.text) for one in placed)
    return wanted == Counter(_key(one.path, one.body) for one in comments)


def claimed(
    placed: Sequence[Placed], comments: Iterable[ReviewComment]
) -> dict[Placed, ReviewComment]:
    """Return which comment each entry became; one whose comment is not among these is left out."""
    left = _Unclaimed(comments)
    found = {one: left.take(one.anchor.path, one.entry.ask.text) for one in placed}
    return {one: comment for one, comment in found.items() if comment is not None}


def posted(
    placed: Iterable[Placed],
    there: Mapping[Placed, ReviewComment],
    made: Mapping[Placed, ReviewComment],
) -> list[PostedComment]:
    """Return what each entry is now: a comment that was there, a new one, or one not yet known."""
    return [_posted(one, there.get(one), made.get(one)) for one in placed]


def _posted(
    placed: Placed, there: ReviewComment | None, made: ReviewComment | None
) -> PostedComment:
    comment = there or made
    return PostedComment(
        index=placed.entry.index,
        comment_id=None if comment is None else comment.id,
        html_url="" if comment is None else comment.html_url,
        path=placed.anchor.path,
        line=placed.anchor.line,
        side=placed.anchor.side,
        start_line=placed.anchor.start_line,
        created=there is None,
        note=placed.anchor.note,
    )


def recalled(worded: Iterable[Worded], comments: Iterable[ReviewComment]) -> list[PostedComment]:
    """Return which entries an earlier review has already."""
    left = _Unclaimed(comments)
    return list(_recalled(worded, left))


def _recalled(worded: Iterable[Worded], left: "_Unclaimed") -> Iterator[PostedComment]:
    for entry in worded:
        comment = left.take(entry.ask.wanted.path, entry.ask.text)
        if comment is not None:
            yield PostedComment(
                index=entry.index,
                comment_id=comment.id,
                html_url=comment.html_url,
                path=comment.path,
                line=entry.ask.wanted.end,
                side=entry.ask.wanted.side,
                start_line=entry.ask.wanted.begin[1] if entry.ask.wanted.begin else None,
                created=False,
            )


class _Unclaimed:
    """Comments by path and text; each is taken once."""

    def __init__(self, comments: Iterable[ReviewComment]) -> None:
        self._left: dict[tuple[str, str], list[ReviewComment]] = {}
        for comment in comments:
            self._left.setdefault(_key(comment.path, comment.body), []).append(comment)

    def take(self, path: str, body: str) -> ReviewComment | None:
        left = self._left.get(_key(path, body))
        return left.pop(0) if left else None


def _key(path: str, body: str) -> tuple[str, str]:
    return path, without_marker(body).replace("\r\n", "\n").strip()
