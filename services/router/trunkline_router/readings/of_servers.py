"""What is known of the servers, as instruments read it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trunkline_router.fleet import Fleet, Member
from trunkline_router.measures import router as instruments
from trunkline_router.measures.instrument import Distribution, Instrument, Number, Reading
from trunkline_router.protection.breaker import State
from trunkline_router.protection.protection import Protection


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """The servers, and what protects them."""

    fleet: Fleet
    protection: Protection

    def readings(self) -> Iterator[Reading]:
        """Return how they do."""
        yield self._each(instruments.CALLS, lambda member: member.vitals.calls)
        yield self._each(instruments.FAILURES, lambda member: member.vitals.failures)
        yield Reading(instruments.ANSWERED, [_durations(member) for member in self.fleet.values()])
        yield self._each(instruments.AVAILABLE, self._is_available)
        yield self._each(instruments.IN_FLIGHT, lambda member: member.vitals.in_flight)
        queued = self.protection.bulkheads.queued
        yield self._each(instruments.QUEUED_NOW, lambda member: queued(member.id))
        yield self._states()
        yield self._transitions()

    def _each(self, instrument: Instrument, value: Callable[[Member], float]) -> Reading:
        members = self.fleet.values()
        return Reading(instrument, [Number((member.id,), value(member)) for member in members])

    def _is_available(self, member: Member) -> float:
        return float(member.vitals.available and self.protection.admits(member.id))

    def _states(self) -> Reading:
        breakers = self.protection.breakers
        return Reading(
            instruments.BREAKER_STATE,
            [
                Number((server, state.value), float(state is breakers.of(server).breaker.state))
                for server in self.fleet
                for state in State
            ],
        )

    def _transitions(self) -> Reading:
        known = self.protection.breakers.transitions
        return Reading(
            instruments.BREAKER_TRANSITIONS,
            [
                Number((server, state.value), known.get((server, state), 0))
                for server in self.fleet
                for state in State
            ],
        )


def _durations(member: Member) -> Distribution:
    vitals = member.vitals
    return Distribution((member.id,), (vitals.timed,), vitals.seconds, (None,))
