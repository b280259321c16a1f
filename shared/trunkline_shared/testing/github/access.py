"""Who may see and do what: finds what a call names, or refuses as GitHub does."""

from typing import Literal

from trunkline_shared.testing.github.call import Call, Refusal
from trunkline_shared.testing.github.conversation import Issue
from trunkline_shared.testing.github.people import LEVELS, Token
from trunkline_shared.testing.github.repository import ROLES, Repository, Role

Area = Literal["issues", "pull_requests", "actions", "checks", "statuses", "contents"]
BOTH: tuple[Area, ...] = ("issues", "pull_requests")


def role(call: Call, repository: Repository) -> Role:
    """Return what the caller's token allows in a repository at most."""
    token = call.token
    if token is None or not _reaches(token, repository):
        return repository.role_of(None)
    return repository.role_of(token.user) if token.installation is None else "write"


def _reaches(token: Token, repository: Repository) -> bool:
    if token.installation is not None and token.installation.account is not repository.owner:
        return False
    return token.repositories is None or repository.id in token.repositories


def at_least(call: Call, repository: Repository, wanted: Role) -> bool:
    """Say whether the caller has this role or a stronger one."""
    return ROLES.index(role(call, repository)) >= ROLES.index(wanted)


def repository_of(call: Call) -> Repository:
    """Return the repository that the path names; 404 when the caller must not know of it."""
    repository = _named(call)
    if repository is None or not at_least(call, repository, "read"):
        raise Refusal(404, "Not Found")
    return repository


def _named(call: Call) -> Repository | None:
    if "repository_id" in call.path:
        return call.state.repositories.get(int(call.path["repository_id"]))
    full_name = f"{call.path['owner']}/{call.path['repo']}"
    repository = call.state.repository_named(full_name)
    moved = call.state.former_names.get(full_name.lower())
    if repository is None and moved is not None:
        _redirect_to_new_name(call, call.state.repositories[moved])
    return repository


def _redirect_to_new_name(call: Call, repository: Repository) -> None:
    if not at_least(call, repository, "read"):
        return
    rest = "".join(f"/{part}" for part in call.target.split("/")[4:])
    location = call.urls.permanent(repository) + rest
    status, said = (
        (301, "Moved Permanently") if call.method == "GET" else (307, "Moved Temporarily")
    )
    raise Refusal(status, said, headers={"location": location})


def issue_of(call: Call, repository: Repository) -> Issue:
    """Return the issue or pull request that the path names, when it is still there."""
    issue = repository.issues.get(int(call.path["issue_number"]))
    if issue is None:
        raise Refusal(404, "Not Found")
    if issue.transferred_to is not None:
        raise Refusal(301, "Moved Permanently", headers={"location": _moved(call, issue)})
    require_available(repository, issue)
    return issue


def require_available(repository: Repository, issue: Issue) -> None:
    """Refuse what is gone: a deleted issue, and every issue where issues are switched off."""
    if issue.deleted:
        raise Refusal(410, "This issue was deleted")
    if not repository.has_issues and issue.pull is None:
        raise Refusal(410, "Issues are disabled for this repo")


def _moved(call: Call, issue: Issue) -> str:
    target = issue
    while target.transferred_to is not None:
        target = target.transferred_to
    home = call.state.repositories[target.repository_id]
    rest = call.target.split(f"/issues/{issue.number}", 1)[1]
    return f"{call.urls.permanent(home)}/issues/{target.number}{rest}"


def require_write(call: Call, repository: Repository, areas: tuple[Area, ...] = BOTH) -> Token:
    """Return the caller's token when it may change conversations here."""
    if call.token is None:
        raise Refusal(401, "Requires authentication")
    _require_permission(call.token, repository, areas, "write")
    if repository.archived:
        raise Refusal(403, "Repository was archived so is read-only.")
    return call.token


def require_read(call: Call, repository: Repository, areas: tuple[Area, ...] = BOTH) -> None:
    """Refuse a token without the permission to read a private repository's conversations."""
    if repository.private and call.token is not None:
        _require_permission(call.token, repository, areas, "read")


def _require_permission(
    token: Token, repository: Repository, areas: tuple[Area, ...], level: str
) -> None:
    if token.permissions is None:
        return
    given = (token.permissions.get(area, "none") for area in areas)
    granted = any(LEVELS.index(one) >= LEVELS.index(level) for one in given)
    if not granted or not _reaches(token, repository):
        kind = "integration" if token.installation else "personal access token"
        accepted = "; ".join(f"{area}={level}" for area in areas)
        raise Refusal(
            403,
            f"Resource not accessible by {kind}",
            headers={"x-accepted-github-permissions": accepted},
        )


def require_unlocked(call: Call, repository: Repository, issue: Issue) -> None:
    """Refuse on a locked conversation; an App's token is refused there whatever it may do."""
    is_app = call.token is not None and call.token.installation is not None
    if issue.locked and (is_app or not at_least(call, repository, "write")):
        raise Refusal(403, "Unable to create comment because issue is locked.")
