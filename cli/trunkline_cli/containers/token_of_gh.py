"""The token of the gh command line, for a mesh that is given none."""

import asyncio

from trunkline_branch_context.default_repository import git_host
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.github.tokens.gh_cli import GhCli

_DEFAULT = str(GitHubSettings.model_fields["github_api_url"].default)


def token_of_gh(api_url: str) -> str:
    """Return what `gh auth token` says for the host of an API; empty without gh, or signed out."""
    return asyncio.run(GhCli(host=git_host(api_url or _DEFAULT)).token()) or ""
