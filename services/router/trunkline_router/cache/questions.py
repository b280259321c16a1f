"""Reads that may be answered by what was answered before, and what tells them apart."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from trunkline_router.binding import arguments_of
from trunkline_router.cache.tags import fill
from trunkline_router.catalogue.tool_schema import properties_of
from trunkline_router.context import Context, key_of
from trunkline_router.model import MESH, Call, Json, ToolSpec
from trunkline_router.wire.refusal import Refused
from trunkline_shared.contracts import Reads

SERVER = "srv:"
"""What all reads of one server depend on."""
_MOST = 10_000
_LARGEST = 8 * 1024
_KNOWN = frozenset({"name", "arguments", "_meta"})
"""What a call may say; one that says more (what continues another, a task) is asked each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A read: who answers the same question gets the same answer.

    `key` identifies it, `audience` says whose credential answers it. `exact` are the tags that it
    depends on, `wide` those of which only the answer tells which it meant.
    """

    key: bytes
    server: str
    tool: str
    audience: str = MESH
    reads: Reads
    exact: tuple[str, ...]
    wide: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Finds out what a call asks; what it has found it remembers.

    `apart` tells calls apart that are the same in all else, but are answered by another server, or
    for the one who asks and nobody else.
    """

    apart: Callable[[Call], str]
    _known: dict[bytes, Question] = field(default_factory=dict)

    def of(self, call: Call) -> Question | None:
        """Return the question; None for what must be asked each time."""
        tool = call.tool
        if tool is None or tool.writes or tool.policy.reads is None:
            return None
        params = call.request.params
        if not params.keys() <= _KNOWN:
            return None
        arguments = given_arguments(call)
        if arguments is None:
            return None
        try:
            identity = orjson.dumps(self._identity(call, tool, arguments), option=_SORTED)
        except TypeError:
            return None
        known = self._known.get(identity)
        if known is None:
            known = _question(identity, tool, tool.policy.reads, arguments, call.audience)
            self._remember(identity, known)
        return known

    def _remember(self, identity: bytes, known: Question) -> None:
        """Remember a question; one that is large takes more room than finding it out takes time."""
        if len(identity) > _LARGEST:
            return
        if len(self._known) >= _MOST:
            del self._known[next(iter(self._known))]
        # A copy: orjson's own bytes hold on to a buffer of 4 kB, however little stands in it.
        self._known[bytes(memoryview(identity))] = known

    def _identity(self, call: Call, tool: ToolSpec, arguments: Json) -> list[object]:
        apart = self.apart(call)
        binds = _enforced(call.request.context, tool.policy.enforces)
        return [call.server, tool.name, tool.digest, call.audience, apart, binds, arguments]


def given_arguments(call: Call) -> Json | None:
    """Return a call's arguments as they stand; None where they are none that a tool could take."""
    try:
        return arguments_of(call)
    except Refused:
        return None


def taken_arguments(tool: ToolSpec, arguments: Json) -> Json:
    """Return the arguments that a tool has: what else a call says, its server may ignore.

    Otherwise `prNumber` could stand in a tag in the place of the `pr_number` that is meant.
    """
    properties = properties_of(tool.definition)
    return {name: arguments[name] for name in arguments if not properties or name in properties}


_SORTED = orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS


def _enforced(context: Context, names: tuple[str, ...]) -> dict[str, object]:
    """Return the bindings by which the server itself may refuse what it answers to others."""
    if not context or not names:
        return {}
    held = {key_of(name) or name for name in names}
    return {key: value for key, value in context.bindings if key in held}


def _question(
    identity: bytes, tool: ToolSpec, reads: Reads, arguments: Json, audience: str
) -> Question:
    taken = taken_arguments(tool, arguments)
    filled = [fill(template, taken) for template in reads.tags]
    exact = (*(one.tag for one in filled if not one.wide), f"{SERVER}{tool.server}")
    return Question(
        key=hashlib.blake2b(identity, digest_size=20).digest(),
        server=tool.server,
        tool=tool.name,
        audience=audience,
        reads=reads,
        exact=tuple(dict.fromkeys(exact)),
        wide=tuple(dict.fromkeys(one.tag for one in filled if one.wide)),
    )
