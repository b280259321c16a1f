"""Where the router finds what a read of GitHub was not told, for the tools' policies."""

from collections.abc import Mapping

OF_REPOSITORY: Mapping[str, str] = {
    "owner": "settings#github_owner",
    "repo": "settings#github_name",
}
OF_PULL_REQUEST: Mapping[str, str] = {
    **OF_REPOSITORY,
    "pr_number": "twig.get_current_branch#pr_number",
    "branch": "twig.get_current_branch#branch",
}
"""By number, else by the branch whose open pull request is looked for."""
