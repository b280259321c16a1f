"""One renewal at a time in this process: who comes while it runs waits for the same one."""

import asyncio
from contextvars import Context
from dataclasses import dataclass, field

from opentelemetry import context as otel
from opentelemetry import trace

from trunkline_project_reader.tokens.configured import Renewable
from trunkline_project_reader.tokens.grant import Grant
from trunkline_project_reader.tokens.renewal import Renewal
from trunkline_shared.deadline import remaining
from trunkline_shared.errors import TrunklineError, UpstreamTimeout
from trunkline_shared.wire import unexpected

PATIENCE_S = 30.0

Flight = asyncio.Task[Grant | TrunklineError]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flights:
    """Renewals that run on whoever of those who wait for them goes away."""

    renewal: Renewal
    tasks: asyncio.TaskGroup
    running: dict[str, Flight] = field(default_factory=dict)

    async def renewed(self, source: Renewable, refused: str) -> Grant:
        """Return a grant whose access token is not the `refused` one, within the deadline.

        Raises what the renewal raises, or UpstreamTimeout, after which it still goes on.
        """
        seconds = remaining(PATIENCE_S)
        flight = self.running.get(source.key) or self._begun(source, refused)
        try:
            async with asyncio.timeout(seconds):
                outcome = await asyncio.shield(flight)
        except TimeoutError:
            raise _too_late(seconds) from None
        if isinstance(outcome, TrunklineError):
            raise _again(outcome)
        return outcome

    async def close(self, within_s: float) -> None:
        """Wait for what is running, and end it after so many seconds."""
        if not self.running:
            return
        _, late = await asyncio.wait(self.running.values(), timeout=within_s)
        for flight in late:
            flight.cancel()

    def _begun(self, source: Renewable, refused: str) -> Flight:
        flight = self.tasks.create_task(self._fly(source, refused), context=_own_context())
        self.running[source.key] = flight
        return flight

    async def _fly(self, source: Renewable, refused: str) -> Grant | TrunklineError:
        try:
            return await self.renewal.run(source, refused)
        except TrunklineError as error:
            return error
        except Exception as bug:  # noqa: BLE001 - a bug here may fail the calls that wait, not the server
            return unexpected(bug, doing="renewing the Basecamp token")
        finally:
            self.running.pop(source.key, None)


def _own_context() -> Context:
    """Return a context with the caller's span and nothing else of it: its deadline is its own."""
    own = Context()
    span = trace.set_span_in_context(trace.get_current_span(), otel.Context())
    own.run(otel.attach, span)
    return own


def _again(error: TrunklineError) -> TrunklineError:
    """Return a failure for one of those who waited, whose own request was not sent.

    Each has one to change.
    """
    return type(error)(
        error.message,
        hint=error.hint,
        retryable=error.retryable,
        retry_after=error.retry_after,
        details={**error.details, "phase": "held"},
    )


def _too_late(seconds: float) -> UpstreamTimeout:
    return UpstreamTimeout(
        f"The Basecamp token was not renewed within {seconds:.3g} s; that goes on.",
        hint="Try again in a few seconds.",
        retry_after=2,
        details={"phase": "held", "reason": "renewal_running"},
    )
