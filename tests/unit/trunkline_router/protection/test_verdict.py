"""What a call's end says about its server."""

import math

import pytest

from trunkline_router.model import (
    Call,
    Caller,
    Era,
    JsonRpcError,
    Outcome,
    Request,
    ToolSpec,
    Unheard,
)
from trunkline_router.protection.verdict import Verdict, of_error, of_failure, of_outcome
from trunkline_shared import meta, wire
from trunkline_shared.contracts import Policy
from trunkline_shared.errors import (
    BY_CODE,
    InternalError,
    NetworkError,
    Overloaded,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)


def call(
    *, waits: bool = False, depth: int = 0, wanted_ms: int | None = None, until: float = math.inf
) -> Call:
    """Return a call of a tool that asks for 30 s, and got what its caller left it."""
    told = {} if wanted_ms is None else {meta.DEADLINE_MS: wanted_ms}
    request = Request(
        id=1,
        method="tools/call",
        params={"_meta": told},
        era=Era.MODERN,
        channel=Unheard(),
        received=0.0,
    )
    timeout_s = 30.0 if wanted_ms is None else min(wanted_ms / 1000, 30.0)
    return Call(
        request=request,
        caller=Caller(subject="me", scopes=frozenset(), depth=depth, until=until),
        server="a",
        name="act",
        timeout_s=timeout_s,
        deadline=min(timeout_s + 2, until),
        tool=ToolSpec(
            exposed="act",
            name="act",
            server="a",
            definition={},
            policy=Policy(waits=waits),
            read_only=True,
            digest="",
        ),
    )


FAILURES = {"UPSTREAM_UNAVAILABLE", "NETWORK_ERROR", "INTERNAL_ERROR", "TIMEOUT"}
SILENT = {"CANCELLED", "CIRCUIT_OPEN", "OVERLOADED"}


@pytest.mark.parametrize("error", BY_CODE.values(), ids=lambda kind: kind.code)
def test_each_code_of_the_closed_set_has_its_verdict(error: type[TrunklineError]) -> None:
    """The server's own failures, what tells nothing, and answers like any other."""
    verdict = of_error(call(), error("x"))
    if error.code in FAILURES:
        assert verdict is Verdict.FAILED
    else:
        assert verdict is (Verdict.NOTHING if error.code in SILENT else Verdict.PASSED)


def test_a_failure_on_the_way_is_one_of_the_connection() -> None:
    """A server that says the same of its vendor was reached."""
    assert of_failure(call(), NetworkError("x")) is Verdict.UNREACHED
    assert of_failure(call(), UpstreamUnavailable("x")) is Verdict.FAILED
    assert of_failure(call(), Overloaded("x")) is Verdict.NOTHING
    assert of_error(call(), NetworkError("x")) is Verdict.FAILED


def test_a_timeout_counts_when_the_tool_had_its_time() -> None:
    """Not when the caller gave less, its token ended, or waiting is what the tool does."""
    late = UpstreamTimeout("x")
    assert of_failure(call(), late) is Verdict.FAILED
    assert of_failure(call(depth=1, wanted_ms=90_000), late) is Verdict.FAILED
    assert of_failure(call(depth=1, wanted_ms=500), late) is Verdict.NOTHING
    assert of_failure(call(until=5.0), late) is Verdict.NOTHING
    assert of_failure(call(waits=True), late) is Verdict.NOTHING
    assert of_failure(call(waits=True), InternalError("x")) is Verdict.FAILED


def test_answers_that_are_no_failure_of_ours() -> None:
    """Success, a foreign tool's error, a protocol error; -32603 is a server's own failure."""
    foreign = {"isError": True, "content": [{"type": "text", "text": "no such page"}]}
    assert (
        of_outcome(call(), Outcome(server="a", result={"content": []}), owned=True)
        is Verdict.PASSED
    )
    assert of_outcome(call(), Outcome(server="a", result=foreign), owned=True) is Verdict.PASSED
    invalid = JsonRpcError(code=-32602, message="no")
    assert of_outcome(call(), Outcome(server="a", error=invalid), owned=True) is Verdict.PASSED
    internal = JsonRpcError(code=-32603, message="oops")
    assert of_outcome(call(), Outcome(server="a", error=internal), owned=True) is Verdict.FAILED


@pytest.mark.parametrize(
    "told",
    [
        wire.to_result(UpstreamUnavailable("x", details={"failed": "agent"})),
        wire.to_result(UpstreamUnavailable("x")) | {"_meta": {meta.PASSED_ON: {"server": "b"}}},
    ],
)
def test_only_our_own_servers_are_believed_that_another_failed(told: dict[str, object]) -> None:
    """A foreign server that writes the same stays as guilty as it is."""
    outcome = Outcome(server="a", result=told)
    assert of_outcome(call(), outcome, owned=True) is Verdict.PASSED
    assert of_outcome(call(), outcome, owned=False) is Verdict.FAILED
