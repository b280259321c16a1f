"""One request to its answer, in the words of its era; every failure ends here."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from trunkline_router.attributes import AGENT, SERVER, SOURCE
from trunkline_router.core import Core
from trunkline_router.gates import RELAYED, authenticate, under
from trunkline_router.model import Era, Json, JsonRpcError, Outcome, Packed, Request
from trunkline_router.span import Span
from trunkline_router.subscriptions import LISTEN
from trunkline_router.telemetry.tokens import note_saved, note_tokens
from trunkline_router.tracing import Current, note_caller, request_span
from trunkline_router.wire.answer import Answer, refused, relayed_error, server_failure, success
from trunkline_router.wire.refusal import Refused
from trunkline_router.wire.result import note_of, text_bytes, with_note
from trunkline_shared import wire
from trunkline_shared.errors import TrunklineError

log = logging.getLogger(__name__)


class Dialect(Protocol):
    """What differs between the eras."""

    @property
    def era(self) -> Era: ...

    def check(self, request: Request, headers: Mapping[str, str]) -> None:
        """Raise Refused for a request that breaks the era's rules."""

    def own(self, request: Request) -> Json:
        """Answer what the router answers by itself. Raises Refused for an unknown method."""

    def shaped(self, request: Request, result: Json) -> Json:
        """Give a server's result the era's form. Raises TrunklineError when it has none."""

    def written(self, request: Request, packed: Packed, note: Json) -> tuple[bytes, ...]:
        """Return the pieces of an answer in the era's form whose result was written out before."""

    def reworded(self, request: Request, error: JsonRpcError) -> JsonRpcError:
        """Give a server's error the era's code."""


async def once(core: Core, dialect: Dialect, asked: Request, span: Span) -> Answer:
    """Answer a request that stands for itself. Raises Refused and TrunklineError."""
    caller = await authenticate(asked, core.tokens)
    note_caller(span, caller)
    request = under(asked, caller)
    if request.method not in RELAYED:
        if request.method == LISTEN and dialect.era is Era.MODERN:
            return success(request.id, await core.listened(request, caller))
        return success(request.id, dialect.own(request))
    outcome = await core.relayed(request, caller, span)
    return finished(dialect, request, outcome, span)


async def converse(
    core: Core,
    dialect: Dialect,
    request: Request,
    headers: Mapping[str, str],
    answering: "Answering" = once,
) -> Answer:
    """Answer a request, whatever happens."""
    span = request_span(core.recorder, request)
    try:
        with span, _ambient(span):
            try:
                dialect.check(request, headers)
                return await answering(core, dialect, request, span)
            except TrunklineError as error:
                _note_failure(request, error, span)
                raise
    except Refused as refusal:
        return refused(request.id, refusal, dialect.era)
    except TrunklineError as error:
        return _failure(dialect, request, error, span)
    except Exception as bug:  # noqa: BLE001 - the router's one last resort
        return server_failure(request.id, wire.unexpected(bug, doing="answering a request"))


def _ambient(span: Span) -> Current:
    # A line costs as much as a call: nobody pays for it who does not want it.
    return _Told(span) if log.isEnabledFor(logging.DEBUG) else Current(span)


class _Told(Current):
    """Says one line in the log when a request has ended, without its arguments."""

    def __exit__(self, *ended: object) -> None:
        kind, given = ended[0], self.span.attributes.get
        how = kind.__name__ if isinstance(kind, type) else given(SOURCE) or "answered"
        log.debug("%s for %s at %s: %s", self.span.name, given(AGENT), given(SERVER), how)
        super().__exit__(*ended)


def finished(dialect: Dialect, request: Request, outcome: Outcome, span: Span) -> Answer:
    """Give what a server answered the form of its client's era. Raises TrunklineError."""
    if outcome.error is not None:
        return relayed_error(request.id, dialect.reworded(request, outcome.error), dialect.era)
    if request.method != "tools/call":
        return success(request.id, dialect.shaped(request, outcome.result))
    note = note_of(outcome, span.trace)
    if outcome.packed is not None:
        _note_cost(span, request, outcome, outcome.packed.text_bytes)
        return Answer(pieces=dialect.written(request, outcome.packed, note))
    noted = with_note(outcome.result, note)
    _note_cost(span, request, outcome, text_bytes(noted))
    return success(request.id, dialect.shaped(request, noted))


def _note_cost(span: Span, request: Request, outcome: Outcome, text: int) -> None:
    # Counted for those alone who are told of it.
    if span.is_told:
        note_saved(span, outcome.left_out)
        note_tokens(span, request.params.get("arguments"), text)


def _note_failure(request: Request, error: TrunklineError, span: Span) -> None:
    # Before the span has ended: those who count may be told of it at once.
    if request.method == "tools/call":
        spent = text_bytes(wire.to_result(error))
        note_tokens(span, request.params.get("arguments"), spent)


def _failure(dialect: Dialect, request: Request, error: TrunklineError, span: Span) -> Answer:
    if request.method != "tools/call":
        return server_failure(request.id, error)
    server = str(span.attributes.get("trunkline.server", ""))
    failed = Outcome(server=server, result=wire.to_result(error))
    noted = with_note(failed.result, note_of(failed, span.trace))
    return success(request.id, dialect.shaped(request, noted))


Answering = Callable[[Core, Dialect, Request, Span], Awaitable[Answer]]
"""The answer to a request under its span; raises Refused and TrunklineError."""
