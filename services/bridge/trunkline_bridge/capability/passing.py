"""A result of one server as the result of another: the same blocks, bounded, and a note."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from mcp_types import CallToolResult, ContentBlock, TextContent
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from trunkline_shared import meta
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.states import BreakerState

CAP: Final = 100_000
"""Bytes of texts and data together, and of structured content: what an agent's client takes."""
_BLOCK: Final[TypeAdapter[ContentBlock]] = TypeAdapter(ContentBlock)


class PassedOn(BaseModel):
    """What another server's tool answered, as it is, and how that server's breaker stands then.

    `content` leaves out texts where there is `structuredContent`, which says the same.
    """

    model_config = ConfigDict(frozen=True)

    content: Sequence[Mapping[str, Any]]
    structuredContent: Any = None  # noqa: N815 - the name on the wire
    breaker: BreakerState | None = None
    attempts: int = 1
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what there is to say, without what is null."""
        whole = self.model_dump(mode="json")
        return {name: value for name, value in whole.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Whose result it is; `breaker` is None where it could not be asked."""

    server: str
    breaker: BreakerState | None
    attempts: int = 1

    def to_meta(self) -> dict[str, object]:
        """Return the note that keeps the failure from being held against the one passing it on."""
        state = None if self.breaker is None else self.breaker.model_dump()
        noted = {"server": self.server, "breaker": state, "attempts": self.attempts}
        return {meta.PASSED_ON: noted}


def passed_on(result: Json, sender: Sender) -> CallToolResult:
    """Return a result with its blocks as they came, cut visibly where they are beyond the cap."""
    given = result.get("content")
    room = _Room(CAP)
    blocks = [room.fitted(one) for one in (given if isinstance(given, list) else [])]
    structured, is_error = result.get("structuredContent"), result.get("isError") is True
    if (size := _size(structured)) > CAP:
        structured = None
        room.notes.append(f"structuredContent of {size} bytes is left out")
    told = PassedOn(
        content=[one for one in blocks if structured is None or one.get("type") != "text"],
        structuredContent=structured,
        breaker=sender.breaker,
        attempts=sender.attempts,
        note=f"{'; '.join(room.notes)}: ask for less." if room.notes else None,
    )
    return CallToolResult(
        content=[_block(one) for one in blocks],
        structured_content=None if is_error else told.to_json(),
        is_error=is_error,
        _meta=_meta_of(result) | sender.to_meta(),
    )


@dataclass(slots=True)
class _Room:
    """How many bytes still fit, and what did not."""

    left: int
    notes: list[str] = field(default_factory=list)

    def fitted(self, block: object) -> Mapping[str, Any]:
        """Return a block, cut at the end of a line or named where it does not fit."""
        if not is_object(block):
            return _text(str(block)[:100])
        size = _size(block)
        if size <= self.left:
            self.left -= size
            return block
        text, left = block.get("text"), self.left
        self.left = 0
        if not isinstance(text, str):
            self.notes.append(f"{str(block.get('type'))[:20]} of {size} bytes is left out")
            return _text(f"[{self.notes[-1]}]")
        shown = text.encode()[:left].decode(errors="ignore")
        shown = shown.rpartition("\n")[0] or shown
        self.notes.append(f"text of {len(text)} characters is cut to {len(shown)}")
        return {**block, "text": f"{shown}\n… {self.notes[-1]}".lstrip("\n")}


def _block(block: Mapping[str, Any]) -> ContentBlock:
    """Return a block as the protocol has it; what it does not know is shown as text."""
    try:
        return _BLOCK.validate_python(block)
    except ValidationError:
        return TextContent(type="text", text=orjson.dumps(block).decode())


def _meta_of(result: Json) -> dict[str, Any]:
    """Return what the tool itself noted on its result: what routers note is for each its own."""
    given = result.get("_meta")
    noted = given.items() if is_object(given) else ()
    return {key: value for key, value in noted if key.partition("/")[0] not in _ROUTERS}


_ROUTERS: Final = frozenset({"dev.trunkline", "io.modelcontextprotocol"})


def _text(text: str) -> Mapping[str, Any]:
    return {"type": "text", "text": text}


def _size(value: object) -> int:
    return len(orjson.dumps(value))
