"""What an API key lets its holder do, from its entry in `trunkline.yaml`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trunkline_router.configuration.entries import Configuration, KeyEntry, RateEntry
from trunkline_router.configuration.live import Derived, Live
from trunkline_router.configuration.toolsets import ALL
from trunkline_router.context import Context, InvalidContext
from trunkline_router.model import Caller
from trunkline_router.rights import EVERYTHING, Rights

_UNBOUNDED = RateEntry()
_MARK_LENGTH = 16


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
    toolsets = None if named is None or ALL in named else frozenset(named)
    if "*" in entry.allow and not entry.deny and toolsets is None:
        return EVERYTHING
    return Rights(allow=(entry.allow,), deny=entry.deny, toolsets=toolsets)


@dataclass(frozen=True, slots=True)
class _Held:
    mark: str
    caller: Caller


class KeyRing:
    """The keys of the configuration that holds now, by their ids."""

    def __init__(self, live: Live[Configuration]) -> None:
        self._live = live
        self._held = Derived(live, _keys_of)

    def mark_of(self, key: str | None) -> str:
        """Return what tells a key from a later one with the same id; empty for no such key."""
        held = self._known(key)
        return "" if held is None else held.mark

    def caller(self, key: str, mark: str, until: float) -> Caller | None:
        """Return whom a key stands for, until a moment of monotonic time.

        None where the key is gone, or is another one than `mark` tells.
        """
        held = self._known(key)
        if held is None or held.mark != mark:
            return None
        return replace(held.caller, until=until)

    def beyond(self, caller: Caller) -> Rights:
        """Return the caller's rights without what its key says anyway."""
        held = self._known(caller.key)
        if held is None:
            return caller.rights
        own = held.caller.rights
        allow = tuple(layer for layer in caller.rights.allow if layer not in own.allow)
        deny = tuple(glob for glob in caller.rights.deny if glob not in own.deny)
        same = caller.rights.toolsets == own.toolsets
        return Rights(allow=allow, deny=deny, toolsets=None if same else caller.rights.toolsets)

    def held_to(self, caller: Caller, mark: str) -> Caller | None:
        """Return a token's caller with no more than its key has now, and with the key's limits.

        None where the key is gone, is another one than when the token was minted, or is bound to
        something else by now.
        """
        held = self._known(caller.key)
        if held is None or held.mark != mark:
            return None
        key = held.caller
        try:
            context = caller.context.within(key.context) if key.context else caller.context
        except InvalidContext:
            return None
        return replace(
            caller,
            scopes=caller.scopes & key.scopes,
            context=context,
            rights=caller.rights.within(key.rights),
            rate=key.rate,
        )

    @property
    def must_be_shown(self) -> bool:
        """Whether callers have to say who they are."""
        return self._live.now.authenticates

    def _known(self, key: str | None) -> _Held | None:
        return None if key is None else self._held.now.get(key)


def _keys_of(configuration: Configuration) -> Mapping[str, _Held]:
    return {
        each.id: _Held(each.hash[:_MARK_LENGTH], caller_of(each)) for each in configuration.keys
    }
