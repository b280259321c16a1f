"""An answer as it is kept: the bytes that go on the wire, and what has to be known about them."""

from typing import Any, NamedTuple

import orjson

from trunkline_router.model import Outcome, Packed
from trunkline_shared import meta
from trunkline_shared.reuse import Reuse
from trunkline_shared.trimming import TrimNote

_VERSION = 3


class Stored(NamedTuple):
    """One answer. Seconds; `age_s` is how old it was when it was taken out of where it was kept.

    `ttl_s` is how long it is good if nothing changes, `told` says that the answer itself said so;
    for `stale_s` more it may stand in for one that cannot be had. `cost` is what it has cost of its
    vendor's quota, `left_out` what was left out of it on its way.
    """

    server: str
    packed: Packed
    tags: tuple[str, ...]
    ttl_s: float
    told: bool = False
    stale_s: float = 0.0
    cost: int = 0
    left_out: TrimNote | None = None
    age_s: float = 0.0

    @property
    def size(self) -> int:
        return self.packed.size

    @property
    def life_s(self) -> float:
        return self.ttl_s + self.stale_s

    def to_bytes(self) -> bytes:
        """Return it for a store; `from_bytes` reads it again."""
        head = [
            _VERSION,
            self.server,
            self.tags,
            self.ttl_s,
            self.told,
            self.stale_s,
            self.cost,
            self.packed.modern.decode(),
            self.packed.meta.decode(),
            self.packed.text_bytes,
            None if self.left_out is None else self.left_out.model_dump(),
        ]
        return b"\n".join((orjson.dumps(head), self.packed.fields))

    @classmethod
    def from_bytes(cls, raw: bytes, left_s: float) -> "Stored | None":
        """Return what a store had; None for what is not ours."""
        head, _, fields = raw.partition(b"\n")
        try:
            version, server, tags, ttl_s, told, stale_s, cost, *packed, left_out = orjson.loads(
                head
            )
            if version != _VERSION:
                return None
            return cls(
                server=server,
                packed=_packed(fields, *packed),
                tags=tuple(tags),
                ttl_s=ttl_s,
                told=told,
                stale_s=stale_s,
                cost=cost,
                left_out=None if left_out is None else TrimNote.model_validate(left_out),
                age_s=max(ttl_s + stale_s - left_s, 0.0),
            )
        except (ValueError, TypeError, AttributeError):
            return None


def _packed(fields: bytes, modern: str, given: str, text_bytes: int) -> Packed:
    return Packed(fields, modern.encode(), given.encode(), int(text_bytes))


def reuse_of(outcome: Outcome) -> Reuse:
    """Return what an answer says of its own reuse. Raises ValueError."""
    given: Any = outcome.result.get("_meta")
    said = given.get(meta.REUSE) if isinstance(given, dict) else None
    return Reuse() if said is None else Reuse.model_validate(said)
