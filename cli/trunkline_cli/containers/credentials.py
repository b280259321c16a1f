"""The vendors' credentials: from the variables of whoever starts the mesh into its secrets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trunkline_cli.environment import value_in

Kept = Callable[[str], str]

GITHUB_TOKEN = "github_token"  # noqa: S105 - the name of a secret
VARIABLES: Mapping[str, Sequence[str]] = {
    GITHUB_TOKEN: ("GITHUB_TOKEN", "GH_TOKEN"),
    "github_app_private_key": ("TRUNKLINE_GITHUB_APP_PRIVATE_KEY",),
    "github_webhook_secret": ("TRUNKLINE_GITHUB_WEBHOOK_SECRET",),
    "basecamp_access_token": ("BASECAMP_ACCESS_TOKEN",),
    "basecamp_client_secret": ("BASECAMP_CLIENT_SECRET",),
    "basecamp_refresh_token": ("BASECAMP_REFRESH_TOKEN",),
    "basecamp_webhook_secret": ("TRUNKLINE_BASECAMP_WEBHOOK_SECRET",),
    "jira_api_token": ("JIRA_API_TOKEN",),
    "jira_personal_token": ("JIRA_PERSONAL_TOKEN",),
    "jira_webhook_secret": ("TRUNKLINE_JIRA_WEBHOOK_SECRET",),
}
"""The secrets that come from outside, and the variables that each may come from."""

BELONGING = (
    "BASECAMP_ACCOUNT_ID",
    "BASECAMP_CLIENT_ID",
    "JIRA_HOST",
    "JIRA_USERNAME",
    "TRUNKLINE_BASECAMP_API_URL",
    "TRUNKLINE_BASECAMP_TOKEN_URL",
    "TRUNKLINE_GITHUB_API_URL",
    "TRUNKLINE_GITHUB_APP_ID",
    "TRUNKLINE_GITHUB_APP_INSTALLATION_ID",
    "TRUNKLINE_JIRA_URL",
)
"""What is no secret, and without which a credential that is kept is of no use: kept with it."""


def given(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the secrets that are set in an environment, as values or as files, by their names.

    Raises CommandFailed for a file that cannot be read.
    """
    found = {
        secret: next(filter(None, (value_in(environment, name) for name in names)), "")
        for secret, names in VARIABLES.items()
    }
    return {secret: value for secret, value in found.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Servers whose tools will answer CREDENTIALS_MISSING, and what to set."""

    servers: Sequence[str]
    variables: str
    secrets: Sequence[str]


def missing(kept: Kept, settings: Mapping[str, str]) -> list[Missing]:
    """Return what no credential is kept for; whether those that are there are good is not asked."""
    github = kept(GITHUB_TOKEN) or (
        kept("github_app_private_key") and settings.get("TRUNKLINE_GITHUB_APP_ID")
    )
    basecamp = kept("basecamp_access_token") or kept("basecamp_refresh_token")
    address = settings.get("TRUNKLINE_JIRA_URL") or settings.get("JIRA_HOST")
    login = kept("jira_personal_token") or (
        kept("jira_api_token") and settings.get("JIRA_USERNAME")
    )
    found = {
        "github": github,
        "basecamp": basecamp,
        "jira": address and login,
    }
    return [_NEEDED[vendor] for vendor, there in found.items() if not there]


_NEEDED: Mapping[str, Missing] = {
    "github": Missing(
        servers=("github", "github_ci", "github_comment", "github_inline_comment"),
        variables="GITHUB_TOKEN",
        secrets=(GITHUB_TOKEN,),
    ),
    "basecamp": Missing(
        servers=("basecamp",),
        variables="BASECAMP_ACCESS_TOKEN (and BASECAMP_ACCOUNT_ID, if the token has several)",
        secrets=("basecamp_access_token",),
    ),
    "jira": Missing(
        servers=("jira",),
        variables="JIRA_HOST, JIRA_USERNAME and JIRA_API_TOKEN (or JIRA_HOST and "
        "JIRA_PERSONAL_TOKEN)",
        secrets=("jira_api_token", "jira_personal_token"),
    ),
}
