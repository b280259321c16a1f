"""Turns that Redis keeps for the whole mesh: one script, one round trip, by Redis's own clock."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files

import orjson
from redis.commands.core import AsyncScript

from trunkline_shared.store.port import AHEAD_S, TooLate, Turn, Wish

PREFIX = "trunkline:1:turns:"
SCRIPT = files("trunkline_shared.store").joinpath("reserve.lua").read_text(encoding="utf-8")
_KEPT_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisTurns:
    """Asks Redis for turns; what goes wrong with it is for the caller to survive."""

    script: AsyncScript

    async def reserve(
        self, wish: Wish, *, known: Mapping[str, float], unused: Iterable[str]
    ) -> Turn | TooLate:
        """Reserve as the port says.

        `known` are turns that the caller remembers (id, seconds since they began): one that Redis
        has lost is counted again. `unused` are the ids of turns to forget. Raises RedisError or
        OSError.
        """
        asked = orjson.dumps(
            _asked(wish)
            | {
                "known": [(name, _us(age)) for name, age in known.items()],
                "unused": list(unused),
            }
        )
        reserved, wait, spent = await self.script(keys=[PREFIX + wish.key], args=[asked])
        wait_s = wait / 1_000_000
        if not reserved:
            return TooLate(wait_s=wait_s, spent=bool(spent))
        return Turn(key=wish.key, id=wish.id, wait_s=wait_s)


def _asked(wish: Wish) -> dict[str, object]:
    rhythm = wish.rhythm
    return {
        "id": wish.id,
        "interval": _us(rhythm.interval_s),
        "limits": [(count, _us(span)) for count, span in rhythm.limits],
        "after": _us(wish.after_s),
        "within": _us(wish.within_s),
        "memory": _us(max(rhythm.memory_s, _KEPT_S)),
        "ahead": _us(AHEAD_S),
    }


def _us(seconds: float) -> int:
    return round(seconds * 1_000_000)
