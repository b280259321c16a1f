"""Instruments of what clients ask, after the OpenTelemetry conventions for MCP, and of its cost."""

from typing import Final

from trunkline_router.attributes import (
    ERROR,
    METHOD,
    OPERATION,
    PROMPT,
    SERVER,
    SOURCE,
    STATUS,
    TOOL,
    VERSION,
)
from trunkline_router.measures.instrument import Instrument, Kind

BOUNDS: Final = (
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0,
)  # fmt: skip
"""The conventions' buckets."""
_REQUEST = (
    METHOD,
    OPERATION,
    TOOL,
    PROMPT,
    ERROR,
    STATUS,
    "network.protocol.name",
    "network.transport",
)
_SESSION = (VERSION, "network.protocol.name", "network.transport", ERROR)

SERVED: Final = Instrument(
    name="mcp.server.operation.duration",
    kind=Kind.HISTOGRAM,
    unit="s",
    description="How long requests of clients took, from when they were read to their answer.",
    labels=(*_REQUEST, VERSION, SERVER, SOURCE),
    bounds=BOUNDS,
)
SENT: Final = Instrument(
    name="mcp.client.operation.duration",
    kind=Kind.HISTOGRAM,
    unit="s",
    description="How long requests to servers took, each attempt by itself.",
    labels=(*_REQUEST, "server.address", "server.port", SERVER),
    bounds=BOUNDS,
)
SERVER_SESSIONS: Final = Instrument(
    name="mcp.server.session.duration",
    kind=Kind.HISTOGRAM,
    unit="s",
    description="How long sessions of clients lasted that were ended; most clients leave without.",
    labels=_SESSION,
    bounds=BOUNDS,
)
CLIENT_SESSIONS: Final = Instrument(
    name="mcp.client.session.duration",
    kind=Kind.HISTOGRAM,
    unit="s",
    description="How long sessions lasted that the router held at servers of older revisions.",
    labels=(*_SESSION, SERVER),
    bounds=BOUNDS,
)
QUEUED: Final = Instrument(
    name="trunkline.server.queue.duration",
    kind=Kind.HISTOGRAM,
    unit="s",
    description="How long calls waited for a slot of their server; those that need not wait are"
    " not in it.",
    labels=("server", "error"),
    bounds=BOUNDS,
)
REFUSALS: Final = Instrument(
    name="trunkline.refusals",
    kind=Kind.COUNTER,
    unit="{request}",
    description="Requests that were answered with an error in the place of a server's answer, by"
    " its code.",
    labels=("server", "code"),
)
_WHOSE = ("agent", "server", "tool")
TOKENS_IN: Final = Instrument(
    name="trunkline.tokens.in",
    kind=Kind.COUNTER,
    unit="{token}",
    description="Tokens that agents wrote as arguments of calls, estimated at four bytes each.",
    labels=_WHOSE,
)
TOKENS_OUT: Final = Instrument(
    name="trunkline.tokens.out",
    kind=Kind.COUNTER,
    unit="{token}",
    description="Tokens of text that calls gave agents to read, estimated at four bytes each.",
    labels=_WHOSE,
)
TOKENS_SAVED: Final = Instrument(
    name="trunkline.tokens.saved",
    kind=Kind.COUNTER,
    unit="{token}",
    description="Tokens that answers spared agents, by why: fields left out, texts cut, logs"
    " trimmed; kept answers count each time.",
    labels=("reason",),
)
INSTRUMENTS: Final = (
    SERVED,
    SENT,
    SERVER_SESSIONS,
    CLIENT_SESSIONS,
    QUEUED,
    REFUSALS,
    TOKENS_IN,
    TOKENS_OUT,
    TOKENS_SAVED,
)
