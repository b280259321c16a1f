"""What a program reads of answers, and what it may give as an address."""

import pytest
from pydantic import JsonValue

from trunkline_shared.client import MeshClient, WorkContext
from trunkline_shared.client.entry import checked_server
from trunkline_shared.client.job_token import JobToken, job_token
from trunkline_shared.client.queries import query_seconds
from trunkline_shared.client.standing import availability
from trunkline_shared.client.tool_result import tool_result
from trunkline_shared.errors import (
    AuthError,
    InvalidInput,
    PermissionDenied,
    TrunklineError,
    Unsupported,
    UpstreamUnavailable,
)
from trunkline_shared.mesh.states import ServerState

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("bridge.client-calls")
def test_a_result_of_any_server_is_read() -> None:
    """Without structure, with pictures, without a note, with what is not known yet."""
    picture: dict[str, JsonValue] = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    text: dict[str, JsonValue] = {"type": "text", "text": "two"}
    found = tool_result(
        "x", {"content": [{"type": "text", "text": "one"}, picture, text], "new": 1}
    )
    assert (found.text, found.structured) == ("one\ntwo", None)
    assert found.content[1] == picture
    assert found.note.server is None


@pytest.mark.requirement("bridge.client-errors")
@pytest.mark.parametrize(
    "result",
    [
        {"content": "text"},
        {"content": [1]},
        {"structuredContent": [1]},
        {"_meta": {"dev.trunkline/call": {"age_ms": "old"}}},
    ],
)
def test_what_is_no_result_is_not_for_repeating(result: dict[str, object]) -> None:
    """It would come again; what stood in it is not told."""
    with pytest.raises(UpstreamUnavailable, match="not known here") as refused:
        tool_result("x", result)
    assert not refused.value.retryable


@pytest.mark.requirement("bridge.client-errors")
def test_a_question_to_the_caller_and_a_strangers_failure_are_errors() -> None:
    """A program answers no questions; a failure that is not ours keeps its text."""
    with pytest.raises(Unsupported, match="asks its caller"):
        tool_result("x", {"resultType": "input_required", "inputRequests": {}})
    with pytest.raises(UpstreamUnavailable, match="x failed: boom"):
        tool_result("x", {"isError": True, "content": [{"type": "text", "text": "boom"}]})


@pytest.mark.requirement("bridge.client-contexts")
@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, AuthError), (403, PermissionDenied), (400, InvalidInput), (413, InvalidInput)],
)
def test_a_token_that_is_not_given_says_why(status: int, kind: type[TrunklineError]) -> None:
    """What is wrong, at which key, and what to send."""
    body = {"error": "No.", "fix": "Send less.", "key": "ttl_s", "value": 0}
    with pytest.raises(kind, match=r"No\.") as refused:
        job_token(status, body)
    assert refused.value.hint == "Send less."
    assert refused.value.details == {"key": "ttl_s", "value": 0}


@pytest.mark.requirement("bridge.client-tokens")
def test_a_minted_token_is_not_shown() -> None:
    """Not even in what is printed while somebody looks for a fault."""
    made = job_token(201, {"token": "s3cret", "expires_at": "2026-11-23T00:00:00Z"})
    assert (made.token, "s3cret" in repr(made)) == ("s3cret", False)
    assert isinstance(made, JobToken)


@pytest.mark.requirement("bridge.client-queries")
@pytest.mark.parametrize(("options", "seconds"), [({}, 75.0), ({"timeout": 600_000}, 615.0)])
def test_a_query_is_waited_for_a_little_longer_than_it_may_take(
    options: dict[str, int], seconds: float
) -> None:
    """So that the bridge's own word about it arrives."""
    assert query_seconds({"timeout": options["timeout"]} if options else {}) == seconds


@pytest.mark.parametrize(
    "url",
    ["", "router", "ftp://x", "http://", "http://u:p@x", "http://x/mcp?owner=a", "http://x#y"],
)
async def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    """One with bindings too: what holds for a job stands in its token."""
    with pytest.raises(ValueError, match="router's URL"):
        async with MeshClient.connect(url):
            pass


@pytest.mark.requirement("bridge.client-tokens")
@pytest.mark.parametrize("token", ["", "a b", "a\r\nX: y", "ü"])
async def test_a_token_that_cannot_be_sent_is_refused_without_being_told(token: str) -> None:
    """A line's end in a header would begin another header."""
    with pytest.raises(ValueError, match="token must") as refused:
        async with MeshClient.connect("http://127.0.0.1:1", token=token):
            pass
    assert not token or token not in str(refused.value)


@pytest.mark.parametrize("server", ["", "..", "a/b", "a?b", "%2e", " x"])
def test_a_server_that_is_no_id_is_refused(server: str) -> None:
    """It is part of a path."""
    with pytest.raises(ValueError, match="server's id"):
        checked_server(server)


@pytest.mark.requirement("bridge.client-work")
def test_the_work_at_hand_has_parts_that_are_there_or_say_why_not() -> None:
    """A part is true where it is there; what a newer mesh tells besides is passed over."""
    told = {
        "branch": {"available": True, "data": {"branch": "tighten"}},
        "ci": {"available": False, "error_code": "NOT_FOUND", "message": "None.", "hint": "Push."},
        "left_out": {"reviews": 2},
        "weather": {"available": True},
    }
    work = WorkContext.model_validate(told)
    assert work.branch
    assert work.branch.data["branch"] == "tighten"
    assert not work.ci
    assert (work.ci.error_code, work.ci.message, work.ci.hint) == ("NOT_FOUND", "None.", "Push.")
    assert not work.todo
    assert (work.todo.data, work.left_out) == ({}, {"reviews": 2})


@pytest.mark.requirement("bridge.client-standing")
@pytest.mark.parametrize(
    ("admits", "state", "told"),
    [(True, "open", "half-open"), (False, "open", "open"), (False, "half-open", "half-open")],
)
def test_a_breaker_whose_pause_is_over_is_told_as_half_open(
    *, admits: bool, state: str, told: str
) -> None:
    """In the same words as by the bridge's tool: what is available is never called open."""
    breaker = {"name": "a", "state": state, "consecutiveFailures": 3, "lastFailureTime": 1}
    states = {
        "a": ServerState.model_validate({"available": True, "admits": admits, "breaker": breaker})
    }
    found = availability(states, "a")
    assert (found.available, found.state) == (admits, told)
