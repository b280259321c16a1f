"""What each reviewer says in the end, and what all of them come to."""

from collections.abc import Iterable
from typing import Literal

from trunkline_issues.pull_results import ReviewState
from trunkline_shared.github.pull_models import PullRequest, Review

Decision = Literal["approved", "changes_requested", "review_required", "none"]
_DECISIVE = frozenset({"APPROVED", "CHANGES_REQUESTED", "DISMISSED"})
_UNSENT = "PENDING"


def latest(reviews: Iterable[Review]) -> list[ReviewState]:
    """Return the state of each reviewer, in the order of their first review.

    It is that of the newest review which approved, requested changes or was dismissed: a comment
    after it changes nothing. Deleted accounts cannot be told apart.
    """
    states: dict[str | None, str] = {}
    for review in reviews:
        author = None if review.user is None else review.user.login
        if review.state == _UNSENT:
            continue
        if review.state in _DECISIVE or author not in states:
            states[author] = review.state
    return [ReviewState(author=author, state=state) for author, state in states.items()]


def decision(pull: PullRequest, reviews: Iterable[ReviewState]) -> Decision:
    """Return what the reviews come to; requested ones are still to come."""
    states = {review.state for review in reviews}
    if "CHANGES_REQUESTED" in states:
        return "changes_requested"
    if "APPROVED" in states:
        return "approved"
    return "review_required" if pull.requested_reviewers or pull.requested_teams else "none"
