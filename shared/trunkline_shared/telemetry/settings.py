"""The variables that decide what is logged and where spans are sent."""

from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator

from trunkline_shared.settings import Settings

Protocol = Literal["grpc", "http/protobuf"]
_PROTOCOL_FIELDS = ("otlp_protocol", "otlp_traces_protocol")
_WEB = ("http://", "https://")
_DEFAULT: Protocol = "http/protobuf"
_QUEUE = 2048
_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"


class TelemetrySettings(Settings):
    """OpenTelemetry's own variables, as far as they are not the exporters', and ours.

    An empty variable counts as one that is not set.
    https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
    """

    log_level: str | None = None
    """`DEBUG` adds a line for each call and request; `WARNING` and `ERROR` leave lines out. `INFO`
    without it.
    """
    traces_url: str = ""
    """Where the router takes its servers' spans, such as `http://router:8470/v1/traces`; its own
    store then holds whole traces.
    """
    mesh_key: SecretStr | None = None
    otlp_endpoint: str = Field("", validation_alias=_ENDPOINT)
    """The collector that gets traces and metrics; none does without it."""
    otlp_traces_endpoint: str = Field("", validation_alias=_TRACES_ENDPOINT)
    """Another address for traces alone, with its path."""
    otlp_protocol: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_PROTOCOL")
    """`http/protobuf`, or `grpc`."""
    otlp_traces_protocol: str = Field("", validation_alias="OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
    """Another protocol for traces alone."""
    traces_exporter: str = Field("", validation_alias="OTEL_TRACES_EXPORTER")
    """`otlp`, or `none`: no traces are sent."""
    sdk_disabled: str = Field("", validation_alias="OTEL_SDK_DISABLED")
    """`true`: no traces and no histograms at all."""
    queue: int = Field(_QUEUE, gt=0, validation_alias="OTEL_BSP_MAX_QUEUE_SIZE")
    """How many spans may wait to be sent; more are lost, and counted."""
    sampler: str = Field("", validation_alias="OTEL_TRACES_SAMPLER")
    """Not heeded, which the log says: every call is recorded; sample in the collector."""

    @field_validator(*_PROTOCOL_FIELDS)
    @classmethod
    def _known_protocol(cls, value: str) -> str:
        chosen = value.strip()
        if chosen not in {"", "grpc", "http/protobuf"}:
            raise ValueError("spans are sent by grpc or http/protobuf; set it to one of these")
        return chosen

    @field_validator("queue", mode="before")
    @classmethod
    def _unset_queue(cls, value: object) -> object:
        return _QUEUE if value == "" else value

    @field_validator("traces_exporter")
    @classmethod
    def _known_exporter(cls, value: str) -> str:
        chosen = value.strip()
        if chosen not in {"", "none", "otlp"}:
            raise ValueError("traces are exported by otlp or not at all; set it to otlp or none")
        return chosen

    @field_validator("traces_url")
    @classmethod
    def _web_address(cls, value: str) -> str:
        chosen = value.strip()
        if chosen and not chosen.startswith(_WEB):
            raise ValueError(
                "this is no http or https URL; set it to the router's, like "
                "http://router:8470/v1/traces"
            )
        return chosen

    @model_validator(mode="after")
    def _reachable(self) -> "TelemetrySettings":
        address = self.otlp_traces_endpoint or self.otlp_endpoint
        if self.protocol != "grpc" and address and not address.strip().startswith(_WEB):
            variable = _TRACES_ENDPOINT if self.otlp_traces_endpoint else _ENDPOINT
            raise ValueError(
                f"{variable}={address!r} is no http or https URL, as http/protobuf needs: set it "
                "to something like http://collector:4318, or OTEL_EXPORTER_OTLP_PROTOCOL to grpc"
            )
        return self

    @property
    def is_on(self) -> bool:
        """Whether there are spans at all."""
        return self.sdk_disabled.strip().lower() != "true"

    @property
    def exports(self) -> bool:
        """Whether a collector gets the spans."""
        named = self.otlp_endpoint or self.otlp_traces_endpoint or self.traces_exporter == "otlp"
        return self.is_on and bool(named) and self.traces_exporter != "none"

    @property
    def protocol(self) -> Protocol:
        """How the collector is spoken to."""
        chosen = self.otlp_traces_protocol or self.otlp_protocol
        return "grpc" if chosen == "grpc" else _DEFAULT
