"""What vendors sent for a call and its agent need not read, in bytes: noted on the result.

`logs` are the parts of job logs that an answer does not show. `truncation` is what caps cut off:
of texts (bodies, excerpts), of diffs, and the entries of lists beyond the most that are listed.
`fields` is what remains: the JSON that vendors answered with, less what was truncated of it and
less the text of the result, as far as that is made of JSON; never less than nothing. A body that
a 304 confirms counts like one that was sent: an agent would have had to read it. Failed answers
do not count, and neither does what a call asks of other servers, which note it themselves.

The note travels in the result's `_meta["dev.trunkline/trimmed"]`, from a server to its router; no
agent sees it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from trunkline_shared import meta

Bytes = Annotated[int, Field(ge=0)]
Reason = Literal["logs", "truncation"]


class TrimNote(BaseModel):
    """Bytes of UTF-8 that were left out, by reason."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    fields: Bytes = 0
    truncation: Bytes = 0
    logs: Bytes = 0

    def to_meta(self) -> dict[str, object]:
        return {meta.TRIMMED: self.model_dump(mode="json", exclude_defaults=True)}


@dataclass(slots=True, kw_only=True)
class Trimming:
    """What one call was sent, and what of it was left out so far.

    `cut` was left out of `json`, `streamed` of what was no JSON; `shown` are the bytes of the
    latter as they stand in the result, which is JSON again.
    """

    json: int = 0
    cut: int = 0
    streamed: int = 0
    logs: int = 0
    shown: int = 0

    def note(self, text_bytes: int) -> TrimNote | None:
        """Return what there is to note on a result with so much text; None if nothing is."""
        of_json = max(0, text_bytes - self.shown)
        note = TrimNote(
            fields=max(0, self.json - of_json - self.cut),
            truncation=self.cut + self.streamed,
            logs=self.logs,
        )
        return None if note == _NOTHING else note


_NOTHING = TrimNote()
_of_call: ContextVar[Trimming | None] = ContextVar("trunkline_trimming", default=None)


@contextmanager
def trimmed() -> Iterator[Trimming]:
    """Count what is received and left out within the block."""
    trimming = Trimming()
    token = _of_call.set(trimming)
    try:
        yield trimming
    finally:
        _of_call.reset(token)


def received(json_bytes: int) -> None:
    """Note the body of a vendor's answer that was a success."""
    if (trimming := _of_call.get()) is not None:
        trimming.json += json_bytes


def cut(whole: str, kept: str) -> None:
    """Note that a text of a vendor's JSON is passed on in part."""
    if whole != kept:
        cut_bytes(_size(whole) - _size(kept))


def cut_bytes(size: int) -> None:
    """Note that so many bytes of a vendor's JSON are cut off."""
    if (trimming := _of_call.get()) is not None:
        trimming.cut += max(0, size)


def cut_entries(entries: Iterable[BaseModel]) -> None:
    """Note the entries of a list that are beyond the most that are listed."""
    if (trimming := _of_call.get()) is not None:
        trimming.cut += sum(len(one.model_dump_json()) for one in entries)


def streamed(reason: Reason, size: int, shown: str) -> None:
    """Note a body of `size` bytes that was no JSON, and the part of it that is passed on."""
    if (trimming := _of_call.get()) is None:
        return
    trimming.shown += len(orjson.dumps(shown)) - 2
    left = max(0, size - _size(shown))
    if reason == "logs":
        trimming.logs += left
    else:
        trimming.streamed += left


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))
