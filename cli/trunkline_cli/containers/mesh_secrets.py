"""All secrets of a mesh in containers: ours are made once, others follow the environment."""

import secrets
from collections.abc import Collection, Iterator, Mapping

from trunkline_cli.containers import credentials, redis_access
from trunkline_cli.containers.mesh_keys import OBSERVE_KEY
from trunkline_cli.containers.state_folder import StateFolder
from trunkline_cli.environment import value_in

_OURS: Mapping[str, str] = {
    "mesh_key": "TRUNKLINE_MESH_KEY",
    "secret": "TRUNKLINE_SECRET",
    "cursor_secret": "",
}
"""What is made up unless a variable tells: the router's key to its servers, and what it signs by.

Servers sign cursors by a secret of their own: with the router's they could sign job tokens.
"""
SIGNING = "secret"
REDIS_USERS = "redis_acl"
_READ_LIVE = frozenset({
    "basecamp_access_token",
    "basecamp_client_secret",
    "basecamp_refresh_token",
    "github_app_private_key",
    "github_token",
    "jira_api_token",
    "jira_personal_token",
    OBSERVE_KEY,
    # Redis alone has to read it again.
    REDIS_USERS,
})


def keep_secrets(state: StateFolder, given: Mapping[str, str]) -> set[str]:
    """Have a file for every secret; returns the names of those that changed.

    A variable that is set replaces what is kept; one that is not leaves it. Raises CommandFailed.
    """
    before = {name: state.secret(name) for name in names()}
    wanted = dict(_wanted(before, given))
    changed = {name for name in names() if wanted[name].strip() != before[name]}
    state.keep_unapplied(changed | state.unapplied)
    for name in names():
        state.keep_secret(name, wanted[name])
    return changed


def needs_new_containers(changed: Collection[str]) -> bool:
    """Say whether containers that run would go on with what they read at their start."""
    return not _READ_LIVE.issuperset(changed)


def names() -> tuple[str, ...]:
    """Return the names of all secrets."""
    users = (user.secret for user in redis_access.USERS)
    return (*_OURS, *users, REDIS_USERS, *credentials.VARIABLES, OBSERVE_KEY)


def _wanted(before: Mapping[str, str], given: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from before.items()
    for name, variable in _OURS.items():
        told = value_in(given, variable) if variable else ""
        yield name, told or before[name] or secrets.token_urlsafe(32)
    yield from redis_access.secrets_of(lambda name: before[name])
    yield from credentials.given(given).items()
