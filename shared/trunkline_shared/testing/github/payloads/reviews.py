"""Reviews of pull requests, and their comments, as GitHub shows them."""

from trunkline_shared.testing.github.conversation import Review, ReviewComment
from trunkline_shared.testing.github.payloads.conversations import association, review_comment
from trunkline_shared.testing.github.payloads.users import moment, node_id, simple_user
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls

BEYOND_LEGACY = (
    "line",
    "original_line",
    "start_line",
    "original_start_line",
    "side",
    "start_side",
    "subject_type",
)


def review(of: Review, repository: Repository, urls: Urls) -> dict[str, object]:
    """Return a review; one that is pending has no `submitted_at`."""
    page = f"{urls.page(repository, of.issue)}#pullrequestreview-{of.id}"
    pull = urls.pull(repository, of.issue)
    shown: dict[str, object] = {
        "id": of.id,
        "node_id": node_id("PRR", of.id),
        "user": simple_user(of.author, urls),
        "body": of.body,
        "state": of.state,
        "html_url": page,
        "pull_request_url": pull,
        "author_association": association(of.author, repository),
        "_links": {"html": {"href": page}, "pull_request": {"href": pull}},
        "commit_id": of.commit_id,
    }
    if of.submitted_at is not None:
        shown["submitted_at"] = moment(of.submitted_at)
    return shown


def comment_of_review(of: ReviewComment, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a comment as the list of one review has it: without its lines and sides."""
    whole = review_comment(of, home, urls)
    return {key: value for key, value in whole.items() if key not in BEYOND_LEGACY}
