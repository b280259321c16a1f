"""The tags of what this server reads and writes, over all servers of the mesh."""

from trunkline_shared.contracts import Writes
from trunkline_shared.github.tags import ALL_COMMENTS

_PULL = "gh:{owner}/{repo}#{pr_number}"
REVIEWS = f"{_PULL}:reviews"
DIFF = f"{_PULL}:diff"
BASE = "gh:{owner}/{repo}:branches/{base_ref}"
"""What a push to the branch that a pull request is to be merged into bumps. No argument names it,
so this widens; a result names its own."""

WRITES = Writes(tags=(REVIEWS, ALL_COMMENTS))
