"""The names by which Prometheus knows an instrument of OpenTelemetry.

OpenTelemetry, "Prometheus and OpenMetrics Compatibility": dots become underscores, units are
written out at the end, counters end in `_total` (which the encoder adds).
"""

import re

from trunkline_router.measures.instrument import Instrument, Kind

_UNITS = {"s": "seconds", "By": "bytes"}
_OTHERS = re.compile(r"[^a-zA-Z0-9_]+")


def metric_name(instrument: Instrument) -> str:
    """Return a metric family's name, without what its kind adds to samples."""
    if instrument.habit:
        return instrument.habit
    name = label_name(instrument.name)
    unit = unit_name(instrument)
    return name if not unit or name.endswith(f"_{unit}") else f"{name}_{unit}"


def unit_name(instrument: Instrument) -> str:
    """Return a unit written out; empty for what is only counted."""
    return _UNITS.get(instrument.unit, "")


def label_name(name: str) -> str:
    """Return an attribute's name as a label."""
    return _OTHERS.sub("_", name)


def sample_name(instrument: Instrument) -> str:
    """Return the name by which somebody asks Prometheus for it."""
    suffix = {Kind.COUNTER: "_total", Kind.INFO: "_info"}.get(instrument.kind, "")
    return metric_name(instrument) + suffix
