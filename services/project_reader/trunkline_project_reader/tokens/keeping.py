"""The grant that all processes of a mesh share: sealed, in the store, changed by one at a time."""

import logging
from dataclasses import dataclass, field

from trunkline_project_reader.tokens.configured import Renewable
from trunkline_project_reader.tokens.grant import Grant, newest, sealed, unsealed
from trunkline_shared.store.record_port import Record, Records

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldGrant:
    """The shared grant while this process holds it."""

    record: Record
    source: Renewable

    async def read(self) -> Grant | None:
        """Return what is kept, or None. Raises UpstreamUnavailable."""
        return _opened(await self.record.read(), self.source)

    async def write(self, grant: Grant) -> None:
        """Keep a grant; it is kept when this returns. Raises HoldLost or UpstreamUnavailable."""
        await self.record.write(sealed(grant, self.source))


async def kept_grant(records: Records, source: Renewable) -> Grant | None:
    """Return what is kept, without holding it. Raises UpstreamUnavailable."""
    return _opened(await records.read(source.key), source)


def _opened(value: bytes | None, source: Renewable) -> Grant | None:
    grant = unsealed(value, source)
    if value is not None and grant is None:
        log.warning(
            "the store's record %s cannot be read; the configured token is used", source.key
        )
    return grant


@dataclass(slots=True)
class GrantMemory:
    """The newest grant that this process knows, and whether the store has it too."""

    key: str = ""
    grant: Grant | None = field(default=None, repr=False)
    kept: bool = False

    def of(self, source: Renewable) -> Grant | None:
        """Return the newest grant made of a refresh token."""
        return self.grant if self.key == source.key else None

    def usable(self, source: Renewable) -> Grant | None:
        """Return it if it may be used: a grant that is not kept would be lost with the process."""
        return self.of(source) if self.kept else None

    def hold(self, source: Renewable, grant: Grant, *, kept: bool) -> None:
        """Remember a grant, unless a newer one is known already."""
        if newest([grant, self.of(source)]) is grant:
            self.key, self.grant, self.kept = source.key, grant, kept
