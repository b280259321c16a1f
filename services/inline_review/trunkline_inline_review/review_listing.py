"""Listing the reviews of a pull request."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_inline_review.asked_review import Where
from trunkline_inline_review.review_models import ListedReview, Reviewer, Reviews
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.markers import without_marker
from trunkline_shared.github.pull_models import Review
from trunkline_shared.github.pulls import list_reviews
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.answered import source_of, with_response


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewQuery:
    """Which page of the reviews to list, and which fields of each."""

    page: int
    per_page: int
    fields: Sequence[str]


async def listed(github: GitHub, where: Where, query: ReviewQuery) -> Reviews:
    """Return one page, oldest first.

    Raises InvalidInput for an unknown field before anything is asked.
    """
    choose((), query.fields, ListedReview)
    endpoint = list_reviews(
        where.repository, where.number, page_number=query.page, per_page=query.per_page
    )
    found, response = await github.fetch(with_response(endpoint))
    entries = choose([_entry(one) for one in found.items], query.fields, ListedReview)
    has_more = found.next_url is not None
    earlier = (query.page - 1) * query.per_page
    at_end = not has_more and bool(found.items or query.page == 1)
    return Reviews(
        reviews=entries,
        page_info=PageInfo(
            has_more=has_more,
            next_page=query.page + 1 if has_more else None,
            total_count=earlier + len(found.items) if at_end else None,
            returned=len(entries),
        ),
        has_more=has_more,
        source=source_of(response),
    )


def _entry(review: Review) -> ListedReview:
    user = review.user
    return ListedReview(
        id=review.id,
        state=review.state,
        author=None if user is None else Reviewer(login=user.login, type=user.type),
        author_association=review.author_association,
        body=sanitize(without_marker(review.body)),
        submitted_at=review.submitted_at,
        commit_id=review.commit_id,
        html_url=review.html_url,
    )
