"""From pull requests as GitHub sent them to what agents read."""

from trunkline_issues.pull_results import PullDetails, PullEntry, State
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.untrusted import sanitize


def details(pull: PullRequest, others: tuple[int, ...] = ()) -> PullDetails:
    """Return one pull request with its text."""
    return PullDetails(
        number=pull.number,
        title=sanitize(pull.title),
        state=_state(pull),
        merged=pull.is_merged,
        author=_author(pull),
        base=sanitize(pull.base.ref),
        head=head(pull),
        draft=pull.draft,
        mergeable=pull.mergeable,
        created_at=pull.created_at,
        updated_at=pull.updated_at,
        labels=_labels(pull),
        body=sanitize(pull.body),
        url=pull.html_url,
        changed_files=pull.changed_files,
        additions=pull.additions,
        deletions=pull.deletions,
        base_sha=pull.base.sha,
        head_sha=pull.head.sha,
        requested_reviewers=[
            *(user.login for user in pull.requested_reviewers),
            *(team.slug for team in pull.requested_teams),
        ],
        other_pull_requests=list(others),
    )


def entry(pull: PullRequest) -> PullEntry:
    """Return a pull request as an entry of a list."""
    return PullEntry(
        number=pull.number,
        title=sanitize(pull.title),
        author=_author(pull),
        state=_state(pull),
        merged=pull.is_merged,
        draft=pull.draft,
        base=sanitize(pull.base.ref),
        head=head(pull),
        head_sha=pull.head.sha,
        labels=_labels(pull),
        url=pull.html_url,
        created_at=pull.created_at,
        updated_at=pull.updated_at,
    )


def head(pull: PullRequest) -> str:
    """Return the head's branch, with its owner where it is in another repository."""
    same = pull.head.repo is None or pull.base.repo is None or pull.head.repo == pull.base.repo
    owner = (pull.head.label or "").rpartition(":")[0]
    home = (pull.base.label or "").rpartition(":")[0]
    if same and owner == home:
        return sanitize(pull.head.ref)
    return sanitize(pull.head.label or pull.head.ref)


def _state(pull: PullRequest) -> State:
    return "open" if pull.state == "open" else "closed"


def _author(pull: PullRequest) -> str | None:
    return None if pull.user is None else pull.user.login


def _labels(pull: PullRequest) -> list[str]:
    return [sanitize(label.name) for label in pull.labels]
