"""What goes wrong between GitHub, its link to a log and the host behind it; what stays secret."""

import asyncio
import json
import math
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from mcp import Client

from tests.interaction.asking import HERE
from tests.interaction.ci_logs import TOKEN, World, numbered, stamped, world
from tests.interaction.ci_process import process_of
from tests.interaction.otlp_receiver import receiving
from trunkline_shared.testing.github import AnswerWith, SlowBody, TruncatedBody, bad_gateway
from trunkline_shared.testing.stand_in.faults import CutBeforeReading

pytestmark = pytest.mark.anyio

AT_ONCE = 2
"""How often aiohttp itself sends a GET whose connection ends before anything is answered."""
REFUSED = AnswerWith(status=403, body="<Error><Code>AuthenticationFailed</Code></Error>")


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


@pytest.mark.requirement("ci.log.token")
async def test_our_token_never_reaches_the_host_of_the_logs(ci: World) -> None:
    """It would refuse it, and keep it: the link is followed with nothing but a User-Agent."""
    job = ci.job(numbered(3))
    await ci.call("get_job_log", job_id=job.id)
    await ci.call("get_failed_logs", run_id=job.run.id)
    host = ci.github.log_host
    assert len(host.fetched) == 2
    assert host.credentials_seen == []
    names = {name for one in host.fetched for name in one.headers}
    assert names <= {"host", "accept", "accept-encoding", "user-agent", "traceparent"}
    assert all("token" not in value for one in host.fetched for value in one.headers.values())


@pytest.mark.requirement("ci.log.cut")
@pytest.mark.parametrize(
    ("fault", "times"),
    [(TruncatedBody(), 1), (CutBeforeReading(), AT_ONCE), (bad_gateway(), 1), (REFUSED, 1)],
)
async def test_a_log_that_breaks_off_is_read_again_with_a_new_link(
    ci: World, fault: TruncatedBody | CutBeforeReading | AnswerWith, times: int
) -> None:
    """From its start: no line is counted twice, none is missing."""
    job = ci.job(numbered(5000))
    ci.github.log_host.faults.add(fault, times=times)
    log = await ci.call("get_job_log", job_id=job.id, tail_lines=1)
    assert (log["text"], log["total_lines"]) == ("line 5000", 5000)
    assert len(ci.github.state.log_links.signatures) == 2


@pytest.mark.requirement("ci.log.cut")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (TruncatedBody(), "NETWORK_ERROR"),
        (CutBeforeReading(), "NETWORK_ERROR"),
        (bad_gateway(503), "UPSTREAM_UNAVAILABLE"),
        (REFUSED, "UPSTREAM_UNAVAILABLE"),
    ],
)
async def test_a_log_that_keeps_breaking_off_is_a_failure_and_never_a_short_log(
    ci: World, fault: TruncatedBody | CutBeforeReading | AnswerWith, code: str
) -> None:
    """After three attempts; half a log would tell lies about the other half."""
    job = ci.job(numbered(5000))
    ci.github.log_host.faults.add(fault, times=math.inf)
    error = await ci.refused("get_job_log", job_id=job.id)
    assert (error["error_code"], error["retryable"]) == (code, True)
    assert len(ci.github.state.log_links.signatures) == 3
    for signature in ci.github.state.log_links.signatures:
        assert signature not in json.dumps(error)


@pytest.mark.requirement("ci.log.cut")
async def test_a_log_that_is_cut_is_told_among_the_failed_ones(ci: World) -> None:
    """In its own entry, with what GitHub's other jobs said beside it."""
    run = ci.run(conclusion="failure")
    cut = ci.job(numbered(5000), run=run, name="cut")
    ci.job(stamped("fine"), run=run, name="fine")
    ci.github.log_host.faults.add(TruncatedBody(), path=f"*job-{cut.id}.txt", times=math.inf)
    logs = await ci.call("get_failed_logs", run_id=run.id)
    found = {one["name"]: one for one in logs["failed_jobs"]}
    assert found["cut"]["error"]["error_code"] == "NETWORK_ERROR"
    assert found["cut"]["log"] is None
    assert found["fine"]["log"]["text"] == "fine"


async def test_a_slow_log_ends_with_the_calls_deadline(ci: World) -> None:
    """The router says how long it waits; nothing is read beyond that."""
    job = ci.job(numbered(5000))
    ci.github.log_host.faults.add(SlowBody(seconds=30))
    async with asyncio.timeout(10):
        error = await ci.refused(
            "get_job_log", job_id=job.id, meta={"dev.trunkline/deadline_ms": 500}
        )
    assert error["error_code"] == "TIMEOUT"


async def test_the_archive_of_a_whole_run_is_never_asked_for(ci: World) -> None:
    """It has no bounds; one log at a time has."""
    job = ci.job(numbered(3))
    await ci.call("get_failed_logs", run_id=job.run.id)
    assert ci.github.requests.matching(path="*/runs/*/logs") == []


@pytest.mark.timeout(90)
@pytest.mark.requirement("ci.log.secret-link")
async def test_the_signed_link_appears_nowhere(ci: World, tmp_path: Path) -> None:
    """No log line, span, answer or failure of a real process has it, however the fetch ends."""
    job = ci.job(numbered(10))
    async with receiving() as receiver, asyncio.timeout(80):
        traced = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "OTEL_BSP_SCHEDULE_DELAY": "50"}
        async with process_of(ci, tmp_path, traced) as service:
            answers = await ask_all_ways(ci, job.id, service.url)
    spans = [str(seen.span) for seen in receiver.spans]
    assert any("/logs" in span for span in spans)
    assert any("(redirected)" in span for span in spans)
    signatures = ci.github.state.log_links.signatures
    assert len(signatures) == 8
    everything = "".join((*answers, *spans, *service.said))
    for hidden in (*signatures, "actions-results", "sig=", TOKEN):
        assert hidden not in everything


async def ask_all_ways(ci: World, job_id: int, url: str) -> list[str]:
    """Read a log well and through every kind of failure; return all that was answered."""
    answers = []
    async with Client(url) as client:
        for fault in (None, TruncatedBody(), REFUSED, bad_gateway()):
            if fault is not None:
                ci.github.log_host.faults.add(fault)
            result = await client.call_tool("get_job_log", {**HERE, "job_id": job_id})
            answers.append(result.model_dump_json())
        ci.github.log_host.faults.add(AnswerWith(status=404, body="gone"))
        result = await client.call_tool("get_job_log", {**HERE, "job_id": job_id})
        answers.append(result.model_dump_json())
    return answers
