"""Issues and pull requests as GitHub shows them."""

from trunkline_shared.testing.github.conversation import Issue, Pull
from trunkline_shared.testing.github.payloads.conversations import association, rollup
from trunkline_shared.testing.github.payloads.repositories import repository
from trunkline_shared.testing.github.payloads.tracking import issue_type, label, milestone
from trunkline_shared.testing.github.payloads.users import moment, node_id, simple_user, team
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls


def issue(of: Issue, home: Repository, urls: Urls) -> dict[str, object]:
    """Return an issue; a pull request seen as an issue has the key `pull_request`."""
    url = urls.issue(home, of)
    shown = {
        **_common(of, home, urls),
        "url": url,
        "node_id": node_id("I", of.id),
        "repository_url": urls.repository(home),
        "labels_url": url + "/labels{/name}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "timeline_url": f"{url}/timeline",
        "state_reason": of.state_reason,
        "closed_by": simple_user(of.closed_by, urls),
        "type": issue_type(of.type),
        "performed_via_github_app": None,
        "reactions": rollup(of.reactions, url),
    }
    if of.pull is not None:
        shown["draft"] = of.pull.draft
        shown["pull_request"] = _pull_links(of, of.pull, home, urls)
    return shown


def pull_request(of: Issue, pull: Pull, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a pull request."""
    url = urls.pull(home, of)
    return {
        **_common(of, home, urls),
        "node_id": node_id("PR", of.id),
        **_addresses(of, pull, home, urls),
        "head": _side(pull.head_ref, pull.head_sha, home, urls)
        | ({"label": f"{pull.head_owner.login}:{pull.head_ref}"} if pull.head_owner else {}),
        "base": _side(pull.base_ref, pull.base_sha, home, urls),
        "_links": _links(of, pull, home, urls),
        "draft": pull.draft,
        "merged": pull.merged_at is not None,
        "merged_at": moment(pull.merged_at),
        "merged_by": None,
        "merge_commit_sha": None,
        "mergeable": None if pull.computing else pull.mergeable,
        "mergeable_state": "unknown" if pull.computing else pull.mergeable_state,
        "rebaseable": None if pull.computing else pull.mergeable,
        "auto_merge": None,
        "maintainer_can_modify": pull.maintainer_can_modify,
        "requested_reviewers": [simple_user(one, urls) for one in pull.reviewers],
        "requested_teams": [team(one, home.owner, urls) for one in pull.teams],
        "review_comments": len(of.review_comments),
        "review_comment_url": f"{urls.repository(home)}/pulls/comments{{/number}}",
        "review_comments_url": f"{url}/comments",
        "additions": sum(one.additions for one in pull.files),
        "deletions": sum(one.deletions for one in pull.files),
        "changed_files": len(pull.files),
        "commits": len(pull.commits),
    }


def listed_pull(of: Issue, pull: Pull, home: Repository, urls: Urls) -> dict[str, object]:
    """Return a pull request as lists have it: without what GitHub computes for one alone."""
    whole = pull_request(of, pull, home, urls)
    return {name: value for name, value in whole.items() if name not in _ALONE}


_ALONE = frozenset({
    "additions", "changed_files", "comments", "commits", "deletions", "maintainer_can_modify",
    "mergeable", "mergeable_state", "merged", "merged_by", "rebaseable", "review_comments",
})  # fmt: skip


def _common(of: Issue, home: Repository, urls: Urls) -> dict[str, object]:
    return {
        "id": of.id,
        "number": of.number,
        "html_url": urls.page(home, of),
        "title": of.title,
        "body": of.body,
        "user": simple_user(of.author, urls),
        "author_association": association(of.author, home),
        "labels": [label(one, home, urls) for one in of.labels],
        "assignee": simple_user(of.assignees[0] if of.assignees else None, urls),
        "assignees": [simple_user(one, urls) for one in of.assignees],
        "milestone": milestone(of.milestone, home, urls),
        "state": of.state,
        "locked": of.locked,
        "active_lock_reason": None,
        "comments": len(of.comments),
        "created_at": moment(of.created_at),
        "updated_at": moment(of.updated_at),
        "closed_at": moment(of.closed_at),
    }


def _pull_links(of: Issue, pull: Pull, home: Repository, urls: Urls) -> dict[str, object]:
    page = urls.page(home, of)
    return {
        "url": urls.pull(home, of),
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "merged_at": moment(pull.merged_at),
    }


def _addresses(of: Issue, pull: Pull, home: Repository, urls: Urls) -> dict[str, object]:
    page, url = urls.page(home, of), urls.pull(home, of)
    return {
        "url": url,
        "issue_url": urls.issue(home, of),
        "comments_url": f"{urls.issue(home, of)}/comments",
        "commits_url": f"{url}/commits",
        "statuses_url": f"{urls.repository(home)}/statuses/{pull.head_sha}",
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
    }


def _side(ref: str, sha: str, home: Repository, urls: Urls) -> dict[str, object]:
    return {
        "label": f"{home.owner.login}:{ref}",
        "ref": ref,
        "sha": sha,
        "user": simple_user(home.owner, urls),
        "repo": repository(home, urls, frozenset({"read"})),
    }


def _links(of: Issue, pull: Pull, home: Repository, urls: Urls) -> dict[str, object]:
    url = urls.pull(home, of)
    targets = {
        "self": url,
        "html": urls.page(home, of),
        "issue": urls.issue(home, of),
        "comments": f"{urls.issue(home, of)}/comments",
        "review_comments": f"{url}/comments",
        "review_comment": f"{urls.repository(home)}/pulls/comments{{/number}}",
        "commits": f"{url}/commits",
        "statuses": f"{urls.repository(home)}/statuses/{pull.head_sha}",
    }
    return {name: {"href": target} for name, target in targets.items()}
