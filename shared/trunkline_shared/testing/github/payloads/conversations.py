"""Comments, review comments and reactions as GitHub shows them."""

from collections.abc import Sequence

from trunkline_shared.testing.github.conversation import (
    CONTENTS,
    IssueComment,
    Reaction,
    ReviewComment,
)
from trunkline_shared.testing.github.payloads.users import app, moment, node_id, simple_user
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls


def association(author: User | None, repository: Repository) -> str:
    """Return how an author belongs to a repository."""
    if author is None:
        return "NONE"
    if author.id == repository.owner.id:
        return "OWNER"
    return "COLLABORATOR" if author.id in repository.roles else "NONE"


def reaction(of: Reaction, urls: Urls) -> dict[str, object]:
    """Return one reaction."""
    return {
        "id": of.id,
        "node_id": node_id("REA", of.id),
        "user": simple_user(of.user, urls),
        "content": of.content,
        "created_at": moment(of.created_at),
    }


def rollup(reactions: Sequence[Reaction], subject: str) -> dict[str, object]:
    """Return the counts of the reactions to the thing at the URL `subject`."""
    given = [one.content for one in reactions]
    return {
        "url": f"{subject}/reactions",
        "total_count": len(given),
        **{content: given.count(content) for content in CONTENTS},
    }


def issue_comment(of: IssueComment, repository: Repository, urls: Urls) -> dict[str, object]:
    """Return a comment on an issue or a pull request."""
    url = urls.issue_comment(repository, of)
    return {
        "id": of.id,
        "node_id": node_id("IC", of.id),
        "url": url,
        "html_url": f"{urls.page(repository, of.issue)}#issuecomment-{of.id}",
        "issue_url": urls.issue(repository, of.issue),
        "body": of.body,
        "user": simple_user(of.author, urls),
        "created_at": moment(of.created_at),
        "updated_at": moment(of.updated_at),
        "author_association": association(of.author, repository),
        "performed_via_github_app": app(of.app, urls),
        "reactions": rollup(of.reactions, url),
        "pin": None,
        "minimized": None if of.minimized is None else {"reason": of.minimized},
    }


def review_comment(of: ReviewComment, repository: Repository, urls: Urls) -> dict[str, object]:
    """Return a comment on a line of a diff."""
    url = urls.review_comment(repository, of)
    page = f"{urls.page(repository, of.issue)}#discussion_r{of.id}"
    pull = urls.pull(repository, of.issue)
    sha = of.issue.pull.head_sha if of.issue.pull is not None else ""
    return {
        "id": of.id,
        "node_id": node_id("PRRC", of.id),
        "url": url,
        "html_url": page,
        "pull_request_url": pull,
        "pull_request_review_id": None if of.review is None else of.review.id,
        "body": of.body,
        "user": simple_user(of.author, urls),
        "created_at": moment(of.created_at),
        "updated_at": moment(of.updated_at),
        "author_association": association(of.author, repository),
        "commit_id": of.commit_id if _is_outdated(of) else sha,
        "original_commit_id": of.commit_id or sha,
        **_anchor(of),
        "reactions": rollup(of.reactions, url),
        "_links": {
            "self": {"href": url},
            "html": {"href": page},
            "pull_request": {"href": pull},
        },
    }


def _is_outdated(of: ReviewComment) -> bool:
    return of.line is None and of.subject_type == "line"


def _anchor(of: ReviewComment) -> dict[str, object]:
    began = of.original_start_line if of.original_start_line is not None else of.start_line
    anchor: dict[str, object] = {
        "path": of.path,
        "diff_hunk": of.diff_hunk,
        "subject_type": of.subject_type,
        "line": of.line,
        "original_line": of.original_line,
        "start_line": of.start_line,
        "original_start_line": began,
        "side": of.side,
        "start_side": None if began is None else of.start_side or of.side,
        "position": of.line,
        "original_position": of.original_line,
    }
    if of.in_reply_to_id is not None:
        anchor["in_reply_to_id"] = of.in_reply_to_id
    return anchor
