"""A review as it is asked for, and what must be true of it before GitHub is asked."""

from dataclasses import dataclass

from trunkline_inline_review.drafts import Entries
from trunkline_inline_review.review_models import Event
from trunkline_shared.errors import BlockedByPolicy, InvalidInput
from trunkline_shared.github.comment_finding import same_text
from trunkline_shared.github.markers import Marker, marker_of, parse_marker, without_marker
from trunkline_shared.github.outgoing_text import require_short
from trunkline_shared.github.pull_models import PullRequest, Review
from trunkline_shared.github.repository import Repository
from trunkline_shared.postable import require_clean, unusable

STATES: dict[Event | None, str] = {
    "COMMENT": "COMMENTED",
    "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "APPROVE": "APPROVED",
    None: "PENDING",
}
"""The state that a review has after each event; None is no event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The pull request that a review is of."""

    repository: Repository
    number: int

    def key(self, name: str) -> tuple[str, int, str]:
        """Return what serialises writes of one name there."""
        return (self.repository.slug.lower(), self.number, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A review to be made; `marker` is the caller's name for it, at the head of `body`."""

    entries: Entries
    body: str
    event: Event | None
    marker: Marker | None

    @property
    def state(self) -> str:
        return STATES[self.event]

    @property
    def says_something(self) -> bool:
        """Whether it has a text of its own."""
        return bool(without_marker(self.body).strip())

    def made(self, review: Review, commit_id: str) -> bool:
        """Say whether a review may be this one, by everything but its comments."""
        if self.marker is not None:
            return bears(review, self.marker)
        same = review.state == self.state and review.commit_id == commit_id
        return same and same_text(review.body.strip(), self.body.strip())


def bears(review: Review, marker: Marker) -> bool:
    """Say whether a review has this marker at its head."""
    found = marker_of(review.body)
    return found is not None and found.text == marker.text


def asked(entries: Entries, body: str, event: Event | None, key: str) -> Asked:
    """Return the review that is asked for.

    Raises InvalidInput for one that says nothing, or misses the text that GitHub wants with it;
    TooLarge, BlockedByPolicy for its text.
    """
    marker = parse_marker(key, "dedupe_key")
    said = without_marker(body).strip("\n")
    require_clean(said)
    text = said if said.strip() else ""
    require_text(event, text)
    if event == "COMMENT" and not text and entries.empty:
        raise unusable("body", "and comments are both empty; there is nothing to post", "is empty")
    whole = (marker.line() if marker else "") + text
    require_short(whole)
    return Asked(entries=entries, body=whole, event=event, marker=marker)


def require_text(event: Event | None, text: str) -> None:
    """Check that a request for changes says which. Raises InvalidInput."""
    if event == "REQUEST_CHANGES" and not text.strip():
        raise unusable("body", "is needed with REQUEST_CHANGES: GitHub asks for it", "is required")


def require_others(event: Event | None, pull: PullRequest, login: str) -> None:
    """Check that nobody judges their own pull request. Raises InvalidInput."""
    judges = event in {"APPROVE", "REQUEST_CHANGES"}
    if judges and pull.user is not None and pull.user.login.lower() == login.lower():
        raise InvalidInput(
            f"Pull request {pull.number} is your own ({login}): GitHub takes no {event} of it.",
            hint="Use event COMMENT.",
            details={
                "reason": "own_pull_request",
                "field_errors": [{"field": "event", "problem": "is not possible on your own"}],
            },
        )


def require_allowed(event: Event | None, *, approves: bool) -> None:
    """Check that this server may approve. Raises BlockedByPolicy."""
    if event == "APPROVE" and not approves:
        raise BlockedByPolicy(
            "Approving pull requests is switched off here.",
            hint="Use event COMMENT, or have the operator set TRUNKLINE_ENABLE_WRITES=approve.",
            details={"reason": "write_group_off", "write_group": "approve"},
        )
