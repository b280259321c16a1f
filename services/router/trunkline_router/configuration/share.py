"""One worker's part of what is promised of the router as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_router.configuration.entries import Configuration, ServerEntry
from trunkline_shared.settings import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The part of the worker `number`, from 0, of so many; all of it where there is one."""

    number: int = 0
    of: int = 1

    def part(self, whole: int) -> int:
        """Return this worker's part; those of all workers are the whole together."""
        return whole // self.of + (self.number < whole % self.of)

    def of_servers(self, entries: Mapping[str, ServerEntry]) -> Mapping[str, ServerEntry]:
        """Return servers with this worker's slots and queue.

        Raises ConfigurationError for a server with fewer slots than there are workers.
        """
        if self.of == 1:
            return entries
        return {server: self._of_server(server, entry) for server, entry in entries.items()}

    def _of_server(self, server: str, entry: ServerEntry) -> ServerEntry:
        if entry.concurrency < self.of:
            raise ConfigurationError(
                f"servers.{server}.concurrency={entry.concurrency}: each of the workers needs a "
                f"slot of its own, and TRUNKLINE_WORKERS={self.of}. Raise it to {self.of}, or set "
                f"TRUNKLINE_WORKERS={entry.concurrency}."
            )
        return entry.model_copy(
            update={"concurrency": self.part(entry.concurrency), "queue": self.part(entry.queue)}
        )

    def of_configuration(self, configuration: Configuration) -> Configuration:
        """Return a configuration with this worker's memory, for answers and for traces."""
        if self.of == 1:
            return configuration
        router = configuration.router
        cache = router.cache.model_copy(
            update={"memory_bytes": self.part(router.cache.memory_bytes)}
        )
        traces = router.traces.model_copy(update={"kept": self.part(router.traces.kept)})
        own = router.model_copy(update={"cache": cache, "traces": traces})
        return configuration.model_copy(update={"router": own})
