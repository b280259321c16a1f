"""Tool definitions as they were first seen, and what has become of them since."""

import difflib
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import orjson

from trunkline_router.catalogue.directory import Listing
from trunkline_router.model import Json

_VERSION = 1
_PINNED = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_MOST = 2000
_LARGEST = 64 * 1024
"""Bytes of a definition beyond which only its digest is kept, and no text to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """What a tool's definition was when it was approved; no text for a very long one."""

    digest: str
    definition: Json | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """The approved definitions of one server's tools, by the server's own names."""

    by_tool: Mapping[str, Pin] = field(default_factory=dict)

    @classmethod
    def of(cls, listing: Listing) -> "Pins":
        """Approve every tool of a listing as it is."""
        return cls().approving(listing, [tool.name for tool in listing.tools])

    def approving(self, listing: Listing, tools: Iterable[str]) -> "Pins":
        """Return the pins with these tools as the listing has them now."""
        named = set(tools)
        fresh = {t.name: _pin(t.definition) for t in listing.tools if t.name in named}
        pins = {**self.by_tool, **fresh}
        if len(pins) > _MOST:
            # A server that makes up names without end must not fill the store.
            pins = {tool.name: pins[tool.name] for tool in listing.tools if tool.name in pins}
        return Pins(by_tool=pins)

    def to_bytes(self) -> bytes:
        tools = {name: [pin.digest, pin.definition] for name, pin in self.by_tool.items()}
        return zlib.compress(orjson.dumps({"v": _VERSION, "tools": tools}))

    @classmethod
    def from_bytes(cls, content: bytes) -> "Pins | None":
        """Return what `to_bytes` has written; None for anything else."""
        try:
            read = orjson.loads(zlib.decompress(content))
            if read["v"] != _VERSION:
                return None
            tools = read["tools"].items()
            return cls(by_tool={n: Pin(digest=d, definition=text) for n, (d, text) in tools})
        except (zlib.error, ValueError, TypeError, KeyError, AttributeError):
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A listing beside its pins: `changed` and `new` are the server's own names of tools."""

    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()


def review(pins: Pins, listing: Listing) -> Review:
    """Say which tools are not as they were approved."""
    changed: list[str] = []
    new: list[str] = []
    for tool in listing.tools:
        pin = pins.by_tool.get(tool.name)
        if pin is None:
            new.append(tool.name)
        elif pin.digest != digest_of_definition(tool.definition):
            changed.append(tool.name)
    return Review(changed=tuple(changed), new=tuple(new))


def difference(pins: Pins, listing: Listing, tool: str) -> str:
    """Return a unified diff from the approved definition of a tool to its present one."""
    pin = pins.by_tool.get(tool)
    now = next((t.definition for t in listing.tools if t.name == tool), None)
    before = _lines(pin.definition if pin is not None else None)
    after = _lines(now)
    return "\n".join(difflib.unified_diff(before, after, "approved", "now", lineterm=""))


def digest_of_definition(definition: Json) -> str:
    """Return what identifies all of a definition that a model or a client goes by."""
    return _digest(_content(definition))


def _pin(definition: Json) -> Pin:
    content = _content(definition)
    small = len(content) <= _LARGEST
    return Pin(digest=_digest(content), definition=_pinned(definition) if small else None)


def _pinned(definition: Json) -> Json:
    return {key: definition[key] for key in _PINNED if key in definition}


def _content(definition: Json) -> bytes:
    return orjson.dumps(_pinned(definition), option=orjson.OPT_SORT_KEYS)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _lines(definition: Json | None) -> list[str]:
    if definition is None:
        return []
    shown = orjson.dumps(_pinned(definition), option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)
    # a description is one JSON string: its lines are told apart where the text has them
    return shown.decode().replace("\\n", "\n").splitlines()
