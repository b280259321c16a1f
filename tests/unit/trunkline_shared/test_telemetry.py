"""Logs and traces of a process, seen from outside it."""

import json
import os
import pty
import subprocess
import sys

import pytest

SCRIPT = """
import logging
import structlog
from opentelemetry import trace
from trunkline_shared import telemetry

telemetry.set_up("comment", "1.2.3")
log = structlog.get_logger("ours")
with trace.get_tracer("t").start_as_current_span("work") as span:
    log.warning("posted", comment_id=7, header="Bearer abcdefghijklmnop")
    print(trace.format_trace_id(span.get_span_context().trace_id))
try:
    raise RuntimeError("refused ghp_" + "a1B2" * 9)
except RuntimeError:
    logging.getLogger("theirs").exception("failed")
logging.getLogger("uvicorn.access").info("GET /mcp")
telemetry.flush()
"""


def run(stderr: int | None = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        timeout=30,
        check=True,
    )


def test_a_container_logs_json_with_service_and_trace() -> None:
    """One object a line, ours and other libraries' alike, joined to its trace."""
    done = run()
    posted, failed = (json.loads(line) for line in done.stderr.splitlines())
    assert posted["event"] == "posted"
    assert posted["comment_id"] == 7
    assert posted["service"] == failed["service"] == "comment"
    assert posted["trace_id"] == done.stdout.strip()
    assert failed["level"] == "error"
    assert "RuntimeError" in failed["exception"]


@pytest.mark.requirement("secrets.logs")
def test_no_secret_reaches_the_log() -> None:
    """Neither a value nor the text of an exception."""
    text = run().stderr
    assert "abcdefghijklmnop" not in text
    assert "a1B2a1B2" not in text
    assert "[GitHub token]" in text


def test_a_person_reads_colours_on_a_terminal() -> None:
    """On a terminal a line is for reading, and still holds no secret."""
    leader, follower = pty.openpty()
    try:
        run(stderr=follower)
        os.close(follower)
        text = os.read(leader, 65536).decode()
    finally:
        os.close(leader)
    assert "\x1b[" in text
    assert "posted" in text
    assert "a1B2a1B2" not in text


@pytest.mark.parametrize("disabled", ["true", "false"])
def test_the_standard_switch_turns_traces_off(
    disabled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`OTEL_SDK_DISABLED` is the SDK's own and is left to it."""
    monkeypatch.setenv("OTEL_SDK_DISABLED", disabled)
    trace_id = run().stdout.strip()
    assert (trace_id == "0" * 32) == (disabled == "true")
