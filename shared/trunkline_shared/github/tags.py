"""Tags of GitHub that more than one server speaks of; what else a read carries its server says.

`gh:OWNER/NAME`, in lower case, is above all of a repository: `#NUMBER` is an issue or pull request
with `:comments`, `:reviews`, `:labels` and `:diff`, `@SHA:checks` what CI says about a commit.
"""

from trunkline_shared.github.repository import Repository

_REPOSITORY = "gh:{owner}/{repo}"
ALL_COMMENTS = f"{_REPOSITORY}:comments"
"""What shows comments without naming where they stand: lists of issues, a comment read by its id.
Every write of a comment bumps it."""

EDITED_COMMENTS = f"{_REPOSITORY}:edited-comments"
"""What shows comments of one issue or pull request carries it beside that one's tags. A write that
names a comment by its id alone bumps it: it cannot say whose comment it is."""

CHANGED_RUNS = f"{_REPOSITORY}:changed-runs"
"""What shows CI of a commit carries it beside that one's tags. A write that names a workflow run
bumps it: it cannot say of which commit."""

OF_COMMIT = f"{_REPOSITORY}@{{head_sha}}:checks"
"""No argument names a head, so this widens to the repository; a result names its own commit."""


def of_commit(repository: Repository, head_sha: str) -> str:
    """Return the tag of what CI says about one commit."""
    return f"gh:{repository.slug.lower()}@{head_sha}:checks"


def of_branch(repository: Repository, branch: str) -> str:
    """Return the tag of where a branch points to."""
    return f"gh:{repository.slug.lower()}:branches/{branch}"
