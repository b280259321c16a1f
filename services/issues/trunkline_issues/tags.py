"""The tags of what this server reads and writes, over all servers of the mesh."""

from trunkline_shared.contracts import Writes

REPOSITORY_DEFAULTS = {"owner": "settings#github_owner", "repo": "settings#github_name"}
"""Where a read finds the repository that it was not given."""

NUMBERED = "gh:{owner}/{repo}#{issue_number}"
COMMENTS = f"{NUMBERED}:comments"
LABELS = f"{NUMBERED}:labels"
ALL_COMMENTS = "gh:{owner}/{repo}:comments"
ALL_ISSUES = "gh:{owner}/{repo}:issues"
"""What lists and searches carry, so every write of an issue or pull request bumps it."""

ALL_LABELS = "gh:{owner}/{repo}:labels"

WRITES_ISSUE = Writes(tags=(NUMBERED, ALL_ISSUES))
WRITES_LABELS = Writes(tags=(NUMBERED, LABELS, ALL_LABELS, ALL_ISSUES))
WRITES_ISSUE_AND_COMMENT = Writes(tags=(NUMBERED, COMMENTS, ALL_COMMENTS, ALL_ISSUES))
WRITES_NEW_ISSUE = Writes(tags=(ALL_ISSUES, ALL_LABELS))
