"""The remote as git sees it: which protocol, whose credential, how patient."""

import base64
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from trunkline_branch_context.default_repository import git_host
from trunkline_branch_context.sync.settings import SyncSettings
from trunkline_shared.live_secret import LiveSecret

Token = Callable[[], str | None]


def token_of(settings: SyncSettings, env: Mapping[str, str] | None = None) -> Token:
    """Return who knows the token: TRUNKLINE_SYNC_TOKEN, or GITHUB_TOKEN for GitHub's own host."""
    own = LiveSecret("TRUNKLINE_SYNC_TOKEN", env=env)
    github = LiveSecret("GITHUB_TOKEN", "GH_TOKEN", env=env)
    host = (urlsplit(settings.sync_url).hostname or "").lower()
    at_github = host == git_host(settings.github_api_url)
    return lambda: own.get() or (github.get() if at_github else None)


def git_environment(settings: SyncSettings, token: str | None) -> dict[str, str]:
    """Return what git sees of ours: in its environment, where no list of processes shows it.

    https://git-scm.com/docs/git-config#Documentation/git-config.txt-GITCONFIGCOUNT
    """
    known = {
        f"protocol.{urlsplit(settings.sync_url).scheme}.allow": "always",
        # A redirect may lead to another host, which the token is not for.
        "http.followRedirects": "false",
        "http.lowSpeedLimit": "1000",
        "http.lowSpeedTime": "60",
        # What tidies up is waited for: it would be killed with the container.
        "gc.autoDetach": "false",
        "maintenance.autoDetach": "false",
    }
    if token:
        shown = base64.b64encode(f"{settings.sync_username}:{token}".encode()).decode()
        known[f"http.{settings.origin}.extraHeader"] = f"Authorization: Basic {shown}"
    numbered = {
        f"GIT_CONFIG_{part}_{number}": text
        for number, (key, value) in enumerate(known.items())
        for part, text in (("KEY", key), ("VALUE", value))
    }
    return {
        "PATH": settings.search_path,
        "HOME": "/nonexistent",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_COUNT": str(len(known)),
        **numbered,
    }
