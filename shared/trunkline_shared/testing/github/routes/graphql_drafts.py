"""GraphQL's mutations that make a pull request a draft, and ready for review again."""

import re
from collections.abc import Callable, Mapping

from trunkline_shared.testing.github.access import at_least, require_write
from trunkline_shared.testing.github.call import Call, Refusal
from trunkline_shared.testing.github.conversation import Pull
from trunkline_shared.testing.github.payloads.users import node_id
from trunkline_shared.testing.github.repository import Repository


def _setting(
    field: str, *, draft: bool
) -> Callable[[Call, Mapping[str, object]], dict[str, object]]:
    def mutate(call: Call, variables: Mapping[str, object]) -> dict[str, object]:
        wanted = str(variables.get("id"))
        found = _named(call, wanted)
        if found is None:
            message = f"Could not resolve to a node with the global id of '{wanted}'"
            return _failed(field, "NOT_FOUND", message)
        home, pull = found
        try:
            require_write(call, home, ("pull_requests",))
        except Refusal as refusal:
            return _failed(field, "FORBIDDEN", refusal.message)
        if draft and not home.drafts:
            return _failed(field, "UNPROCESSABLE", "Draft pull requests are not supported.")
        pull.draft = draft
        return {"data": {field: {"pullRequest": {"isDraft": draft}}}}

    return mutate


def _named(call: Call, wanted: str) -> tuple[Repository, Pull] | None:
    for home in call.state.repositories.values():
        for issue in home.issues.values():
            if issue.pull is not None and node_id("PR", issue.id) == wanted:
                return (home, issue.pull) if at_least(call, home, "read") else None
    return None


def _failed(field: str, kind: str, message: str) -> dict[str, object]:
    return {
        "data": {field: None},
        "errors": [{"type": kind, "path": [field], "message": message}],
    }


FIELDS = (
    (
        re.compile(r"\bconvertPullRequestToDraft\s*\("),
        _setting("convertPullRequestToDraft", draft=True),
    ),
    (
        re.compile(r"\bmarkPullRequestReadyForReview\s*\("),
        _setting("markPullRequestReadyForReview", draft=False),
    ),
)
