"""Places that one process remembers."""

import secrets
from dataclasses import dataclass, field

from trunkline_shared.store.place_port import Place


@dataclass(slots=True)
class MemoryPlaces:
    """Places for everything in this process, which leaves all of them when it ends."""

    _taken: dict[str, set[str]] = field(default_factory=dict)

    async def enter(self, key: str, most: int, *, ttl_s: float) -> Place | None:  # noqa: ARG002 - the port's signature
        """Enter as the port says; `ttl_s` is for those who may die without this process."""
        taken = self._taken.get(key, set())
        if len(taken) >= most:
            return None
        place = Place(key=key, id=secrets.token_hex(8))
        self._taken.setdefault(key, taken).add(place.id)
        return place

    async def leave(self, place: Place) -> None:
        taken = self._taken.get(place.key, set())
        taken.discard(place.id)
        if not taken:
            self._taken.pop(place.key, None)
