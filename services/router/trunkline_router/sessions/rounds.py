"""`input_required` for clients that know requests from their server: each round asks, and retries.

Spec 2026-07-28, "Multi Round-Trip Requests"; 2025-11-25, "Elicitation", "Sampling", "Roots".
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from mcp_types.jsonrpc import METHOD_NOT_FOUND

from trunkline_router.core import Core
from trunkline_router.model import Caller, Channel, Json, Outcome, Request
from trunkline_router.sessions.client_capabilities import missing, worded
from trunkline_router.sessions.questions import Question, Questions
from trunkline_router.sessions.session import Session
from trunkline_router.span import Span
from trunkline_router.wire.event import as_event
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Cancelled, TrunklineError, Unsupported

_MOST_ROUNDS = 64
_MOST_QUESTIONS = 32
_PAUSE_S = 0.1
_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Respondent:
    """Who can be asked: a session's client, over the stream of one of its calls."""

    nonce: str
    client: Session
    channel: Channel
    able: bool

    @property
    def capabilities(self) -> Json:
        """What a server may ask for: nothing, where there is no way back."""
        return self.client.capabilities if self.able else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """Sends a request again with what the client has answered, until it is done.

    People may take `patience_s` seconds for each round. `on_given_up` hear of server and
    `requestState` when a call is not gone on with.
    """

    questions: Questions
    clock: Clock
    patience_s: float
    on_given_up: list[Callable[[str, str], None]] = field(default_factory=list)

    async def relayed(
        self, core: Core, request: Request, caller: Caller, span: Span, asked: Respondent
    ) -> Outcome:
        """Send a request to its server. Raises Refused and TrunklineError."""
        for number in range(_MOST_ROUNDS):
            outcome = await core.relayed(request, caller, span)
            if outcome.error is not None or outcome.result.get("resultType") != "input_required":
                return outcome
            span.attributes["trunkline.rounds"] = number + 1
            try:
                request = await self._next(request, outcome, caller, asked)
            except BaseException:
                self._give_up(outcome)
                raise
        raise Unsupported(f"The server asked {_MOST_ROUNDS} times and came to no end.")

    def _give_up(self, outcome: Outcome) -> None:
        state = outcome.result.get("requestState")
        for given_up in self.on_given_up if isinstance(state, str) else ():
            given_up(outcome.server, str(state))

    async def _next(
        self, request: Request, outcome: Outcome, caller: Caller, asked: Respondent
    ) -> Request:
        """Return the retry; the tool has its whole time again."""
        wanted = outcome.result.get("inputRequests")
        answers: Json = {}
        if isinstance(wanted, dict) and wanted:
            _check(wanted, outcome.server, asked)
            left_s = min(self.patience_s, caller.until - self.clock.monotonic())
            answers = await self._answers(wanted, asked, left_s)
        else:
            await self.clock.sleep(_PAUSE_S)
        params = {key: value for key, value in request.params.items() if key not in _OF_A_RETRY}
        if answers:
            params["inputResponses"] = answers
        if "requestState" in outcome.result:
            params["requestState"] = outcome.result["requestState"]
        return replace(request, params=params, received=self.clock.monotonic())

    async def _answers(self, wanted: Mapping[str, Json], asked: Respondent, left_s: float) -> Json:
        questions = {key: self.questions.opened(asked.nonce) for key in wanted}
        try:
            async with asyncio.timeout(left_s):
                for key, question in questions.items():
                    told = worded(wanted[key], question.id, asked.client.version)
                    await asked.channel.send(as_event(told))
                return {
                    key: _read(wanted[key], await question.answer)
                    for key, question in questions.items()
                }
        except TimeoutError:
            await _withdraw(questions.values(), asked.channel)
            raise Cancelled(
                f"Nobody answered the server's question within {left_s:.3g} s."
            ) from None
        finally:
            for question in questions.values():
                self.questions.close(question)


_OF_A_RETRY = frozenset({"inputResponses", "requestState"})


def _check(wanted: Mapping[str, object], server: str, asked: Respondent) -> None:
    """Raise Unsupported for anything that the client has not said it can."""
    if len(wanted) > _MOST_QUESTIONS:
        raise Unsupported(
            f"Server {server!r} asked for more than {_MOST_QUESTIONS} things at once."
        )
    for one in wanted.values():
        lacking = missing(one, asked.capabilities) if isinstance(one, dict) else "a request"
        if lacking is None:
            continue
        raise Unsupported(
            f"Server {server!r} needs {lacking} of the client, which "
            + ("has not declared it." if asked.able else "takes no event stream to be asked on."),
            hint="Use a client that declares it in initialize and accepts text/event-stream.",
            details={"capability": lacking},
        )


def _read(wanted: Json, body: Json) -> object:
    """Return a client's result. Raises TrunklineError for its error, which says why."""
    result, error = body.get("result"), body.get("error")
    if isinstance(result, dict):
        return result
    told = error if isinstance(error, dict) else {}
    code, message = told.get("code"), str(told.get("message", ""))[:_SHOWN]
    kind: type[TrunklineError] = Unsupported if code == METHOD_NOT_FOUND else Cancelled
    raise kind(
        f"The client answered {wanted.get('method')} with an error: {message}",
        details={"client_error": {"code": code, "message": message}},
    )


async def _withdraw(questions: Iterable[Question], channel: Channel) -> None:
    for question in questions:
        # Whoever gives up waiting for a future cancels it.
        if question.answer.cancelled() or not question.answer.done():
            params: Json = {"requestId": question.id, "reason": "Nobody waits for it any more."}
            method = "notifications/cancelled"
            await channel.send(as_event({"jsonrpc": "2.0", "method": method, "params": params}))
