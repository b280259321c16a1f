"""The parts of links that know no socket: events, words of revisions, children's noise, secrets."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from trunkline_router.adapters.incoming import Blocks
from trunkline_router.adapters.links.child_environment import child_environment
from trunkline_router.adapters.links.child_log import ChildLog
from trunkline_router.adapters.links.discovery import is_modern
from trunkline_router.adapters.links.restarts import Restarts
from trunkline_router.adapters.links.secret_values import Given, SecretValues
from trunkline_router.adapters.links.server_sent import Event, event_of
from trunkline_router.adapters.links.translation import (
    asked_capabilities,
    discovered,
    legacy_params,
    modern_params,
)
from trunkline_router.configuration.entries import FromEnvironment
from trunkline_router.model import Json
from trunkline_shared.errors import CredentialsMissing, UpstreamUnavailable
from trunkline_shared.testing.fake_clock import FakeClock

KEY = "io.modelcontextprotocol/"


@pytest.mark.parametrize(
    ("lines", "event"),
    [
        (b"data: x", Event(data=b"x")),
        (b"data:x\ndata: y", Event(data=b"x\ny")),
        (b"event: endpoint\ndata: /m", Event(kind="endpoint", data=b"/m")),
        (b"id: 7\nretry: 1500\ndata:", Event(id="7", retry_s=1.5)),
        (b"retry: " + b"9" * 5000, Event(retry_s=999_999.999)),
        (b"retry: soon\nid: a\0b\n: comment", Event()),
        (b"id", Event(id="")),
    ],
)
def test_an_event_is_read_as_the_standard_says(lines: bytes, event: Event) -> None:
    """HTML standard, 9.2.6."""
    assert event_of(lines) == event


def test_no_line_end_gets_into_an_id() -> None:
    """It goes back in a header; HTML standard, 9.2.5, has three line ends."""
    blocks = [*Blocks(1000).feed(b"id: a\rX-Given: b\ndata: c\n\n")]
    assert [event_of(block) for block in blocks] == [Event(id="a", data=b"c")]


@given(
    st.lists(st.binary(min_size=1, max_size=9).map(lambda raw: raw.hex().encode()), max_size=5),
    st.integers(1, 7),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_chunks_may_end_anywhere(texts: list[bytes], size: int, end: bytes) -> None:
    """Whatever the sizes of the chunks, the events are the same."""
    raw = b"".join(b"data: " + text + end + end for text in texts)
    blocks = Blocks(1000)
    found = [
        event_of(block).data
        for at in range(0, len(raw), size)
        for block in blocks.feed(raw[at : at + size])
    ]
    assert found == texts


@pytest.mark.parametrize(
    ("message", "modern"),
    [
        ({"result": {"supportedVersions": ["2026-07-28"], "capabilities": {}}}, True),
        ({"result": {"supportedVersions": ["2025-11-25"], "capabilities": {}}}, False),
        ({"result": {"capabilities": {}}}, True),
        ({"result": {}}, False),
        ({"error": {"code": -32020, "message": ""}}, True),
        ({"error": {"code": -32021, "message": ""}}, True),
        ({"error": {"code": -32022, "data": {"supported": ["2026-07-28"]}}}, True),
        ({"error": {"code": -32022, "data": {"supported": ["2025-11-25"]}}}, False),
        ({"error": {"code": -32000, "message": ""}}, False),
        ({"error": "odd"}, False),
        ({}, False),
    ],
)
def test_the_answer_to_discover_tells_the_era(message: Json, *, modern: bool) -> None:
    """Only a version in common, or an error that only modern servers have."""
    assert is_modern(message) is modern


def test_what_came_with_today_does_not_go_to_older_servers() -> None:
    """The envelope, the mesh's own keys and what a retry adds; the trace goes on."""
    params: Json = {
        "name": "act",
        "requestState": "s",
        "inputResponses": {},
        "_meta": {
            f"{KEY}protocolVersion": "2026-07-28",
            f"{KEY}clientCapabilities": {},
            f"{KEY}logLevel": "info",
            "dev.trunkline/bind": {},
            "progressToken": "mine",
            "traceparent": "00-1-2-01",
        },
    }
    sent = legacy_params(params, 7, progress=True)
    assert sent == {"name": "act", "_meta": {"traceparent": "00-1-2-01", "progressToken": 7}}
    assert legacy_params({"_meta": {}}, 7, progress=False) == {}
    assert modern_params(params, 7, progress=True)["name"] == "act"
    assert modern_params(params, 7, progress=False) is params


def test_a_session_is_told_what_its_client_can_be_asked_and_nothing_else() -> None:
    """Extensions stay away; nobody tells a session that roots have changed."""
    given_: Json = {
        "roots": {"listChanged": True},
        "sampling": {"tools": {}},
        "extensions": {"x": 1},
    }
    params: Json = {"_meta": {f"{KEY}clientCapabilities": given_}}
    assert asked_capabilities(params) == {"roots": {}, "sampling": {"tools": {}}}
    assert asked_capabilities({}) == {}


@given(st.dictionaries(st.text(max_size=12), st.none() | st.text() | st.lists(st.integers())))
def test_any_handshake_makes_an_answer_to_discover(initialized: Json) -> None:
    """Nothing that a server says of itself is trusted."""
    found = discovered(initialized)
    assert found["cacheScope"] == "private"
    assert isinstance(found["capabilities"], dict)


def test_a_child_is_left_alone_for_longer_each_time() -> None:
    """0.5, 1, 2 … 30 s; one that lived counts as the first."""
    clock = FakeClock()
    restarts = Restarts(clock=clock)
    pauses = []
    for _ in range(8):
        restarts.begun()
        pauses.append(restarts.ended("exit code 1"))
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30]
    restarts.begun()
    clock.advance(60)
    assert restarts.ended("exit code 1") == 0.5


@pytest.mark.anyio
async def test_a_turn_that_is_far_is_told_and_a_near_one_waited_for() -> None:
    """The message says how it ended, and when it may start."""
    clock = FakeClock()
    restarts = Restarts(clock=clock)
    await restarts.turn("s")
    restarts.begun()
    restarts.ended("exit code 3")
    await restarts.turn("s")
    assert clock.slept == [0.5]
    for _ in range(4):
        restarts.ended("exit code 3")
    with pytest.raises(UpstreamUnavailable, match=r"exit code 3.* in 8 s") as failure:
        await restarts.turn("s")
    assert failure.value.retry_after == 8


def test_a_line_of_a_child_is_shown_without_secrets_and_tricks() -> None:
    """Values that it was given, tokens of known shapes, escapes and invisible characters."""
    child_log = ChildLog("s", FakeClock(), ["hunter2hunter2", "x"])
    shown = child_log.shown("\x1b[1mpw hunter2hunter2 ghp_{} \u202ex".format("a" * 36).encode())
    assert shown == "\\e[1mpw [secret] [GitHub token] \\u{202E}x"
    assert len(child_log.shown(b"y" * 100_000)) == 2000
    assert child_log.shown(b"\xff\xfe") == "\ufffd\ufffd"


def test_a_secret_that_is_cut_is_hidden_whole() -> None:
    """The end of a long line shows no half of it."""
    child_log = ChildLog("s", FakeClock(), ["hunter2hunter2"])
    assert "hunter2" not in child_log.shown(b"y" * 1990 + b"hunter2hunter2" + b"z" * 9000)


def test_values_are_read_where_they_stand(tmp_path: Path) -> None:
    """Plain ones, hidden ones, variables and files; a bare token is one of a bearer."""
    path = tmp_path / "secret"
    path.write_text("from-file\n", encoding="utf-8")
    env = {"A_FILE": str(path), "B": "Basic abc"}
    given_: dict[str, Given] = {
        "Authorization": FromEnvironment(from_env="A"),
        "X-Plain": "plain",
        "X-Hidden": SecretStr("hidden"),
        "X-Variable": FromEnvironment(from_env="B"),
    }
    values = SecretValues("wiki", "headers", given_, env)
    assert dict(values) == {
        "Authorization": "Bearer from-file",
        "X-Plain": "plain",
        "X-Hidden": "hidden",
        "X-Variable": "Basic abc",
    }
    path.unlink()
    with pytest.raises(CredentialsMissing, match="'wiki' needs A, which is not set") as failure:
        dict(values)
    assert "A_FILE" in str(failure.value.hint)


def test_a_childs_environment_holds_no_secret() -> None:
    """Only what every program needs."""
    env = {"PATH": "/bin", "HOME": "/root", "TRUNKLINE_SECRET": "s", "GITHUB_TOKEN": "t"}
    assert child_environment(env) == {"PATH": "/bin", "HOME": "/root"}
