"""Counts spans that have ended: a few dictionary look-ups for each, whatever they say."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from opentelemetry.trace import SpanKind

from trunkline_router import tracing
from trunkline_router.measures import operations as instruments
from trunkline_router.measures.instrument import Instrument, Number, Reading
from trunkline_router.span import Attribute, Span
from trunkline_router.telemetry import labels
from trunkline_router.telemetry.cells import Count, Spent, Timed
from trunkline_router.telemetry.label_sets import LabelSets

Key = tuple[Attribute | None, ...]
_METHOD, _TOOL, _PROMPT = "mcp.method.name", "gen_ai.tool.name", "gen_ai.prompt.name"
_ERROR, _STATUS = "error.type", "rpc.response.status_code"
_VERSION = "mcp.protocol.version"
_SERVER, _SOURCE, _AGENT = tracing.SERVER, tracing.SOURCE, tracing.AGENT
_IN, _OUT, _SAVED = tracing.TOKENS_IN, tracing.TOKENS_OUT, tracing.TOKENS_SAVED
_QUEUE = "queue"
_HTTP = ("http", "tcp")
_PIPE = ("", "pipe")
_REMEMBERED = 10_000
_WITHOUT_SERVER = frozenset({"cache", "coalesced", "stale"})


class _Served(NamedTuple):
    """Where a client's request counts; `spent` only for calls that were answered with a result."""

    timed: Timed
    spent: Spent
    refused: Count | None
    kept: bool


class Operations:
    """Makes histograms and counters of spans; a consumer of them.

    What a label set is found by is remembered, so that only the first request of its kind pays
    for finding it. What had to be called `_OTHER` is never remembered: there is no end to it.
    """

    def __init__(self) -> None:
        self._names = labels.Names()
        self._served: LabelSets[Timed] = LabelSets(Timed)
        self._sent: LabelSets[Timed] = LabelSets(Timed)
        self._queued: LabelSets[Timed] = LabelSets(Timed)
        self._refused: LabelSets[Count] = LabelSets(Count)
        self._spent: LabelSets[Spent] = LabelSets(Spent)
        self._saved = dict.fromkeys(tracing.SAVED_BY, 0)
        self._known_served: dict[Key, _Served] = {}
        self._known_sent: dict[Key, Timed] = {}

    def __call__(self, spans: Sequence[Span]) -> None:
        """Count spans that have ended."""
        for span in spans:
            if _METHOD not in span.attributes:
                self._other(span)
            elif span.kind is SpanKind.SERVER:
                self._serve(span)
            elif span.kind is SpanKind.CLIENT:
                self._send(span)

    def _serve(self, span: Span) -> None:
        given = span.attributes.get
        key = (
            given(_METHOD), given(_TOOL), given(_SERVER), given(_SOURCE), given(_ERROR),
            given(_STATUS), given(_VERSION), given(_AGENT), given(_PROMPT),
        )  # fmt: skip
        served = self._known_served.get(key) or self._found_served(key)
        served.timed.took(span)
        if served.refused is not None:
            served.refused.value += 1
        read = given(_OUT)
        if read is not None:
            spent = served.spent
            spent.calls += 1
            spent.given += int(given(_IN, 0))
            spent.read += int(read)
            if served.kept:
                spent.kept += int(read)
            if _SAVED in span.attributes:
                self._save(span)

    def _found_served(self, key: Key) -> _Served:
        method, tool, server, source, error, status, version, agent, prompt = key
        names = self._names
        to = names.server(server)
        called = names.target(tool, server)
        failed, code = labels.error_type(error), labels.status_code(status)
        asked = names.request(str(method), called, names.target(prompt, server))
        came = labels.source(source)
        spoken, by = labels.version(version), names.agent(agent)
        refusal = "" if came else labels.refusal_of(failed, code)
        served = _Served(
            timed=self._served.of((*asked, failed, code, *_HTTP, spoken, to, came)),
            spent=self._spent.of((by, to, called)),
            refused=self._refused.of((to, refusal)) if refusal else None,
            kept=came in _WITHOUT_SERVER,
        )
        shown = (asked[0], called, to, came, failed, code, spoken, by, asked[3])
        if _is_clean(key, shown) and len(self._known_served) < _REMEMBERED:
            self._known_served[key] = served
        return served

    def _send(self, span: Span) -> None:
        given = span.attributes.get
        key = (
            given(_METHOD), given(_TOOL), given(_SERVER), given(_ERROR), given(_STATUS),
            given(_PROMPT), given("server.address"), given("server.port"),
        )  # fmt: skip
        timed = self._known_sent.get(key) or self._found_sent(key)
        timed.took(span)

    def _found_sent(self, key: Key) -> Timed:
        method, tool, server, error, status, prompt, address, port = key
        names = self._names
        called, to = names.target(tool, server), names.server(server)
        failed, code = labels.error_type(error), labels.status_code(status)
        asked = names.request(str(method), called, names.target(prompt, server))
        at, number = names.server(address), names.server(port or None)
        over = _HTTP if at else _PIPE
        timed = self._sent.of((*asked, failed, code, *over, at, number, to))
        shown = (asked[0], called, to, failed, code, asked[3], at, number or "0")
        if _is_clean(key, shown) and len(self._known_sent) < _REMEMBERED:
            self._known_sent[key] = timed
        return timed

    def _other(self, span: Span) -> None:
        """Count what is no request of MCP: who was refused at the door, who waited in a queue."""
        given = span.attributes.get
        if span.name == _QUEUE:
            waited = (self._names.server(given(_SERVER)), labels.error_type(given(_ERROR)))
            self._queued.of(waited).took(span)
        elif span.kind is SpanKind.SERVER and _ERROR in span.attributes:
            self._refused.of(("", f"HTTP_{labels.error_type(given(_ERROR))}")).value += 1

    def _save(self, span: Span) -> None:
        for reason, attribute in tracing.SAVED_BY.items():
            self._saved[reason] += int(span.attributes.get(attribute, 0))

    @property
    def spent(self) -> Iterable[tuple[tuple[str, ...], Spent]]:
        """What calls have cost, by agent, server and tool."""
        return self._spent

    @property
    def saved(self) -> dict[str, int]:
        """Tokens that answers spared agents, by why."""
        return dict(self._saved)

    def readings(self) -> Iterator[Reading]:
        """Return all that has been counted, as it is now."""
        for instrument, timed in (
            (instruments.SERVED, self._served),
            (instruments.SENT, self._sent),
            (instruments.QUEUED, self._queued),
        ):
            yield Reading(instrument, [cell.read(at) for at, cell in timed])
        yield Reading(
            instruments.REFUSALS, [Number(at, cell.value) for at, cell in self._refused]
        )
        yield self._tokens(instruments.TOKENS_IN, "given")
        yield self._tokens(instruments.TOKENS_OUT, "read")
        yield Reading(
            instruments.TOKENS_SAVED,
            [Number((reason,), count) for reason, count in self._saved.items()],
        )

    def _tokens(self, instrument: Instrument, what: str) -> Reading:
        return Reading(
            instrument, [Number(at, getattr(cell, what)) for at, cell in self._spent if cell.calls]
        )


def _is_clean(key: Key, shown: tuple[str, ...]) -> bool:
    """Say whether labels show what a span said, so that there are no more keys than label sets."""
    return all(
        said is None or str(said) == label for said, label in zip(key, shown, strict=True)
    )
