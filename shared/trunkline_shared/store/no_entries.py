"""Entries of a store that nobody shares: the process itself keeps what it has."""

from trunkline_shared.store.entry_port import Entry


class NoEntries:
    """Keeps nothing; everybody leads."""

    async def get(self, key: str) -> Entry | None:  # noqa: ARG002 - the port's
        return None

    async def put(self, key: str, data: bytes, *, life_s: float) -> None:
        """Keep nothing."""

    async def lead(self, key: str, *, for_s: float) -> bool:  # noqa: ARG002 - the port's
        return True

    async def let_go(self, key: str) -> None:
        """Nobody waits."""

    async def settled(self, key: str, *, within_s: float) -> None:
        """Nobody leads elsewhere."""
