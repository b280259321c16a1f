"""The OpenTelemetry variables that say whether metrics are sent, and how often."""

from typing import Literal

from pydantic import Field, field_validator

from trunkline_shared.settings import Settings

Protocol = Literal["grpc", "http/protobuf"]
_EXPORTERS = frozenset({"", "none", "otlp"})


class MetricsExport(Settings):
    """What of it is not the exporter's own to read.

    An empty variable counts as one that is not set.
    https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
    """

    endpoint: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    metrics_endpoint: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")
    """Another address for metrics alone, with its path."""
    general_protocol: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_PROTOCOL")
    metrics_protocol: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_METRICS_PROTOCOL")
    """Another protocol for metrics alone."""
    exporter: str = Field("", validation_alias="OTEL_METRICS_EXPORTER")
    """`otlp`, or `none`: no metrics are sent."""
    disabled: str = Field("", validation_alias="OTEL_SDK_DISABLED")
    interval_ms: float = Field(
        60_000, gt=0, allow_inf_nan=False, validation_alias="OTEL_METRIC_EXPORT_INTERVAL"
    )
    """How often metrics are sent; milliseconds."""

    @field_validator("interval_ms", mode="before")
    @classmethod
    def _unset(cls, value: object) -> object:
        return 60_000 if value == "" else value

    @field_validator("exporter")
    @classmethod
    def _known(cls, value: str) -> str:
        chosen = value.strip()
        if chosen not in _EXPORTERS:
            raise ValueError("metrics are exported by otlp or not at all; set it to otlp or none")
        return chosen

    @field_validator("metrics_protocol")
    @classmethod
    def _spoken(cls, value: str) -> str:
        chosen = value.strip()
        if chosen not in {"", "grpc", "http/protobuf"}:
            raise ValueError("metrics are sent by grpc or http/protobuf; set it to one of these")
        return chosen

    @property
    def wanted(self) -> bool:
        """Whether a collector gets the metrics."""
        named = self.endpoint or self.metrics_endpoint or self.exporter == "otlp"
        is_on = self.disabled.strip().lower() != "true"
        return is_on and bool(named) and self.exporter != "none"

    @property
    def protocol(self) -> Protocol:
        """How the collector is spoken to."""
        chosen = self.metrics_protocol or self.general_protocol.strip()
        return "grpc" if chosen == "grpc" else "http/protobuf"
