"""Readings as the OpenTelemetry SDK's data, for its exporters to encode."""

from collections.abc import Mapping
from typing import Final, cast

from opentelemetry.sdk.metrics import Exemplar as SdkExemplar
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from trunkline_router.measures.instrument import (
    Distribution,
    Exemplar,
    Instrument,
    Kind,
    Number,
    Reading,
)
from trunkline_router.measures.sender import Snapshot

_SCOPE = InstrumentationScope("trunkline_router")
_CUMULATIVE = AggregationTemporality.CUMULATIVE
_GAUGES = frozenset({Kind.GAUGE, Kind.INFO})
_UNTOLD: Final = cast("float", None)
"""The SDK's type asks for extremes; on the wire they are optional, and of little use since ever."""


def metrics_data(snapshot: Snapshot, resource: Resource) -> MetricsData:
    """Return readings as the SDK's data; instruments without any value are left out."""
    metrics = [_metric(reading, snapshot) for reading in snapshot.readings if reading.points]
    scope = ScopeMetrics(scope=_SCOPE, metrics=metrics, schema_url="")
    return MetricsData([ResourceMetrics(resource=resource, scope_metrics=[scope], schema_url="")])


def _metric(reading: Reading, snapshot: Snapshot) -> Metric:
    instrument = reading.instrument
    name = f"{instrument.name}.info" if instrument.kind is Kind.INFO else instrument.name
    return Metric(
        name=name,
        description=instrument.description,
        unit=instrument.unit,
        data=_data(reading, snapshot),
    )


def _data(reading: Reading, snapshot: Snapshot) -> Gauge | Histogram | Sum:
    instrument = reading.instrument
    if instrument.kind in {Kind.HISTOGRAM, Kind.SUMMARY}:
        spread = [one for one in reading.points if isinstance(one, Distribution)]
        return Histogram([_distribution(instrument, one, snapshot) for one in spread], _CUMULATIVE)
    points = [
        NumberDataPoint(
            attributes=_attributes(instrument, one.labels),
            start_time_unix_nano=_nano(snapshot.since),
            time_unix_nano=_nano(snapshot.at),
            value=one.value,
        )
        for one in reading.points
        if isinstance(one, Number)
    ]
    if instrument.kind in _GAUGES:
        return Gauge(points)
    return Sum(points, _CUMULATIVE, is_monotonic=instrument.kind is Kind.COUNTER)


def _distribution(
    instrument: Instrument, point: Distribution, snapshot: Snapshot
) -> HistogramDataPoint:
    return HistogramDataPoint(
        attributes=_attributes(instrument, point.labels),
        start_time_unix_nano=_nano(snapshot.since),
        time_unix_nano=_nano(snapshot.at),
        count=point.observed,
        sum=point.total,
        bucket_counts=point.counts,
        explicit_bounds=instrument.bounds,
        min=_UNTOLD,
        max=_UNTOLD,
        exemplars=[_exemplar(Exemplar(*one)) for one in point.exemplars if one is not None],
    )


def _exemplar(one: Exemplar) -> SdkExemplar:
    return SdkExemplar(
        filtered_attributes={},
        value=one.value,
        time_unix_nano=_nano(one.at),
        span_id=one.span_id,
        trace_id=one.trace_id,
    )


def _attributes(instrument: Instrument, labels: tuple[str, ...]) -> Mapping[str, str]:
    return {name: value for name, value in zip(instrument.labels, labels, strict=True) if value}


def _nano(seconds: float) -> int:
    return int(seconds * 1e9)
