"""The router as it is started for a team: a program with its settings, of one worker or more."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from bench.answers import KEPT
from bench.processes import Subject, listening
from bench.readiness import free_port
from bench.subjects import configuration
from trunkline_router.configuration.settings import RouterSettings


def has_workers() -> bool:
    """Return whether this router knows of workers at all."""
    return "workers" in RouterSettings.model_fields


@contextmanager
def workers(number: int, upstream: str, redis: str) -> Iterator[Subject]:
    """Run a router of `number` workers that share a Redis, traced, in front of the upstream."""
    port = free_port()
    with tempfile.NamedTemporaryFile("wb", suffix=".yaml") as file:
        file.write(configuration(upstream, KEPT))
        file.flush()
        variables = {
            "TRUNKLINE_WORKERS": str(number),
            "TRUNKLINE_REDIS_URL": redis,
            "TRUNKLINE_CONFIG": file.name,
            "TRUNKLINE_SERVERS": "bench",
            "TRUNKLINE_PORT": str(port),
            "TRUNKLINE_LOG_LEVEL": "WARNING",
            "TRUNKLINE_SECRET": "of-no-use-elsewhere-but-long-enough",
        }
        command = [sys.executable, "-m", "trunkline_router"]
        with listening("router", command, port, variables) as subject:
            yield subject
