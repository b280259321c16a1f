"""The tags of what this server reads and writes, over all servers of the mesh."""

from trunkline_shared.contracts import Writes
from trunkline_shared.github.repository import Repository

REPOSITORY_DEFAULTS = {"owner": "settings#github_owner", "repo": "settings#github_name"}
"""Where a read finds the repository that it was not given."""

NUMBERED = "gh:{owner}/{repo}#{issue_number}"
COMMENTS = f"{NUMBERED}:comments"
LABELS = f"{NUMBERED}:labels"
ALL_COMMENTS = "gh:{owner}/{repo}:comments"
ALL_ISSUES = "gh:{owner}/{repo}:issues"
"""What lists and searches carry, so every write of an issue or pull request bumps it."""

CHECKS = "gh:{owner}/{repo}@{head_sha}:checks"
BASE = "gh:{owner}/{repo}:branches/{base_ref}"
"""What a push to the branch that a pull request is to be merged into bumps.

No argument names a head or a base, so both widen; results name them.
"""

ALL_LABELS = "gh:{owner}/{repo}:labels"

WRITES_ISSUE = Writes(tags=(NUMBERED, ALL_ISSUES))
WRITES_LABELS = Writes(tags=(NUMBERED, LABELS, ALL_LABELS, ALL_ISSUES))
WRITES_ISSUE_AND_COMMENT = Writes(tags=(NUMBERED, COMMENTS, ALL_COMMENTS, ALL_ISSUES))
WRITES_NEW_ISSUE = Writes(tags=(ALL_ISSUES, ALL_LABELS))


def of_base(repository: Repository, branch: str) -> str:
    """Return the tag of the branch that a pull request is to be merged into."""
    return f"gh:{repository.slug.lower()}:branches/{branch}"


def of_checks(repository: Repository, head_sha: str) -> str:
    """Return the tag of what CI says about one commit."""
    return f"gh:{repository.slug.lower()}@{head_sha}:checks"
