"""Readings in the formats that Prometheus reads: its own, and OpenMetrics with exemplars."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.samples import Exemplar as Shown

from trunkline_router.measures.instrument import (
    Distribution,
    Exemplar,
    Instrument,
    Kind,
    Number,
    Reading,
)
from trunkline_router.measures.names import label_name, metric_name, unit_name

_Bucket = tuple[str, float] | tuple[str, float, Shown]


def families(readings: Sequence[Reading]) -> Iterator[Metric]:
    """Return readings as Prometheus' client writes them."""
    for reading in readings:
        yield _family(reading)


def _family(reading: Reading) -> Metric:
    instrument = reading.instrument
    name, told = metric_name(instrument), instrument.description
    labels = [label_name(label) for label in instrument.labels]
    numbers = [point for point in reading.points if isinstance(point, Number)]
    spread = [point for point in reading.points if isinstance(point, Distribution)]
    if instrument.kind is Kind.INFO:
        return _info(name, told, labels, numbers)
    if instrument.kind is Kind.HISTOGRAM:
        return _histogram(instrument, labels, spread)
    unit = _unit(instrument)
    if instrument.kind is Kind.SUMMARY:
        summary = SummaryMetricFamily(name, told, labels=labels, unit=unit)
        for point in spread:
            summary.add_metric(point.labels, point.observed, point.total)
        return summary
    kind = CounterMetricFamily if instrument.kind is Kind.COUNTER else GaugeMetricFamily
    family = kind(name, told, labels=labels, unit=unit)
    for number in numbers:
        family.add_metric(number.labels, number.value)
    return family


def _info(name: str, told: str, labels: Sequence[str], numbers: Sequence[Number]) -> Metric:
    info = InfoMetricFamily(name, told)
    for number in numbers:
        info.add_metric([], dict(zip(labels, number.labels, strict=True)))
    return info


def _histogram(
    instrument: Instrument, labels: Sequence[str], points: Sequence[Distribution]
) -> Metric:
    family = HistogramMetricFamily(
        metric_name(instrument), instrument.description, labels=labels, unit=_unit(instrument)
    )
    ends = [*(str(bound) for bound in instrument.bounds), "+Inf"]
    for point in points:
        below = accumulate(point.counts)
        buckets: list[_Bucket] = [
            (end, count) if exemplar is None else (end, count, _shown(Exemplar(*exemplar)))
            for end, count, exemplar in zip(ends, below, point.exemplars, strict=True)
        ]
        family.add_metric(point.labels, buckets, point.total)
    return family


def _shown(exemplar: Exemplar) -> Shown:
    ids = {"trace_id": f"{exemplar.trace_id:032x}", "span_id": f"{exemplar.span_id:016x}"}
    return Shown(ids, exemplar.value, exemplar.at)


def _unit(instrument: Instrument) -> str:
    """Return a unit as OpenMetrics wants it: the end of the name, or none."""
    unit = unit_name(instrument)
    return unit if metric_name(instrument).endswith(f"_{unit}") else ""
