"""Counts spans that have ended: a few dictionary look-ups for each, whatever they say."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import (
    AGENT,
    ERROR,
    METHOD,
    PROMPT,
    SAVED_BY,
    SERVER,
    SOURCE,
    STATUS,
    TOKENS_IN,
    TOKENS_OUT,
    TOKENS_SAVED,
    TOOL,
    VERSION,
)
from trunkline_router.measures import operations as instruments
from trunkline_router.measures.instrument import Number, Reading
from trunkline_router.span import Attribute, Span
from trunkline_router.telemetry import labels
from trunkline_router.telemetry.calls import SPARED
from trunkline_router.telemetry.cells import Count, Spent, Timed
from trunkline_router.telemetry.label_sets import LabelSets

Key = tuple[Attribute | None, ...]
_QUEUE = "queue"
_ASKED = len(labels.Asked._fields)
_HTTP = ("http", "tcp")
_PIPE = ("", "pipe")
_REMEMBERED = 10_000


class _Served(NamedTuple):
    """Where a client's request counts; `kept` says that no server was asked for its answer."""

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
        self._unspent = Spent()
        self._saved = dict.fromkeys(SAVED_BY, 0)
        self._known_served: dict[Key, _Served] = {}
        self._known_sent: dict[Key, Timed] = {}

    def __call__(self, spans: Sequence[Span]) -> None:
        """Count spans that have ended."""
        for span in spans:
            if METHOD not in span.attributes:
                self._other(span)
            elif span.kind is SpanKind.SERVER:
                self._serve(span)
            elif span.kind is SpanKind.CLIENT:
                self._send(span)

    def _serve(self, span: Span) -> None:
        given = span.attributes.get
        key = (
            given(METHOD), given(TOOL), given(PROMPT), given(SERVER), given(ERROR),
            given(STATUS), given(SOURCE), given(VERSION), given(AGENT),
        )  # fmt: skip
        served = self._known_served.get(key) or self._found_served(key)
        served.timed.took(span)
        if served.refused is not None:
            served.refused.value += 1
        read = given(TOKENS_OUT)
        if read is not None:
            spent = served.spent
            spent.calls += 1
            spent.given += int(given(TOKENS_IN, 0))
            spent.read += int(read)
            if served.kept:
                spent.kept += int(read)
            if TOKENS_SAVED in span.attributes:
                self._save(span)

    def _found_served(self, key: Key) -> _Served:
        asked = self._names.asked(key[:_ASKED])
        source, version = labels.source(key[_ASKED]), labels.version(key[_ASKED + 1])
        agent = self._names.agent(key[_ASKED + 2])
        refusal = "" if source else labels.refusal_of(asked.error, asked.status)
        spends = asked.method == labels.CALL
        served = _Served(
            timed=self._served.of((*asked.request, *_HTTP, version, asked.server, source)),
            spent=self._spent.of((agent, asked.server, asked.tool)) if spends else self._unspent,
            refused=self._refused.of((asked.server, refusal)) if refusal else None,
            kept=source in SPARED,
        )
        shown = (*asked, source, version, agent)
        if _is_clean(key, shown) and len(self._known_served) < _REMEMBERED:
            self._known_served[key] = served
        return served

    def _send(self, span: Span) -> None:
        given = span.attributes.get
        key = (
            given(METHOD), given(TOOL), given(PROMPT), given(SERVER), given(ERROR),
            given(STATUS), given("server.address"), given("server.port"),
        )  # fmt: skip
        timed = self._known_sent.get(key) or self._found_sent(key)
        timed.took(span)

    def _found_sent(self, key: Key) -> Timed:
        asked = self._names.asked(key[:_ASKED])
        address, port = (self._names.place(one) for one in key[_ASKED:])
        over = _HTTP if address else _PIPE
        timed = self._sent.of((
            *asked.request,
            *over,
            address,
            port if address else "",
            asked.server,
        ))
        if _is_clean(key, (*asked, address, port)) and len(self._known_sent) < _REMEMBERED:
            self._known_sent[key] = timed
        return timed

    def _other(self, span: Span) -> None:
        """Count what is no request of MCP: who was refused at the door, who waited in a queue."""
        given = span.attributes.get
        if span.name == _QUEUE:
            waited = (self._names.server(given(SERVER)), labels.error_type(given(ERROR)))
            self._queued.of(waited).took(span)
        elif span.kind is SpanKind.SERVER and ERROR in span.attributes:
            self._refused.of(("", f"HTTP_{labels.error_type(given(ERROR))}")).value += 1

    def _save(self, span: Span) -> None:
        for reason, attribute in SAVED_BY.items():
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
        yield Reading(instruments.REFUSALS, [Number(at, cell.value) for at, cell in self._refused])
        spent = [(at, cell) for at, cell in self._spent if cell.calls]
        given, read = instruments.TOKENS_IN, instruments.TOKENS_OUT
        yield Reading(given, [Number(at, cell.given) for at, cell in spent])
        yield Reading(read, [Number(at, cell.read) for at, cell in spent])
        yield Reading(
            instruments.TOKENS_SAVED,
            [Number((reason,), count) for reason, count in self._saved.items()],
        )


def _is_clean(key: Key, shown: tuple[str, ...]) -> bool:
    """Say whether labels show what a span said, so that there are no more keys than label sets."""
    return all(said is None or str(said) == label for said, label in zip(key, shown, strict=True))
