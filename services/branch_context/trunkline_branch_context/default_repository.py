"""The `owner/repo` that a checkout stands for, for those who start the mesh."""

from pathlib import Path
from urllib.parse import urlsplit

from trunkline_branch_context.checkout import git_at
from trunkline_branch_context.remotes import HostedRepository, hosted_repositories
from trunkline_branch_context.settings import GITHUB_API_URL, BranchContextSettings
from trunkline_shared.errors import TrunklineError
from trunkline_shared.settings import load


async def default_repository(path: Path, api_url: str = GITHUB_API_URL) -> str | None:
    """Return `owner/repo` of the checkout at `path` on the host that `api_url` serves, or None.

    Nothing is an error here: no git, no repository or no such remote is None.
    """
    found = await find_hosted(path)
    host = git_host(api_url)
    return next((each.full_name for each in found if each.host == host), None)


async def find_hosted(path: Path) -> list[HostedRepository]:
    """Return what the remotes of the checkout at `path` point to, the preferred one first."""
    try:
        return await hosted_repositories(git_at(load(BranchContextSettings, {"repo_path": path})))
    except TrunklineError:
        return []


def git_host(api_url: str) -> str:
    """Return the host of remotes for an API's base URL: github.com, SUB.ghe.com, or GHES's own."""
    host = (urlsplit(api_url).hostname or "").lower()
    if host == "api.github.com":
        return "github.com"
    return host.removeprefix("api.") if host.endswith(".ghe.com") else host
