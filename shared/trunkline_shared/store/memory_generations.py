"""Generations for everything in one process: nothing can come between a question and its answer."""

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.store.generation_port import Generation, Membership, Reading

_MOST = 100_000
_NEVER = float("-inf")


@dataclass(slots=True)
class _Kept:
    nonce: str
    bumped_at: float = _NEVER
    held_until: float = _NEVER
    first: Generation | None = None
    """What is seen at any time of a name that was never bumped."""


@dataclass(slots=True, kw_only=True)
class MemoryGenerations:
    """Generations as the port says; of the hundred thousand used last at the most."""

    clock: Clock
    _root: str = field(default_factory=lambda: secrets.token_hex(8))
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _bumped_at: float = _NEVER
    _held_until: float = _NEVER
    _change: int = 1

    async def read(self, names: Sequence[str]) -> Reading | None:
        now = self.clock.monotonic()
        by_name = {name: self._seen(name, now) for name in names}
        return Reading(self._root, by_name, self._change)

    def stands(self, reading: Reading) -> bool:
        """Say whether no generation at all has changed since that was read."""
        return reading.change == self._change

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        now = self.clock.monotonic()
        self._change += bool(names)
        for name in names:
            before = self._kept.pop(name, None)
            held_until = now + hold_s
            if before is not None:
                held_until = max(held_until, before.held_until)
            self._kept[name] = _Kept(secrets.token_hex(8), now, held_until)
        self._forget()

    @asynccontextmanager
    async def joined(self, terms: Membership) -> AsyncIterator[None]:  # noqa: ARG002 - who shares a process needs no sign
        yield

    def state(self) -> Mapping[str, object]:
        return {"on": True}

    def _seen(self, name: str, now: float) -> Generation:
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = self._minted()
            self._forget()
        if kept.first is not None:
            return kept.first
        held_s = kept.held_until - now
        return Generation(kept.nonce, now - kept.bumped_at, held_s if held_s > 0 else 0.0)

    def _minted(self) -> _Kept:
        """Return what is known of a new name: it may be one that was bumped and forgotten."""
        nonce = secrets.token_hex(8)
        if self._bumped_at > _NEVER:
            return _Kept(nonce, self._bumped_at, self._held_until)
        return _Kept(nonce, first=Generation(nonce))

    def _forget(self) -> None:
        """Forget the oldest: a name that is forgotten gets another nonce, so nothing is lost.

        When the last of those was bumped, and for how long it is held, counts for new names.
        """
        while len(self._kept) > _MOST:
            self._change += 1
            gone = self._kept.pop(next(iter(self._kept)))
            self._bumped_at = max(self._bumped_at, gone.bumped_at)
            self._held_until = max(self._held_until, gone.held_until)
