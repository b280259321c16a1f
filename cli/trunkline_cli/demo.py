"""The demo: a stand-in of GitHub, and the environment that leads the servers to it."""

OWNER = "acme"
REPOSITORY = "widgets"
ISSUE = 1
EXAMPLE = f"call github_comment.list_comments owner={OWNER} repo={REPOSITORY} issue_number={ISSUE}"


def demo_environment(api_url: str) -> dict[str, str]:
    """Return the variables that make the servers talk to the stand-in, with its own token.

    What would lead elsewhere (a GitHub App, a list of allowed repositories) is emptied.
    """
    return {
        "TRUNKLINE_GITHUB_API_URL": api_url,
        "TRUNKLINE_GITHUB_REPOSITORY": f"{OWNER}/{REPOSITORY}",
        "GITHUB_TOKEN": "demo-token",
        "TRUNKLINE_GITHUB_APP_ID": "",
        "TRUNKLINE_ALLOWED_REPOS": "",
    }
