"""What an API key lets its holder do, from its entry in `trunkline.yaml`."""

from trunkline_router.configuration import KeyEntry, RateEntry
from trunkline_router.context import Context
from trunkline_router.model import Caller
from trunkline_router.rights import EVERYTHING, Rights

_UNBOUNDED = RateEntry()
_ALL = "all"


def caller_of(entry: KeyEntry) -> Caller:
    """Return the caller that a key stands for; its subject is the key's id."""
    return Caller(
        subject=entry.id,
        key=entry.id,
        scopes=frozenset(entry.scopes),
        context=Context(tuple(entry.bind.items())),
        rights=rights_of(entry),
        rate=None if entry.rate == _UNBOUNDED else entry.rate,
        searches=entry.tools == "search",
    )


def rights_of(entry: KeyEntry) -> Rights:
    """Return a key's rights; they are EVERYTHING itself where the key narrows nothing."""
    named = entry.toolsets
    toolsets = None if named is None or _ALL in named else frozenset(named)
    if "*" in entry.allow and not entry.deny and toolsets is None:
        return EVERYTHING
    return Rights(allow=(entry.allow,), deny=entry.deny, toolsets=toolsets)
