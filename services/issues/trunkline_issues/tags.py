"""The tags of what this server reads and writes, over all servers of the mesh."""

from trunkline_shared.contracts import Writes
from trunkline_shared.github.tags import ALL_COMMENTS

REPOSITORY_DEFAULTS = {"owner": "settings#github_owner", "repo": "settings#github_name"}
"""Where a read finds the repository that it was not given."""

NUMBERED = "gh:{owner}/{repo}#{issue_number}"
COMMENTS = f"{NUMBERED}:comments"
LABELS = f"{NUMBERED}:labels"
ALL_ISSUES = "gh:{owner}/{repo}:issues"
"""What lists and searches carry, so every write of an issue or pull request bumps it."""

BASE = "gh:{owner}/{repo}:branches/{base_ref}"
"""What a push to the branch that a pull request is to be merged into bumps. No argument names it,
so this widens; a result names its own."""

ALL_LABELS = "gh:{owner}/{repo}:labels"
LISTED = (ALL_ISSUES, ALL_COMMENTS, ALL_LABELS)
"""What lists show: titles and states, when each was changed, how often commented, its labels."""

WRITES_ISSUE = Writes(tags=(NUMBERED, ALL_ISSUES))
WRITES_LABELS = Writes(tags=(LABELS, ALL_LABELS, ALL_ISSUES))
WRITES_ISSUE_AND_LABELS = Writes(tags=(NUMBERED, ALL_LABELS, ALL_ISSUES))
WRITES_ISSUE_AND_COMMENT = Writes(tags=(NUMBERED, COMMENTS, ALL_COMMENTS, ALL_ISSUES))
WRITES_NEW_ISSUE = Writes(tags=(ALL_ISSUES, ALL_LABELS))
