"""A text index over tools: ranked by SQLite's FTS5 (BM25), names split into their words."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Self

from trunkline_router.catalogue.tool_schema import properties_of
from trunkline_router.model import Json, ToolSpec

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_MOST_WORDS = 24
_WEIGHTS = "10.0, 4.0, 3.0, 1.0"
"""Of a tool's name, its title and server, its description, and its parameters."""


@dataclass(frozen=True, slots=True)
class ToolIndex:
    """An index in memory that any thread may ask, one at a time."""

    _database: sqlite3.Connection
    _lock: Lock

    @classmethod
    def of(cls, tools: Mapping[str, ToolSpec]) -> Self:
        """Index tools by the names that agents see; some milliseconds for a hundred."""
        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute(
            "CREATE VIRTUAL TABLE tools USING fts5(exposed UNINDEXED, name, title, description, "
            "parameters, tokenize = 'porter unicode61')"
        )
        rows = [_row(exposed, spec) for exposed, spec in tools.items()]
        database.executemany("INSERT INTO tools VALUES (?, ?, ?, ?, ?)", rows)
        return cls(database, Lock())

    def best(self, query: str, limit: int) -> list[str]:
        """Return the exposed names that match any word of a query, the best first."""
        words = list(dict.fromkeys(word.lower() for word in words_of(query)))[:_MOST_WORDS]
        if not words:
            return []
        match = " OR ".join(f'"{word}"*' for word in words)
        with self._lock:
            found = self._database.execute(
                f"SELECT exposed FROM tools WHERE tools MATCH ? "  # noqa: S608 - weights are ours
                f"ORDER BY bm25(tools, 0.0, {_WEIGHTS}), exposed LIMIT ?",
                (match, limit),
            ).fetchall()
        return [str(exposed) for (exposed,) in found]


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text, and those inside names: `get_ciStatus` has three."""
    for match in _WORD.finditer(text):
        yield match[0]


def _row(exposed: str, spec: ToolSpec) -> tuple[str, ...]:
    definition = spec.definition
    title = f"{definition.get('title', '')} {spec.server}"
    description = str(definition.get("description", ""))
    return (
        exposed,
        _split(f"{exposed} {spec.name}"),
        _split(title),
        _split(description),
        _split(" ".join(_parameters(definition))),
    )


def _parameters(definition: Json) -> Iterable[str]:
    for name, schema in properties_of(definition).items():
        yield name
        if isinstance(schema, dict):
            yield str(schema.get("description", ""))


def _split(text: str) -> str:
    return " ".join(words_of(text))
