"""What one call has cost of its vendor's quota, and what is left of it: noted on its result.

The note travels in the result's `_meta["dev.trunkline/quota"]`, from a server to its router; no
agent sees it.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from trunkline_shared import meta

_MOST = 16
_SAME_WINDOW_S = 2.0
_LONGEST_S = 3600.0
_NUMBER = re.compile("[0-9]{1,15}")


class Left(BaseModel):
    """What is left of one quota, until it is renewed in `resets_in_s` seconds.

    `limit` is all of it, where that is told.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    remaining: Annotated[int, Field(ge=0)]
    resets_in_s: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    limit: Annotated[int, Field(gt=0)] | None = None


def left_in(remaining: str, limit: str, resets_in_s: float) -> Left | None:
    """Return what headers tell is left; None where they hold no numbers.

    No quota of ours lasts longer than an hour: a vendor's clock, or ours, may be wrong.
    """
    if not (_NUMBER.fullmatch(remaining) and _NUMBER.fullmatch(limit)):
        return None
    return Left(
        remaining=int(remaining),
        limit=int(limit) or None,
        resets_in_s=min(max(resets_in_s, 0.0), _LONGEST_S),
    )


class QuotaNote(BaseModel):
    """Requests that one call has `spent`, and those `confirmed` by a 304, which cost nothing.

    `credential` is a fingerprint; `resources` are the vendor's names for what it counts apart.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    credential: Annotated[str, Field(max_length=200)]
    spent: Annotated[int, Field(ge=0)] = 0
    confirmed: Annotated[int, Field(ge=0)] = 0
    resources: Annotated[dict[str, Left], Field(max_length=_MOST)] = {}

    def to_meta(self) -> dict[str, object]:
        return {meta.QUOTA: self.model_dump(mode="json", exclude_none=True)}


@dataclass(slots=True, kw_only=True)
class Spending:
    """What one call has spent so far, all requests that it makes at once included."""

    credential: str = ""
    spent: int = 0
    confirmed: int = 0
    resources: dict[str, Left] = field(default_factory=dict)

    @property
    def note(self) -> QuotaNote | None:
        """Return what there is to note; None for a call that has asked no vendor."""
        if not self.spent + self.confirmed:
            return None
        return QuotaNote(
            credential=self.credential,
            spent=self.spent,
            confirmed=self.confirmed,
            resources=self.resources,
        )

    def add(self, credential: str, *, confirmed: bool, left: Mapping[str, Left]) -> None:
        """Count one answered request. Of requests that overlap, the lowest remainder holds."""
        if credential != self.credential:
            # A token was renewed meanwhile: what was left under the one before is of no use now.
            self.credential, self.resources = credential, {}
        self.spent += not confirmed
        self.confirmed += confirmed
        for resource, told in left.items():
            known = self.resources.get(resource)
            if known is None and len(self.resources) == _MOST:
                continue
            if known is None or told.remaining <= known.remaining or _is_renewed(known, told):
                self.resources[resource] = told


def _is_renewed(known: Left, told: Left) -> bool:
    return told.resets_in_s > known.resets_in_s + _SAME_WINDOW_S


_of_call: ContextVar[Spending | None] = ContextVar("trunkline_spending", default=None)


@contextmanager
def counted() -> Iterator[Spending]:
    """Count what is asked of a vendor within the block."""
    spending = Spending()
    token = _of_call.set(spending)
    try:
        yield spending
    finally:
        _of_call.reset(token)


def count(credential: str, *, confirmed: bool, left: Mapping[str, Left]) -> None:
    """Note an answer of a vendor to a request made with a credential, given by fingerprint."""
    spending = _of_call.get()
    if spending is not None:
        spending.add(credential, confirmed=confirmed, left=left)
