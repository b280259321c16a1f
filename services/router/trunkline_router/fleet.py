"""The servers behind the router, as they run now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trunkline_router.configuration import ServerEntry
from trunkline_router.link import Link
from trunkline_router.vitals import Vitals


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One server: what is configured of it, how it is reached, and how it is doing."""

    id: str
    entry: ServerEntry
    link: Link
    built_in: bool = False
    vitals: Vitals = field(default_factory=Vitals)


class Fleet(Mapping[str, Member]):
    """Every server by its id, in the order of the configuration."""

    def __init__(self, members: Mapping[str, Member]) -> None:
        self._members = dict(members)

    def __getitem__(self, server: str) -> Member:
        return self._members[server]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    async def close(self) -> None:
        """Let go of every server."""
        for member in self._members.values():
            await member.link.close()
