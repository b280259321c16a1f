"""Repositories as GitHub shows them."""

from trunkline_shared.testing.github.payloads.users import moment, node_id, simple_user
from trunkline_shared.testing.github.repository import Repository, Role
from trunkline_shared.testing.github.urls import Urls

LINKS = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
PERMISSIONS = {"pull": "read", "triage": "triage", "push": "write", "maintain": "maintain"}


def repository(of: Repository, urls: Urls, granted: frozenset[Role]) -> dict[str, object]:
    """Return a repository in its long form; `granted` is what the reader may do in it."""
    api = urls.repository(of)
    permissions = {name: role in granted for name, role in PERMISSIONS.items()}
    return {
        "id": of.id,
        "node_id": node_id("R", of.id),
        "name": of.name,
        "full_name": of.full_name,
        "owner": simple_user(of.owner, urls),
        "private": of.private,
        "visibility": "private" if of.private else "public",
        "url": api,
        **{name: api + suffix for name, suffix in LINKS.items()},
        **_addresses(of, urls),
        **_settings(of),
        **_counts(of),
        "created_at": moment(of.created_at),
        "updated_at": moment(of.created_at),
        "pushed_at": moment(of.created_at),
        "permissions": {**permissions, "admin": "admin" in granted},
    }


def minimal_repository(of: Repository, urls: Urls) -> dict[str, object]:
    """Return a repository in the form in which other things name it."""
    api = urls.repository(of)
    return {
        "id": of.id,
        "node_id": node_id("R", of.id),
        "name": of.name,
        "full_name": of.full_name,
        "owner": simple_user(of.owner, urls),
        "private": of.private,
        "html_url": f"{urls.web}/{of.full_name}",
        "description": of.description,
        "fork": False,
        "url": api,
        **{name: api + suffix for name, suffix in LINKS.items()},
    }


def _addresses(of: Repository, urls: Urls) -> dict[str, object]:
    page = f"{urls.web}/{of.full_name}"
    host = urls.web.removeprefix("https://")
    return {
        "html_url": page,
        "clone_url": f"{page}.git",
        "git_url": f"git://{host}/{of.full_name}.git",
        "ssh_url": f"git@{host}:{of.full_name}.git",
        "svn_url": page,
        "mirror_url": None,
        "homepage": None,
    }


def _settings(of: Repository) -> dict[str, object]:
    return {
        "description": of.description,
        "fork": False,
        "default_branch": of.default_branch,
        "language": None,
        "license": None,
        "archived": of.archived,
        "disabled": False,
        "has_issues": of.has_issues,
        **dict.fromkeys(("has_projects", "has_wiki", "has_downloads"), True),
        **dict.fromkeys(("has_pages", "has_discussions"), False),
    }


def _counts(of: Repository) -> dict[str, object]:
    unused = ("forks", "forks_count", "size", "stargazers_count", "watchers", "watchers_count")
    opened = sum(one.state == "open" for one in of.issues.values())
    return {
        **dict.fromkeys((*unused, "network_count", "subscribers_count"), 0),
        "open_issues": opened,
        "open_issues_count": opened,
    }
