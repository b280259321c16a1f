"""What has happened in a run so far, as its messages tell it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from trunkline_bridge.command.stream import Assistant, Message, Result, ToolResult, ToolUse, User
from trunkline_bridge.query.models import ToolCall
from trunkline_shared import wire
from trunkline_shared.clock import Clock

_PREFIX: Final = "mcp__"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    server: str
    tool: str
    at: float


@dataclass(slots=True, kw_only=True)
class Transcript:
    """Pairs calls with their results; times are those at which the messages were read."""

    servers: Iterable[str]
    clock: Clock
    turns: int = 0
    result: Result | None = None
    trouble: str | None = None
    calls: list[ToolCall] = field(default_factory=list)
    _latest: str = ""
    _open: dict[str, _Begun] = field(default_factory=dict)

    def add(self, message: Message) -> str | None:
        """Take the next message; returns what happens in the turn that begins with it, if any."""
        match message:
            case Assistant(parent_tool_use_id=None):
                return self._said(message)
            case User():
                for block in message.message.blocks:
                    if isinstance(block, ToolResult):
                        self._answered(block)
            case Result():
                self.result = message
            case _:
                pass
        return None

    @property
    def all_calls(self) -> tuple[ToolCall, ...]:
        """All calls, with those whose end was not seen as failed ones."""
        open_ones = (self._call(begun, ok=False) for begun in self._open.values())
        return (*self.calls, *open_ones)

    def _said(self, message: Assistant) -> str | None:
        if message.error is not None:
            self.trouble = message.error
            return None
        for block in message.message.blocks:
            if isinstance(block, ToolUse):
                self._called(block)
        if message.message.id == self._latest:
            return None
        self._latest = message.message.id
        self.turns += 1
        return _happening(message)

    def _called(self, block: ToolUse) -> None:
        named = self._split(block.name)
        if named is not None:
            server, tool = named
            self._open[block.id] = _Begun(server=server, tool=tool, at=self.clock.monotonic())

    def _split(self, name: str) -> tuple[str, str] | None:
        """Tell server and tool apart; None for a tool of the agent itself.

        Server ids are matched whole: one may begin like another, and hold what parts it from tools.
        """
        for server in sorted(self.servers, key=len, reverse=True):
            prefix = f"{_PREFIX}{server}__"
            if name.startswith(prefix):
                return server, name.removeprefix(prefix)
        return None

    def _answered(self, block: ToolResult) -> None:
        begun = self._open.pop(block.tool_use_id, None)
        if begun is None:
            return
        failed = wire.from_text(block.text) if block.is_error else None
        code = failed.code if failed is not None else None
        self.calls.append(self._call(begun, ok=not block.is_error, code=code))

    def _call(self, begun: _Begun, *, ok: bool, code: str | None = None) -> ToolCall:
        ms = round((self.clock.monotonic() - begun.at) * 1000)
        return ToolCall(server=begun.server, tool=begun.tool, ok=ok, ms=ms, error_code=code)


def _happening(message: Assistant) -> str:
    called = [block.name for block in message.message.blocks if isinstance(block, ToolUse)]
    return f"calls {', '.join(called)}" if called else "answers"
