"""All instruments read at one moment: what is the same for Prometheus and for a collector."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trunkline_router.cache.report import CacheReport
from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.measures import router as instruments
from trunkline_router.measures.instrument import Number, Reading
from trunkline_router.readings.of_cache import of_cache
from trunkline_router.readings.of_process import of_process
from trunkline_router.readings.of_quotas import of_quotas
from trunkline_router.readings.of_servers import Servers
from trunkline_router.telemetry.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """Reads everything anew each time: nothing is counted twice, and no call pays for it.

    `underway` is how many calls of agents are not answered yet; `audited` are the audit's records
    by what became of them, `dropped` are spans that no collector took.
    """

    cache: CacheReport
    servers: Servers
    telemetry: Telemetry
    underway: Callable[[], int]
    audited: Callable[[], dict[str, int]]
    dropped: Callable[[], int]

    def __call__(self) -> Sequence[Reading]:
        """Return all of them; what has been answered is in it."""
        self.telemetry.pending.tell()
        return list(self._all())

    def _all(self) -> Iterator[Reading]:
        yield Reading(instruments.BUILD, [Number((str(OWN_INFO["version"]),), 1)])
        yield from of_cache(self.cache)
        yield from self.servers.readings()
        yield from of_quotas(self.cache.quota(self.servers.protection.quota()))
        yield Reading(instruments.UNDERWAY, [Number((), self.underway())])
        audited = self.audited()
        yield Reading(
            instruments.AUDIT_LINES, [Number((what,), many) for what, many in audited.items()]
        )
        yield Reading(instruments.SPANS_DROPPED, [Number((), self.dropped())])
        yield from self.telemetry.operations.readings()
        yield from self.telemetry.sessions.readings()
        yield from of_process()
