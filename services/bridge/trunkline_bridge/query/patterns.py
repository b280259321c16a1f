"""The tools that a prompt may use: `mcp__server__tool` and `mcp__server__*`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_shared.errors import InvalidInput

ANY = "*"
MOST = 64
LONGEST = 200
_PREFIX = "mcp__"
_SEPARATOR = "__"
_SERVER = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TOOL = re.compile(r"\*|[A-Za-z0-9_./-]{1,128}")
_SHOWN = 80
_FORM = "Write mcp__SERVER__TOOL for one tool, or mcp__SERVER__* for all of a server's."


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPattern:
    """One tool of a server, or all of them."""

    server: str
    tool: str = ANY

    def __str__(self) -> str:
        return f"{_PREFIX}{self.server}{_SEPARATOR}{self.tool}"

    def matches(self, server: str, tool: str) -> bool:
        """Say whether a tool, by its server's own name for it, is one of these."""
        return server == self.server and self.tool in {ANY, tool}


def read_patterns(given: Sequence[str]) -> tuple[ToolPattern, ...]:
    """Read the patterns in their order. Raises InvalidInput, which names the one that is none."""
    if not given:
        raise refused("tools", "is empty", "Name at least one, such as mcp__github__*.")
    if len(given) > MOST:
        raise refused(
            "tools",
            f"names {len(given)} tools, more than {MOST}",
            "Name servers as a whole, such as mcp__github__*.",
        )
    first: dict[ToolPattern, int] = {}
    for index, text in enumerate(given):
        pattern = _read(index, text)
        if pattern in first:
            problem = f"repeats tools[{first[pattern]}]"
            raise refused_pattern(index, text, problem, "Leave it out.")
        first[pattern] = index
    return tuple(first)


def refused_pattern(index: int, text: str, problem: str, fix: str) -> InvalidInput:
    """Return the refusal of one pattern, with its place and its value."""
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return refused(f"tools[{index}]", f"{shown!r} {problem}", fix)


def refused(field: str, problem: str, fix: str) -> InvalidInput:
    """Return the refusal of an argument; `fix` says what to give in its place."""
    return InvalidInput(
        f"query_mcp: {field} {problem}.",
        hint=fix,
        details={"field_errors": [{"field": field, "problem": problem, "kind": "value_error"}]},
    )


def _read(index: int, text: str) -> ToolPattern:
    if len(text) > LONGEST:
        problem = f"has {len(text)} characters, more than {LONGEST}"
        raise refused_pattern(index, text, problem, _FORM)
    if not text.startswith(_PREFIX):
        raise refused_pattern(index, text, f"does not begin with {_PREFIX}", _FORM)
    # At the second separator only: a tool's own name may hold another one, a server's may not.
    server, separator, tool = text.removeprefix(_PREFIX).partition(_SEPARATOR)
    if not _SERVER.fullmatch(server):
        raise refused_pattern(index, text, "names no server", _FORM)
    if not separator or not tool:
        fix = f"Write {_PREFIX}{server}{_SEPARATOR}{ANY} for all of its tools."
        raise refused_pattern(index, text, "has no tool part", fix)
    if not _TOOL.fullmatch(tool):
        problem = f"has no tool's name after {_PREFIX}{server}{_SEPARATOR}"
        raise refused_pattern(index, text, problem, _FORM)
    return ToolPattern(server=server, tool=tool)
