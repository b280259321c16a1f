"""GraphQL's review threads: one by its id, those of a pull request, and resolving one."""

import re
from collections.abc import Callable, Mapping

from trunkline_shared.testing.github.access import at_least, require_write
from trunkline_shared.testing.github.call import Call, Refusal
from trunkline_shared.testing.github.conversation import Issue, ReviewComment
from trunkline_shared.testing.github.payloads.users import moment, node_id
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.threads import Thread, threads_of

Variables = Mapping[str, object]
PER_PAGE = 100


def _node(call: Call, variables: Variables) -> dict[str, object]:
    wanted = str(variables.get("id"))
    found = _named(call, wanted)
    if found is not None:
        return {"data": {"node": _shown(*found, call)}}
    kind = _other_kind(call, wanted)
    if kind is not None:
        return {"data": {"node": {"__typename": kind}}}
    return _missing("node", wanted)


def _threads(call: Call, variables: Variables) -> dict[str, object]:
    name = f"{variables.get('owner')}/{variables.get('repo')}"
    home = call.state.repository_named(name)
    if home is None or not at_least(call, home, "read"):
        message = f"Could not resolve to a Repository with the name '{name}'."
        return _failed("repository", "NOT_FOUND", message)
    number = variables.get("number")
    issue = home.issues.get(number) if isinstance(number, int) else None
    if issue is None or issue.pull is None:
        message = f"Could not resolve to a PullRequest with the number of {number}."
        error = {"type": "NOT_FOUND", "path": ["repository", "pullRequest"], "message": message}
        return {"data": {"repository": {"pullRequest": None}}, "errors": [error]}
    return {"data": {"repository": {"pullRequest": {"reviewThreads": _page(home, issue, call)}}}}


def _page(home: Repository, issue: Issue, call: Call) -> dict[str, object]:
    variables = call.body.get("variables")
    cursor = variables.get("after") if isinstance(variables, Mapping) else None
    start = int(str(cursor).removeprefix("cursor:")) if cursor is not None else 0
    everything = threads_of(issue)
    shown = everything[start : start + PER_PAGE]
    end = start + len(shown)
    return {
        "nodes": [_shown(home, one, call) for one in shown],
        "pageInfo": {
            "hasNextPage": end < len(everything),
            "endCursor": f"cursor:{end}" if shown else None,
        },
    }


def _setting(field: str, *, resolved: bool) -> Callable[[Call, Variables], dict[str, object]]:
    def mutate(call: Call, variables: Variables) -> dict[str, object]:
        wanted = str(variables.get("id"))
        found = _named(call, wanted)
        if found is None:
            return _missing(field, wanted)
        home, thread = found
        try:
            token = require_write(call, home, ("pull_requests",))
        except Refusal as refusal:
            return _failed(field, "FORBIDDEN", refusal.message)
        if not at_least(call, home, "write") and thread.issue.author is not token.user:
            said = f"{token.user.login} does not have the correct permissions to execute `{field}`"
            return _failed(field, "FORBIDDEN", said)
        _set(thread, token.user if resolved else None)
        return {"data": {field: {"thread": _shown(home, thread, call)}}}

    return mutate


def _set(thread: Thread, resolver: User | None) -> None:
    if resolver is None:
        thread.issue.resolved.pop(thread.id, None)
    else:
        thread.issue.resolved.setdefault(thread.id, resolver)


def _named(call: Call, wanted: str) -> tuple[Repository, Thread] | None:
    return next(
        (
            (home, thread)
            for home in call.state.repositories.values()
            if at_least(call, home, "read")
            for issue in home.issues.values()
            for thread in threads_of(issue)
            if node_id("PRRT", thread.id) == wanted
        ),
        None,
    )


def _other_kind(call: Call, wanted: str) -> str | None:
    """Return the type of a comment's id, which is none of a thread."""
    for home in call.state.repositories.values():
        for comment in call.state.review_comments(home):
            if node_id("PRRC", comment.id) == wanted and at_least(call, home, "read"):
                return "PullRequestReviewComment"
    return None


def _shown(home: Repository, thread: Thread, call: Call) -> dict[str, object]:
    resolver, head = thread.resolved_by, thread.comments[0]
    return {
        "__typename": "PullRequestReviewThread",
        "id": node_id("PRRT", thread.id),
        "isResolved": resolver is not None,
        "isOutdated": head.line is None and head.subject_type == "line",
        "path": head.path,
        "line": head.line,
        "resolvedBy": None if resolver is None else {"login": resolver.login},
        "pullRequest": {
            "number": thread.issue.number,
            "repository": {"nameWithOwner": home.full_name},
        },
        "comments": {
            "totalCount": len(thread.comments),
            "nodes": [_comment(home, one, call) for one in thread.comments],
        },
    }


def _comment(home: Repository, one: ReviewComment, call: Call) -> dict[str, object]:
    return {
        "id": node_id("PRRC", one.id),
        "databaseId": one.id,
        "fullDatabaseId": str(one.id),
        "body": one.body,
        "author": None if one.author is None else {"login": one.author.login},
        "createdAt": moment(one.created_at),
        "url": f"{call.urls.page(home, one.issue)}#discussion_r{one.id}",
    }


def _missing(field: str, wanted: str) -> dict[str, object]:
    message = f"Could not resolve to a node with the global id of '{wanted}'."
    return _failed(field, "NOT_FOUND", message)


def _failed(field: str, kind: str, message: str) -> dict[str, object]:
    error = {"type": kind, "path": [field], "message": message}
    return {"data": {field: None}, "errors": [error]}


FIELDS = (
    (
        re.compile(r"\bunresolveReviewThread\s*\("),
        _setting("unresolveReviewThread", resolved=False),
    ),
    (re.compile(r"\bresolveReviewThread\s*\("), _setting("resolveReviewThread", resolved=True)),
    (re.compile(r"\breviewThreads\s*\("), _threads),
    (re.compile(r"\bnode\s*\(\s*id\s*:\s*\$id"), _node),
)
