"""Making a work context fit: the least useful is cut first, and what was cut is counted."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from trunkline_bridge.work.models import REQUIRED, WorkContext

TOKEN_BYTES: Final = 4
CHARACTERS: Final = "characters"
_ELLIPSIS: Final = "…"

Json = dict[str, Any]
Step = tuple[str, int]
"""A place, in which `*` is anything, and what may stay there: entries, or bytes of a text."""

STEPS: Final[tuple[Step, ...]] = (
    ("todo.data.content", 240),
    ("pull_request.data.body", 300),
    ("jira.data.description", 300),
    ("threads.data.threads.*.body", 200),
    ("ci.data.pending", 5),
    ("ci.data.pending.*.url", 0),
    ("pull_request.data.labels", 5),
    ("branch.data.warnings", 3),
    ("threads.data.threads", 8),
    ("todo.data.content", 80),
    ("pull_request.data.body", 120),
    ("jira.data.description", 120),
    ("threads.data.threads.*.body", 100),
    ("*.hint", 120),
    ("*.message", 160),
    ("ci.data.notes", 2),
    ("pull_request.data.reviews", 6),
    ("ci.data.pending", 2),
    ("ci.data.failed", 6),
    ("threads.data.threads", 5),
    ("ci.data.failed.*.url", 100),
    ("*.data.*", 100),
    ("*.data.*.*.*", 80),
    ("*.data.*.*", 60),
    ("todo.data.content", 0),
    ("pull_request.data.body", 0),
    ("jira.data.description", 0),
    ("pull_request.data.labels", 0),
    ("ci.data.failed.*.url", 0),
    ("ci.data.notes", 0),
    ("branch.data.warnings", 0),
    ("threads.data.threads", 3),
    ("pull_request.data.reviews", 3),
    ("ci.data.failed", 3),
    ("ci.data.pending", 0),
    ("todo.data.assignees", 2),
    ("*.data.*", 60),
    ("*.data.*.*.*", 40),
    ("*.hint", 0),
    ("*.message", 60),
    ("threads.data.threads", 1),
    ("ci.data.failed", 1),
    ("pull_request.data.reviews", 0),
    ("todo.data.assignees", 0),
    ("pull_request.data.other_pull_requests", 0),
    ("*.data.url", 0),
    ("*.data.updated*", 0),
    ("*.data.head_sha", 15),
    ("*.data.upstream", 0),
    ("*.data.type", 0),
    ("*.data.priority", 0),
    ("*.data.base", 0),
    ("*.data.author", 0),
    ("*.data.assignee", 0),
    ("*.data.changed_files", 0),
    ("*.data.additions", 0),
    ("*.data.deletions", 0),
    ("*.data.status_category", 0),
    ("ci.data.pr_number", 0),
    ("threads.data.threads", 0),
    ("ci.data.failed", 0),
    ("*.data.*", 24),
    ("*.message", 0),
)
_COUNTED: Final[Mapping[str, tuple[str, str]]] = {
    "threads": ("threads", "unresolved"),
    "failed": ("ci", "failed_count"),
    "pending": ("ci", "pending_count"),
}
"""Lists that were shortened before already: where the number of all is, by name."""


def bounded(context: WorkContext, max_tokens: int) -> WorkContext:
    """Return what fits into so many tokens of four bytes of JSON."""
    whole: Json = context.model_dump(mode="json")
    left: dict[str, int] = dict(_left_before(whole))
    whole["left_out"] = left
    for step in STEPS:
        if _size(whole) <= max_tokens * TOKEN_BYTES:
            break
        _cut(whole, step, left)
    return WorkContext.model_validate(whole)


def _size(whole: Json) -> int:
    return len(orjson.dumps({key: value for key, value in whole.items() if value}))


def _left_before(whole: Json) -> Iterator[tuple[str, int]]:
    for name, (part, count) in _COUNTED.items():
        data = whole[part].get("data", {})
        more = data.get(count, 0) - len(data.get(name, ()))
        if more > 0:
            yield name, more


def _cut(whole: Json, step: Step, left: dict[str, int]) -> None:
    place, most = step
    for holder, name in list(_places(whole, place.split("."))):
        value = holder[name]
        if isinstance(value, list) and len(value) > most:
            left[name] = left.get(name, 0) + len(value) - most
            holder[name] = value[:most]
        elif isinstance(value, str):
            holder[name] = shortened(value, most)
            gone = len(value) - len(holder[name].removesuffix(_ELLIPSIS))
            left[CHARACTERS] = left.get(CHARACTERS, 0) + gone
        if most == 0 and name not in REQUIRED:
            del holder[name]


def _places(node: Any, path: list[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the holders of what stands at a path, with their keys."""
    name, rest = path[0].removesuffix("*"), path[1:]
    keys: list[Any] = []
    if isinstance(node, list):
        keys = list(range(len(node)))
    elif isinstance(node, dict):
        keys = [
            key
            for key in node
            if key == path[0] or (path[0].endswith("*") and key.startswith(name))
        ]
    for key in keys:
        if not rest:
            yield node, key
        else:
            yield from _places(node[key], rest)


def shortened(text: str, most: int) -> str:
    """Return a text that takes at most so many bytes in JSON; one that was longer ends in `…`."""
    if _weight(text) <= most:
        return text
    low, high = 0, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        if _weight(text[:middle] + _ELLIPSIS) <= most:
            low = middle
        else:
            high = middle - 1
    return text[:low] + _ELLIPSIS if low else ""


def _weight(text: str) -> int:
    return len(orjson.dumps(text)) - 2
