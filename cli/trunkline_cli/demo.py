"""The demo: stand-ins of the vendors, and the environment that leads the servers to them."""

import os
from collections.abc import Mapping

from trunkline_cli.environment import forget, variables

VENDORS = ("github", "basecamp", "jira")
OWNER = "acme"
REPOSITORY = "widgets"
ACCOUNT = "5017001"
EXAMPLES: Mapping[str, str] = {
    "github_comment": "call github_comment.list_comments "
    f"owner={OWNER} repo={REPOSITORY} issue_number=1",
    "basecamp": "call basecamp.list_projects",
    "jira": "call jira.get_jira_issue issue_key=WID-2",
}
"""A command to try, for a server of each vendor."""

_OF_THE_CALLER = (
    "BASECAMP_",
    "GH_",
    "GITHUB_TOKEN",
    "JIRA_",
    "NETRC",
    "TRUNKLINE_ALLOWED_REPOS",
    "TRUNKLINE_BASECAMP_",
    "TRUNKLINE_GITHUB_",
    "TRUNKLINE_JIRA_",
    "TRUNKLINE_REDIS_URL",
)


def forget_the_callers() -> None:
    """Take out of this process what its starter has for true work: the router must not use it."""
    for name in filter(_is_of_the_caller, variables()):
        forget(name)


def demo_environment(given: Mapping[str, str], origins: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of servers that talk to the stand-ins, with their own tokens.

    `origins` are the stand-ins' URLs by vendor. Nothing of what is `given` about a vendor is in
    it, in whatever spelling: neither a credential nor an address, as a value or as a file.
    """
    kept = {name: value for name, value in given.items() if not _is_of_the_caller(name)}
    return kept | {
        "TRUNKLINE_GITHUB_API_URL": origins["github"],
        "TRUNKLINE_GITHUB_REPOSITORY": f"{OWNER}/{REPOSITORY}",
        "GITHUB_TOKEN": "demo-token",
        "TRUNKLINE_BASECAMP_API_URL": origins["basecamp"],
        "TRUNKLINE_BASECAMP_TOKEN_URL": f"{origins['basecamp']}/authorization/token",
        "BASECAMP_ACCOUNT_ID": ACCOUNT,
        "BASECAMP_ACCESS_TOKEN": "demo-token",
        "TRUNKLINE_JIRA_URL": origins["jira"],
        "JIRA_USERNAME": "demo@acme.test",
        "JIRA_API_TOKEN": "demo-token",
        # A vendor's login may also stand in `~/.netrc`, which is read unless another file is named.
        "NETRC": os.devnull,
    }


def _is_of_the_caller(name: str) -> bool:
    # Settings are read in any spelling.
    return name.upper().startswith(_OF_THE_CALLER)
