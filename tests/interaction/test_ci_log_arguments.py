"""Any text and number in any argument of the log tools: a typed answer about a real job."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_types import CallToolResult

from tests.interaction.asking import HERE, text_of
from tests.interaction.ci_logs import World, stamped, world
from trunkline_ci_status.app import open_server
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_shared.errors import BY_CODE
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.github import Step

pytestmark = pytest.mark.anyio

MANY = settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
ODD = st.sampled_from([
    *("", " ", "build", "b*[", "[", "(", "\\", "(?P<x>a)", "^$", "\x00", "\ud800", "é", "1", "-1"),
    *("../..", "(a+)+$", "a" * 2000, "{}", "null", "2", "Run tests", "10%", "\u202e"),
])
TEXTS = st.one_of(ODD, st.text(max_size=12))
NUMBERS = st.one_of(st.sampled_from([0, 1, 5, 200, 5000, 5001, 10**30, -1]), st.integers())


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


@pytest.fixture
async def server(ci: World) -> AsyncIterator[ToolServer]:
    given = load(CiStatusSettings, {"github_api_url": ci.github.url, "netrc": "/nonexistent"})
    async with open_server(given, in_process_store(ci.clock), ci.clock) as running:
        yield running


@given(
    given_=st.fixed_dictionaries(
        {},
        optional={
            "grep": TEXTS,
            "step": TEXTS,
            "context": NUMBERS,
            "tail_lines": NUMBERS,
            "max_bytes": NUMBERS,
            "job_name": TEXTS,
        },
    ),
    by_name=st.booleans(),
)
@MANY
async def test_whatever_is_asked_about_a_log_is_answered(
    ci: World, server: ToolServer, *, given_: dict[str, Any], by_name: bool
) -> None:
    """With a code of the closed set, and never with a bug of ours."""
    if not ci.ci.runs:
        at = ci.ci.ledger.now()
        steps = [Step(name="Run tests", conclusion="failure", started_at=at, completed_at=at)]
        ci.job(stamped("10%\r20%", "##[error]no", "\x1b[31mred", "ü" * 2000, at=at), steps=steps)
    (run,) = ci.ci.runs.values()
    (job,) = run.attempt.jobs
    which = {"job_name": "build", "run_id": run.id} if by_name else {"job_id": job.id}
    result = await server.call_tool("get_job_log", {**HERE, **which, **given_})
    assert isinstance(result, CallToolResult)
    if result.is_error:
        assert json.loads(text_of(result))["error_code"] in BY_CODE.keys() - {"INTERNAL_ERROR"}
    else:
        log = json.loads(text_of(result))
        assert len(log["text"].encode()) <= given_.get("max_bytes", 65_536)
        assert log["returned_lines"] <= given_.get("tail_lines", 200)
