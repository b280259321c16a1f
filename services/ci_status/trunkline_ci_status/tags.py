"""The tags of CI: what a bump spoils."""

import re
from collections.abc import Iterable

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


_IN_FULL = re.compile(r"(?:refs/)?(?:heads|tags)/(.+)")
_OTHERWISE = re.compile(r"HEAD|.*[~^@:].*|refs/.*|pull/.*")
"""What is resolved by way of something else: a revision, the head of a pull request."""


def found_at(repository: Repository, head_sha: str, ref: str) -> tuple[str, ...]:
    """Return the tags of what CI says about a commit that was found through a reference.

    A push names the branch alone, a reference may be spelled otherwise (`heads/main`, `HEAD`).
    https://docs.github.com/rest/commits/commits#get-a-commit
    """
    return of_commit(repository, head_sha), *_of_reference(repository, ref)


def _of_reference(repository: Repository, ref: str) -> Iterable[str]:
    in_full = _IN_FULL.fullmatch(ref)
    if _OTHERWISE.fullmatch(in_full[1] if in_full else ref):
        return (f"gh:{repository.slug.lower()}",)
    # A branch may be called heads/main, too.
    names = (ref, in_full[1]) if in_full else (ref,)
    return (of_branch(repository, name) for name in names)


def of_run(repository: Repository, run_id: int) -> str:
    """Return the tag of one workflow run."""
    return f"gh:{repository.slug.lower()}:runs/{run_id}"
