"""The process as its system knows it; nothing where the system does not tell."""

from collections.abc import Iterator

from prometheus_client import ProcessCollector

from trunkline_router.measures.instrument import Number, Reading
from trunkline_router.measures.names import metric_name
from trunkline_router.measures.process import INSTRUMENTS

_COLLECTOR = ProcessCollector(registry=None)


def of_process() -> Iterator[Reading]:
    """Return what the process uses."""
    known = {family.name: family.samples for family in _COLLECTOR.collect()}
    for instrument in INSTRUMENTS:
        found = known.get(metric_name(instrument), ())
        yield Reading(instrument, [Number((), sample.value) for sample in found])
