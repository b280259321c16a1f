"""The token of the gh command line, for a mesh that is given none."""

import asyncio

from trunkline_cli.failure import USAGE, CommandFailed
from trunkline_shared.github.base_url import Api
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.github.tokens.gh_cli import GhCli

_DEFAULT = str(GitHubSettings.model_fields["github_api_url"].default)


def token_of_gh(api_url: str) -> str:
    """Return what `gh auth token` says for the host of an API; empty without gh, or signed out.

    Raises CommandFailed for what is no API's address.
    """
    try:
        host = Api.at(api_url or _DEFAULT).host.removeprefix("api.")
    except ValueError as error:
        raise CommandFailed(f"TRUNKLINE_GITHUB_API_URL={api_url}: {error}.", USAGE) from None
    return asyncio.run(GhCli(host=host).token()) or ""
