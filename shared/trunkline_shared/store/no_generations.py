"""Generations that cannot be had."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from trunkline_shared.store.generation_port import Membership, Reading


class NoGenerations:
    """Has none, so that nothing is kept."""

    async def read(self, names: Sequence[str]) -> Reading | None:  # noqa: ARG002 - the port's
        return None

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        """Nothing was kept."""

    @asynccontextmanager
    async def joined(self, terms: Membership) -> AsyncIterator[None]:  # noqa: ARG002 - the port's
        yield

    def state(self) -> Mapping[str, object]:
        return {"on": False}
