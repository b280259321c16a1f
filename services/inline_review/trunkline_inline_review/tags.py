"""The tags of what this server reads and writes, over all servers of the mesh."""

from trunkline_shared.contracts import Writes
from trunkline_shared.github.tags import ALL_COMMENTS

_PULL = "gh:{owner}/{repo}#{pr_number}"
REVIEWS = f"{_PULL}:reviews"
DIFF = f"{_PULL}:diff"
WRITES = Writes(tags=(REVIEWS, ALL_COMMENTS))
