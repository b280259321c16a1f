"""The demo: stand-ins of the vendors, and the environment that leads the servers to them."""

from collections.abc import Mapping

VENDORS = ("github",)
OWNER = "acme"
REPOSITORY = "widgets"
ISSUE = 1
EXAMPLE = f"call github_comment.list_comments owner={OWNER} repo={REPOSITORY} issue_number={ISSUE}"


def demo_environment(origins: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that make the servers talk to the stand-ins, with their own tokens.

    `origins` are the stand-ins' URLs by vendor. What would lead elsewhere (a GitHub App, a list of
    allowed repositories) is emptied.
    """
    return {
        "TRUNKLINE_GITHUB_API_URL": origins["github"],
        "TRUNKLINE_GITHUB_REPOSITORY": f"{OWNER}/{REPOSITORY}",
        "GITHUB_TOKEN": "demo-token",
        "TRUNKLINE_GITHUB_APP_ID": "",
        "TRUNKLINE_ALLOWED_REPOS": "",
    }
