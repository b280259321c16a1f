"""GraphQL, as far as REST leaves something out: who the token is, and what is minimised.

It understands `viewer { login }` and `nodes(ids: $ids)` of comments, not the language.
"""

import re
from collections.abc import Mapping

from trunkline_shared.testing.github.access import at_least
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import IssueComment
from trunkline_shared.testing.github.payloads.users import node_id

PATH = "/graphql"
NODES = re.compile(r"\bnodes\s*\(\s*ids\s*:\s*\$ids\s*\)")
VIEWER = re.compile(r"\bviewer\s*\{")
HEADERS = {"x-ratelimit-resource": "graphql"}


def query(call: Call) -> Answer:
    """Answer one of the two queries; failures of parts come inside a 200, as GraphQL has it."""
    if call.token is None:
        raise Refusal(401, "This endpoint requires you to be authenticated.")
    text = call.body.get("query")
    variables = call.body.get("variables")
    if not isinstance(text, str):
        raise Refusal(400, "A query attribute must be specified and must be a string.")
    if VIEWER.search(text):
        answer: dict[str, object] = {"data": {"viewer": {"login": call.token.user.login}}}
    elif NODES.search(text) and isinstance(variables, Mapping):
        answer = _nodes(call, variables.get("ids"))
    else:
        answer = {"errors": [{"type": "undefinedField", "message": "Field doesn't exist"}]}
    return Answer(json=answer, headers=HEADERS)


def _nodes(call: Call, ids: object) -> dict[str, object]:
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


ROUTES = (Route(method="POST", path=PATH, handle=query),)
