"""Instruments of the router itself: its cache, its servers, their quotas, its process."""

from typing import Final

from trunkline_router.measures.instrument import Instrument, Kind

_COUNTED: Final = {
    "misses": "Reads that were asked of their server.",
    "coalesced": "Reads answered by one that was underway.",
    "stale": "Reads answered by what was over, since no better was to be had.",
    "passed": "Reads passed on since what is current could not be told.",
    "stores": "Answers that were kept.",
    "bumps": "Times that tags were bumped by this router.",
    "saved_calls": "Calls that their server was not asked.",
    "saved_quota": "Requests that vendors were not asked.",
    "confirmed": "Requests that vendors confirmed by a 304, which cost nothing.",
}
_STANDING: Final = {
    "on": "Whether anything that is kept may be used.",
    "routers": "Routers that share what is kept, this one included.",
    "silent_routers": "Routers that share what is kept, and are not heard.",
    "entries": "Answers that are kept in the process.",
    "in_flight": "Reads underway that others may join.",
}
_BYTES: Final = {
    "bytes": "Bytes that kept answers take in the process.",
    "limit_bytes": "Bytes that kept answers may take in the process.",
}

BUILD: Final = Instrument(
    name="trunkline.build", kind=Kind.INFO, description="The router that runs.", labels=("version",)
)
HITS: Final = Instrument(
    name="trunkline.cache.hits",
    kind=Kind.COUNTER,
    unit="{read}",
    description="Reads answered by what was kept, by where.",
    labels=("tier",),
)
CACHE_COUNTERS: Final = {
    key: Instrument(name=f"trunkline.cache.{key}", kind=Kind.COUNTER, description=told)
    for key, told in _COUNTED.items()
}
CACHE_GAUGES: Final = {
    key: Instrument(name=f"trunkline.cache.{key}", kind=Kind.GAUGE, description=told, unit=unit)
    for unit, group in (("", _STANDING), ("By", _BYTES))
    for key, told in group.items()
}


def _of_server(key: str, kind: Kind, description: str, *more: str, unit: str = "") -> Instrument:
    return Instrument(
        name=f"trunkline.server.{key}",
        kind=kind,
        description=description,
        unit=unit,
        labels=("server", *more),
    )


CALLS: Final = _of_server("calls", Kind.COUNTER, "Calls that were sent to a server.", unit="{call}")
FAILURES: Final = _of_server(
    "failures",
    Kind.COUNTER,
    "Calls that a server did not answer: not reached, too late, or broken off.",
    unit="{call}",
)
ANSWERED: Final = _of_server(
    "duration", Kind.SUMMARY, "How long a server's answers took.", unit="s"
)
AVAILABLE: Final = _of_server(
    "available", Kind.GAUGE, "Whether a server answers, and calls reach it."
)
IN_FLIGHT: Final = _of_server(
    "in_flight", Kind.UP_DOWN_COUNTER, "Calls that a server is answering.", unit="{call}"
)
QUEUED_NOW: Final = _of_server(
    "queued", Kind.UP_DOWN_COUNTER, "Calls that wait for a slot of a server.", unit="{call}"
)
BREAKER_STATE: Final = _of_server(
    "breaker_state", Kind.GAUGE, "1 for the state that a server's breaker is in.", "state"
)
BREAKER_TRANSITIONS: Final = _of_server(
    "breaker_transitions",
    Kind.COUNTER,
    "Changes of the state of a server's breaker, by the new one.",
    "state",
    unit="{transition}",
)
QUOTA_REMAINING: Final = Instrument(
    name="trunkline.quota.remaining",
    kind=Kind.GAUGE,
    unit="{request}",
    description="Requests that a vendor still takes of a credential, by its fingerprint.",
    labels=("credential", "resource"),
)
QUOTA_LIMIT: Final = Instrument(
    name="trunkline.quota.limit",
    kind=Kind.GAUGE,
    unit="{request}",
    description="Requests that a vendor takes of a credential in all.",
    labels=("credential", "resource"),
)
UNDERWAY: Final = Instrument(
    name="trunkline.calls.in_flight",
    kind=Kind.UP_DOWN_COUNTER,
    unit="{call}",
    description="Calls of agents that are not answered yet.",
)
AUDIT_LINES: Final = Instrument(
    name="trunkline.audit.records",
    kind=Kind.COUNTER,
    unit="{record}",
    description="Records of writes for the audit log, by what became of them.",
    labels=("outcome",),
)
SPANS_DROPPED: Final = Instrument(
    name="trunkline.spans.dropped",
    kind=Kind.COUNTER,
    unit="{span}",
    description="Spans that the collector did not take in time.",
)
INSTRUMENTS: Final = (
    BUILD,
    HITS,
    *CACHE_COUNTERS.values(),
    *CACHE_GAUGES.values(),
    CALLS,
    FAILURES,
    ANSWERED,
    AVAILABLE,
    IN_FLIGHT,
    QUEUED_NOW,
    BREAKER_STATE,
    BREAKER_TRANSITIONS,
    QUOTA_REMAINING,
    QUOTA_LIMIT,
    UNDERWAY,
    AUDIT_LINES,
    SPANS_DROPPED,
)
