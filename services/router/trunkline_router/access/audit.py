"""The record of a write: who did what to which object, and how it ended; never what it said."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Protocol, Self

import orjson

from trunkline_router.access.audited_arguments import recorded
from trunkline_router.model import Call, Json, Outcome
from trunkline_router.wire.refusal import Refused
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Cancelled, TrunklineError

_MADE = ("html_url", "url", "id", "number", "key")
_LONGEST = 500


class AuditTrail(Protocol):
    """Where records go."""

    def append(self, line: bytes) -> None:
        """Keep one line, which ends with a line break; never waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Writes one record for each write, when it has ended."""

    trail: AuditTrail
    clock: Clock

    def record(self, call: Call, trace_id: str) -> "Record":
        """Return the record of a call, to be held while the call runs."""
        return Record(audit=self, call=call, trace_id=trace_id)


@dataclass(slots=True, kw_only=True)
class Record:
    """A context manager around one write; `sent` says that its server may have heard of it."""

    audit: Audit
    call: Call
    trace_id: str
    sent: bool = False
    outcome: Outcome | None = None
    _began: float = field(default=0.0, init=False)

    def __enter__(self) -> Self:
        self._began = self.audit.clock.monotonic()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace_back: TracebackType | None,
    ) -> None:
        ended = self._ending(error)
        line = orjson.dumps(self._described() | ended, default=str, option=_OPTIONS)
        self.audit.trail.append(line)

    def _described(self) -> Json:
        call, clock = self.call, self.audit.clock
        now = datetime.fromtimestamp(clock.now(), UTC)
        tool = call.tool
        return {
            "time": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "key": call.caller.key,
            "subject": call.caller.subject,
            "depth": call.caller.depth,
            "server": call.server,
            "tool": call.name,
            "arguments": recorded(call.request.params.get("arguments"), tool.bound if tool else {}),
            "duration_ms": round((clock.monotonic() - self._began) * 1000, 1),
            "trace_id": self.trace_id,
        }

    def _ending(self, error: BaseException | None) -> Json:
        if self.outcome is not None:
            return _of_outcome(self.outcome)
        if isinstance(error, TrunklineError):
            return _of_error(error)
        if isinstance(error, Refused):
            return {"result": str(error.code)}
        if isinstance(error, asyncio.CancelledError):
            return {"result": Cancelled.code, "may_have_happened": self.sent}
        return {"result": "INTERNAL_ERROR", "may_have_happened": self.sent}


_OPTIONS = orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS


def _of_error(error: TrunklineError) -> Json:
    may_have = error.details.get("may_have_happened")
    return {"result": error.code} | ({"may_have_happened": True} if may_have is True else {})


def _of_outcome(outcome: Outcome) -> Json:
    if outcome.error is not None:
        return {"result": str(outcome.error.code)}
    if outcome.is_error:
        failure = wire.from_result(outcome.result)
        return {"result": "TOOL_ERROR"} if failure is None else _of_error(failure)
    if outcome.result.get("resultType", "complete") != "complete":
        return {"result": str(outcome.result["resultType"])}
    made = _made(outcome.result)
    return {"result": "ok"} | ({"made": made} if made else {})


def _made(result: Json) -> Json:
    """Return the names of what a result tells of, itself or one level down."""
    structured = result.get("structuredContent")
    if not isinstance(structured, Mapping):
        return {}
    found = _names(structured)
    if "html_url" in found or "url" in found:
        return found
    inner = (_names(value) for value in structured.values() if isinstance(value, Mapping))
    return next((names for names in inner if names), found)


def _names(told: Mapping[object, object]) -> Json:
    kept = {name: told.get(name) for name in _MADE}
    return {
        name: value[:_LONGEST] if isinstance(value, str) else value
        for name, value in kept.items()
        if isinstance(value, str | int) and not isinstance(value, bool)
    }
