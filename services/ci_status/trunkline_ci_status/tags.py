"""The tags of CI: what a bump spoils."""

from trunkline_shared.github.repository import Repository

OF_COMMIT = "gh:{owner}/{repo}@{head_sha}:checks"
"""No argument names a head, so this widens to the repository; a result names its own commit."""

OF_HEAD = "gh:{owner}/{repo}#{pr_number}:diff"
"""What a push to the pull request bumps: its head is another one then."""

OF_RUN = "gh:{owner}/{repo}:runs/{run_id}"
OF_RUNS = "gh:{owner}/{repo}:runs"
"""What lists of runs carry; each re-run changes them."""

OF_CHECK = "gh:{owner}/{repo}:checks/{check_run_id}"


def of_commit(repository: Repository, head_sha: str) -> str:
    """Return the tag of what CI says about one commit."""
    return f"gh:{repository.slug.lower()}@{head_sha}:checks"
