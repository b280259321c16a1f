"""What a call's end says about its server: it did its part, it failed, or nothing."""

from enum import Enum

from mcp_types.jsonrpc import INTERNAL_ERROR

from trunkline_router.model import Call, Outcome
from trunkline_router.protection.breaker import Cause
from trunkline_shared import meta, wire
from trunkline_shared.errors import (
    BY_AGENT,
    FAILED,
    Cancelled,
    InternalError,
    MeshError,
    NetworkError,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)


class Verdict(Enum):
    """What is held against a server, or for it."""

    PASSED = "passed"
    UNREACHED = Cause.CONNECTION
    FAILED = Cause.ANSWER
    NOTHING = "nothing"


_FAILURES = (InternalError, NetworkError, UpstreamUnavailable)
_TELLS_NOTHING = (Cancelled, MeshError)


def of_outcome(call: Call, outcome: Outcome, *, owned: bool) -> Verdict:
    """Judge an answer: an error that the server takes on itself is its failure.

    `owned` says whether the server is one of the mesh's own. Of calls only: the SDK's servers
    answer with the same code to a prompt's missing argument and to a resource that cannot be read,
    which is no reason to shut them for everybody.
    """
    if outcome.error is not None:
        broken = outcome.error.code == INTERNAL_ERROR and call.request.method == "tools/call"
        return Verdict.FAILED if broken else Verdict.PASSED
    if outcome.result.get("isError") is not True:
        return Verdict.PASSED
    told = own_failure(outcome, owned=owned)
    return Verdict.PASSED if told is None else of_error(call, told)


def own_failure(outcome: Outcome, *, owned: bool) -> TrunklineError | None:
    """Return the failure that a server tells of itself or of its vendor.

    What it passes on of another server is judged there, and what an agent failed at, or the
    agent's model, says nothing of the server that ran it. Only the mesh's own servers are believed
    that it was somebody else: a foreign one could talk its way out of its breaker.
    """
    told = wire.from_result(outcome.result)
    if told is None or not owned:
        return told
    noted = outcome.result.get("_meta")
    is_passed_on = isinstance(noted, dict) and meta.PASSED_ON in noted
    return None if is_passed_on or told.details.get(FAILED) == BY_AGENT else told


def of_error(call: Call, error: TrunklineError) -> Verdict:
    """Judge a failure that the server told of, or that was met on the way to it.

    What the caller caused, and what only a credential is to blame for, is an answer like any
    other. A timeout says nothing where the caller gave less time than the tool asks for, or where
    waiting is what the tool does.
    """
    if isinstance(error, _TELLS_NOTHING):
        return Verdict.NOTHING
    if isinstance(error, UpstreamTimeout):
        return Verdict.FAILED if _had_its_time(call) else Verdict.NOTHING
    return Verdict.FAILED if isinstance(error, _FAILURES) else Verdict.PASSED


def of_failure(call: Call, error: TrunklineError) -> Verdict:
    """Judge a failure of the exchange itself."""
    return Verdict.UNREACHED if isinstance(error, NetworkError) else of_error(call, error)


def _had_its_time(call: Call) -> bool:
    """Say whether the tool was given the time that it asks for."""
    if call.tool is not None and call.tool.policy.waits:
        return False
    wanted = call.request.meta.get(meta.DEADLINE_MS) if call.caller.depth else None
    is_shortened = isinstance(wanted, int | float) and wanted / 1000 <= call.timeout_s
    return not is_shortened and call.deadline < call.caller.until
