"""Accounts and Apps as GitHub shows them."""

from datetime import UTC, datetime

from trunkline_shared.testing.github.people import App, User
from trunkline_shared.testing.github.urls import Urls

JOINED = datetime(2020, 1, 1, tzinfo=UTC)


def moment(at: datetime | None) -> str | None:
    """Return a time as GitHub writes it."""
    return None if at is None else at.strftime("%Y-%m-%dT%H:%M:%SZ")


def node_id(kind: str, number: int) -> str:
    """Return the GraphQL id of a thing."""
    return f"{kind}_stand{number:012d}"


def simple_user(user: User | None, urls: Urls) -> dict[str, object] | None:
    """Return the short form of an account; a deleted one is null."""
    if user is None:
        return None
    api = urls.user(user)
    links = {
        "followers_url": "/followers",
        "following_url": "/following{/other_user}",
        "gists_url": "/gists{/gist_id}",
        "starred_url": "/starred{/owner}{/repo}",
        "subscriptions_url": "/subscriptions",
        "organizations_url": "/orgs",
        "repos_url": "/repos",
        "events_url": "/events{/privacy}",
        "received_events_url": "/received_events",
    }
    return {
        "login": user.login,
        "id": user.id,
        "node_id": node_id("U", user.id),
        "avatar_url": f"https://avatars.githubusercontent.com/u/{user.id}?v=4",
        "gravatar_id": "",
        "url": api,
        "html_url": f"{urls.web}/{user.login}",
        **{name: api + suffix for name, suffix in links.items()},
        "type": user.kind,
        "user_view_type": "public",
        "site_admin": False,
    }


def own_user(user: User, urls: Urls) -> dict[str, object]:
    """Return the long form that only the account itself sees."""
    counts = (
        "followers",
        "following",
        "public_gists",
        "public_repos",
        "collaborators",
        "disk_usage",
        "owned_private_repos",
        "private_gists",
        "total_private_repos",
    )
    return {
        **(simple_user(user, urls) or {}),
        "user_view_type": "private",
        **dict.fromkeys(("bio", "company", "email", "hireable", "location", "name")),
        **dict.fromkeys(counts, 0),
        "blog": "",
        "two_factor_authentication": True,
        "created_at": moment(JOINED),
        "updated_at": moment(JOINED),
    }


def app(app: App | None, urls: Urls) -> dict[str, object] | None:
    """Return a GitHub App."""
    if app is None:
        return None
    return {
        "id": app.id,
        "client_id": app.client_id,
        "slug": app.slug,
        "node_id": node_id("A", app.id),
        "owner": simple_user(app.owner, urls),
        "name": app.slug,
        "description": "",
        "external_url": "https://example.com",
        "html_url": f"{urls.web}/apps/{app.slug}",
        "created_at": moment(JOINED),
        "updated_at": moment(JOINED),
        "permissions": {"issues": "write", "metadata": "read"},
        "events": [],
    }


def team(slug: str, owner: User, urls: Urls) -> dict[str, object]:
    """Return a team of an organization."""
    api = f"{urls.api}/orgs/{owner.login}/teams/{slug}"
    return {
        "id": owner.id,
        "node_id": node_id("T", owner.id),
        "url": api,
        "members_url": api + "/members{/member}",
        "name": slug,
        "description": None,
        "permission": "pull",
        "html_url": f"{urls.web}/orgs/{owner.login}/teams/{slug}",
        "repositories_url": f"{api}/repos",
        "slug": slug,
        "parent": None,
        "type": "organization",
    }
