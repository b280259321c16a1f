"""Which comments of a page are minimised, by REST where it says so, else by GraphQL."""

from collections.abc import Mapping, Sequence

from trunkline_shared.errors import TrunklineError
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_models import IssueComment
from trunkline_shared.github.minimized import minimizables


async def minimised(
    github: GitHub, page: Sequence[IssueComment], *, ask: bool
) -> Mapping[int, bool | None]:
    """Return, by comment id, whether each is minimised; None where that is unknown.

    What REST left out is asked only if `ask`, and a failure of that leaves it unknown.
    """
    known = {comment.id: comment.is_minimized for comment in page}
    unsaid = {c.node_id: c.id for c in page if c.is_minimized is None and c.node_id}
    if not ask or not unsaid:
        return known
    try:
        answer = await github.fetch(minimizables(list(unsaid)))
    except TrunklineError:
        return known
    told = {unsaid[node.id]: node.is_minimized for node in answer.nodes if node.id in unsaid}
    return {**known, **told}
