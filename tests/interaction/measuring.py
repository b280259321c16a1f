"""What a router measures, as Prometheus reads it."""

from collections.abc import Sequence

from prometheus_client.openmetrics import parser
from prometheus_client.samples import Sample

from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh
from tests.interaction.wire import get

ACCEPT = {"Accept": "application/openmetrics-text; version=1.0.0"}
SERVED = "mcp_server_operation_duration_seconds"
SENT = "mcp_client_operation_duration_seconds"


async def measured(mesh: Mesh, bearer: str | None = None) -> Sequence[Sample]:
    """Return all samples, with their exemplars."""
    reply = await get(mesh.port, "/metrics", ACCEPT | bearing(bearer))
    assert reply.status == 200, reply.body
    families = parser.text_string_to_metric_families(reply.body.decode())  # type: ignore[no-untyped-call] # it has no types
    return [sample for family in families for sample in family.samples]


def total(samples: Sequence[Sample], name: str, **labels: str) -> float:
    """Return the sum of a metric's samples that have these labels."""
    wanted = labels.items()
    return sum(
        sample.value
        for sample in samples
        if sample.name == name and wanted <= sample.labels.items()
    )


def by(samples: Sequence[Sample], name: str, *labels: str) -> dict[tuple[str, ...], float]:
    """Return a metric's samples summed up by labels, without what is zero."""
    found: dict[tuple[str, ...], float] = {}
    for sample in samples:
        if sample.name == name and sample.value:
            key = tuple(sample.labels.get(label, "") for label in labels)
            found[key] = found.get(key, 0) + sample.value
    return found
