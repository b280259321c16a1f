"""The tags of CI: what a bump spoils."""

from trunkline_shared.github.repository import Repository
from trunkline_shared.github.tags import CHANGED_RUNS, OF_COMMIT, of_branch, of_commit

OF_HEAD = "gh:{owner}/{repo}#{pr_number}:diff"
"""What a push to the pull request bumps: its head is another one then."""

OF_RUN = "gh:{owner}/{repo}:runs/{run_id}"
OF_RUNS = "gh:{owner}/{repo}:runs"
"""What lists of runs carry; a change of any run changes them."""

OF_CHECK = "gh:{owner}/{repo}:checks/{check_run_id}"


OF_BRANCH = "gh:{owner}/{repo}:branches/{ref}"
"""What a push bumps: a branch that is asked about by its name has another head then."""

OF_HEAD_CI = (OF_COMMIT, OF_HEAD, OF_BRANCH, CHANGED_RUNS)
"""What shows CI of the commit that a pull request or reference means."""


def found_at(repository: Repository, head_sha: str, branch: str) -> tuple[str, ...]:
    """Return the tags of what CI says about a commit that was found through a branch."""
    return of_commit(repository, head_sha), of_branch(repository, branch)


def of_run(repository: Repository, run_id: int) -> str:
    """Return the tag of one workflow run."""
    return f"gh:{repository.slug.lower()}:runs/{run_id}"
