"""Tool definitions of foreign servers, held against what was approved."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from trunkline_router.adapters.remembered import Remembered, StoreSilent
from trunkline_router.catalogue.directory import Listing
from trunkline_router.catalogue.pins import Pins, Review, difference, digest_of_definition, review

log = logging.getLogger(__name__)

_MOST_TOLD = 4096

PinMode = Literal["off", "warn", "strict"]
_APPROVE = "an operator approves it with trunkline tools --approve"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What differs from the pins, and of each tool that is held back why."""

    review: Review = field(default_factory=Review)
    held: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinning:
    """Trusts what a server shows at first sight, and asks an operator about changes.

    Where the store does not answer, what was read last holds; a strict server of which nothing
    was read is held back as a whole.
    """

    memory: Remembered
    _known: dict[str, Pins] = field(default_factory=dict)
    _told: dict[tuple[str, str], str] = field(default_factory=dict)

    async def verdict(self, listing: Listing, mode: PinMode) -> Verdict:
        """Hold a listing, as its server gave it, against the pins."""
        if mode == "off" or not listing.tools:
            return Verdict()
        try:
            pins = await self._pins(listing.server)
        except StoreSilent:
            return _blind(listing) if mode == "strict" else Verdict()
        if pins is None:
            await self._keep(listing.server, Pins.of(listing))
            return Verdict()
        found = review(pins, listing)
        self._tell(listing, found)
        if mode == "strict":
            return Verdict(review=found, held=_held(listing.server, found))
        if found.new:
            await self._keep(listing.server, pins.approving(listing, found.new))
        return Verdict(review=Review(changed=found.changed))

    async def approve(self, listing: Listing, tools: Iterable[str]) -> None:
        """Take these tools as the listing has them now. Raises StoreSilent."""
        pins = await self._pins(listing.server) or Pins()
        await self._keep(listing.server, pins.approving(listing, tools))

    def difference(self, listing: Listing, tool: str) -> str:
        """Return how a tool differs from what was approved, as a unified diff."""
        return difference(self._known.get(listing.server, Pins()), listing, tool)

    async def _pins(self, server: str) -> Pins | None:
        try:
            pins = await self.memory.pins(server)
        except StoreSilent:
            if server not in self._known:
                raise
            return self._known[server]
        if pins is not None:
            self._known[server] = pins
        return pins

    async def _keep(self, server: str, pins: Pins) -> None:
        self._known[server] = pins
        await self.memory.pin(server, pins)

    def _tell(self, listing: Listing, found: Review) -> None:
        definitions = {tool.name: tool.definition for tool in listing.tools}
        for tool in (*found.changed, *found.new):
            place, digest = (listing.server, tool), digest_of_definition(definitions[tool])
            if self._told.get(place) != digest:
                if len(self._told) > _MOST_TOLD:
                    self._told.clear()
                self._told[place] = digest
                what = "changed its definition" if tool in found.changed else "is new"
                log.warning("tool %s.%s %s since it was approved", listing.server, tool, what)


def _held(server: str, found: Review) -> Mapping[str, str]:
    changed = {
        tool: f"its definition has changed, and it is held back until {_APPROVE} {server}.{tool}"
        for tool in found.changed
    }
    new = {tool: f"it is new, and held back until {_APPROVE} {server}.{tool}" for tool in found.new}
    return changed | new


def _blind(listing: Listing) -> Verdict:
    reason = "its definition cannot be compared with the approved one while the store is away"
    return Verdict(held={tool.name: reason for tool in listing.tools})
