"""Which requests Basecamp's own description knows."""

import json
import re
from collections.abc import Iterable, Mapping

from tests.samples import BASECAMP_READS

PAGE = "page"
"""Every list takes it; the description names it for one only."""

_ELSEWHERE: Mapping[str, frozenset[str]] = {
    "/search.json": frozenset({"type", "bucket_id", "creator_id"}),
    "/todolists/{todolistId}/groups.json": frozenset({"status"}),
}
"""Parameters that bc3-api documents in prose only, by path."""

_IN_PROSE: Mapping[str, frozenset[str]] = {
    "/recordings/{recordingId}/subtasks.json": frozenset(),
    "/buckets/{projectId}/recordings/{recordingId}/comments.json": frozenset(),
}
"""Paths that bc3-api documents in prose only: sections/subtasks.md and comments.md."""


class KnownReads:
    """The paths and query parameters that can be read."""

    def __init__(self) -> None:
        listed = json.loads(BASECAMP_READS.read_text(encoding="utf-8"))["reads"]
        self._known = [
            (_pattern(path), frozenset({*parameters, PAGE}) | _ELSEWHERE.get(path, frozenset()))
            for path, parameters in {**listed, **_IN_PROSE}.items()
        ]

    def unknown(self, path: str, parameters: Iterable[str]) -> list[str]:
        """Return what is not known of a request: its path, or some of its parameters."""
        asked = set(parameters)
        strange = [asked - known for pattern, known in self._known if pattern.fullmatch(path)]
        return min((sorted(one) for one in strange), key=len, default=[path])


def _pattern(path: str) -> re.Pattern[str]:
    """Return what matches a path; `.json` is at its end, whatever the description says."""
    bare = re.escape(path.removesuffix(".json"))
    return re.compile(re.sub(r"\\\{\w+\\\}", r"\\d+", bare) + r"\.json")
