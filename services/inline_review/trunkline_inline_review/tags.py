"""The tags of what this server reads and writes, over all servers of the mesh."""

from trunkline_shared.contracts import Writes

_PULL = "gh:{owner}/{repo}#{pr_number}"
REVIEWS = f"{_PULL}:reviews"
COMMENTS = f"{_PULL}:comments"
DIFF = f"{_PULL}:diff"
ALL_COMMENTS = "gh:{owner}/{repo}:comments"
"""What a comment that is read by its id carries, on whichever server."""

WRITES = Writes(tags=(REVIEWS, COMMENTS, ALL_COMMENTS))
