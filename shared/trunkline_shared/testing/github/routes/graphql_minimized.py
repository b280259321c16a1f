"""GraphQL's `nodes(ids: $ids)` of comments: which are minimised."""

import re
from collections.abc import Mapping

from trunkline_shared.testing.github.access import at_least
from trunkline_shared.testing.github.call import Call
from trunkline_shared.testing.github.conversation import IssueComment
from trunkline_shared.testing.github.payloads.users import node_id


def _nodes(call: Call, variables: Mapping[str, object]) -> dict[str, object]:
    ids = variables.get("ids")
    wanted = [str(one) for one in ids] if isinstance(ids, list) else []
    visible = _visible_comments(call)
    nodes = [_minimizable(one, visible.get(one)) for one in wanted]
    missing = [
        {
            "type": "NOT_FOUND",
            "path": ["nodes", place],
            "message": f"Could not resolve to a node with the global id of '{one}'.",
        }
        for place, one in enumerate(wanted)
        if one not in visible
    ]
    return {"data": {"nodes": nodes}} | ({"errors": missing} if missing else {})


def _visible_comments(call: Call) -> dict[str, IssueComment]:
    found: dict[str, IssueComment] = {}
    for repository in call.state.repositories.values():
        if at_least(call, repository, "read"):
            for comment in call.state.issue_comments(repository):
                found[node_id("IC", comment.id)] = comment
    return found


def _minimizable(id_: str, comment: IssueComment | None) -> dict[str, object] | None:
    if comment is None:
        return None
    reason = comment.minimized
    return {"id": id_, "isMinimized": reason is not None, "minimizedReason": reason}


FIELDS = ((re.compile(r"\bnodes\s*\(\s*ids\s*:\s*\$ids\s*\)"), _nodes),)
