"""The checkout that branch-context serves, and where its remotes lead."""

from collections.abc import AsyncIterator
from pathlib import Path

from trunkline_branch_context.default_repository import find_hosted, git_host
from trunkline_branch_context.git import Git
from trunkline_branch_context.place import find_place
from trunkline_cli.checks.finding import Finding
from trunkline_shared.errors import TrunklineError
from trunkline_shared.github.settings import GitHubSettings


async def check_checkout(git: Git) -> Finding:
    """Say which checkout the mesh serves."""
    try:
        place = await find_place(git)
    except TrunklineError as error:
        mend = error.hint or "start trunkline inside a checkout, or set TRUNKLINE_REPO_PATH to one"
        return Finding(about="checkout", level="fail", text=error.message, mend=mend)
    shown = f"{place.toplevel}" + (" (a linked worktree)" if place.linked else "")
    return Finding(about="checkout", level="ok", text=shown)


async def check_remote(path: Path, settings: GitHubSettings) -> AsyncIterator[Finding]:
    """Say where the remotes lead, and which repository is the default."""
    found = await find_hosted(path)
    host = git_host(settings.github_api_url)
    if found:
        names = ", ".join(f"{each.host}/{each.full_name}" for each in found)
        yield Finding(about="remote", level="ok", text=names)
    else:
        mend = "git remote add origin URL"
        yield Finding(about="remote", level="warn", text="no remote with a URL", mend=mend)
    on_host = next((each.full_name for each in found if each.host == host), "")
    chosen = settings.github_repository or on_host
    if chosen:
        origin = "TRUNKLINE_GITHUB_REPOSITORY" if settings.github_repository else "the remote"
        yield Finding(about="repository", level="ok", text=f"{chosen} by default, from {origin}")
    else:
        yield Finding(
            about="repository",
            level="warn",
            text=f"no default: no remote leads to {host}",
            mend="set TRUNKLINE_GITHUB_REPOSITORY=owner/repo, or pass owner and repo in each call",
        )
