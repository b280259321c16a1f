"""The stand-in's jobs, and the other host that their logs come from."""

import aiohttp
import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import (
    Demo,
    GeneratedLog,
    GitHubStandIn,
    Job,
    TruncatedBody,
    WorkflowRun,
)

pytestmark = pytest.mark.anyio

HOME = "/repos/acme/widgets"
SHA = "5" * 40
TEXT = b"2026-01-02T03:04:05.0000000Z hello\n"


@pytest.fixture
def run(demo: Demo) -> WorkflowRun:
    return demo.repository.ci.add_run(SHA, jobs=False)


@pytest.fixture
def job(demo: Demo, run: WorkflowRun) -> Job:
    return demo.repository.ci.add_job(run, "build", log=TEXT)


def jobs_of(run: WorkflowRun) -> str:
    return f"{HOME}/actions/runs/{run.id}/jobs"


def log_of(job: Job) -> str:
    return f"{HOME}/actions/jobs/{job.id}/logs"


async def test_jobs_are_listed_by_attempt(writer: Caller, demo: Demo, run: WorkflowRun) -> None:
    """The latest attempt, one of them, or all; an attempt that never was is not found."""
    ci = demo.repository.ci
    ci.add_job(run, "build", conclusion="failure")
    run.finish("failure", ci.ledger.now())
    ci.rerun(run)
    attempts = f"{HOME}/actions/runs/{run.id}/attempts"
    for path, numbers in {
        jobs_of(run): [2],
        f"{jobs_of(run)}?filter=all": [1, 2],
        f"{attempts}/1/jobs": [1],
    }.items():
        listed = (await writer.ask("GET", path)).json
        assert [job["run_attempt"] for job in listed["jobs"]] == numbers, path
        assert listed["total_count"] == len(numbers)
    assert (await writer.ask("GET", f"{attempts}/1")).json["conclusion"] == "failure"
    assert (await writer.ask("GET", f"{attempts}/3/jobs")).status == 404


async def test_jobs_come_in_pages(writer: Caller, demo: Demo, run: WorkflowRun) -> None:
    """Thirty at a time unless asked, and a link to the next."""
    for number in range(31):
        demo.repository.ci.add_job(run, f"job {number}")
    first = await writer.ask("GET", jobs_of(run))
    assert (len(first.json["jobs"]), first.json["total_count"]) == (30, 31)
    assert 'rel="next"' in first.headers["link"]


async def test_a_log_is_a_link_to_another_origin(
    github: GitHubStandIn, writer: Caller, job: Job
) -> None:
    """Signed, and refused when it is followed with a token."""
    answer = await writer.ask("GET", log_of(job))
    assert (answer.status, answer.text) == (302, "")
    link = answer.headers["location"]
    assert not link.startswith(github.url)
    assert (await writer.using("").ask("GET", link)).text.encode() == TEXT
    assert github.log_host.credentials_seen == []
    assert (await writer.ask("GET", link)).status == 400
    assert github.log_host.credentials_seen == [f"Bearer {writer.token}"]


async def test_a_link_holds_for_a_minute(writer: Caller, job: Job, clock: FakeClock) -> None:
    """Then it is refused, as is one with another signature."""
    link = (await writer.ask("GET", log_of(job))).headers["location"]
    anyone = writer.using("")
    assert (await anyone.ask("GET", f"{link}x")).status == 403
    clock.advance(59)
    assert (await anyone.ask("GET", link)).status == 200
    clock.advance(1)
    assert (await anyone.ask("GET", link)).status == 403


async def test_a_log_that_is_not_there(writer: Caller, demo: Demo, run: WorkflowRun) -> None:
    """Not found while the job runs, gone when the job has ended; never for nobody."""
    ci = demo.repository.ci
    running = ci.add_job(run, "running", status="in_progress")
    expired = ci.add_job(run, "expired")
    assert (await writer.ask("GET", log_of(running))).status == 404
    assert (await writer.ask("GET", log_of(expired))).status == 410
    assert (await writer.ask("GET", f"{HOME}/actions/jobs/1/logs")).status == 404
    assert (await writer.using("").ask("GET", log_of(expired))).status == 403


async def test_a_log_is_cut_generated_or_compressed(
    github: GitHubStandIn, writer: Caller, job: Job
) -> None:
    """Half of what was announced, a log that is never held whole, and gzip."""
    anyone = writer.using("")
    job.log = GeneratedLog(begin=b"first\n", block=b"x" * 1023 + b"\n", times=2048, end=b"last\n")
    link = (await writer.ask("GET", log_of(job))).headers["location"]
    whole = await anyone.ask("GET", link)
    assert len(whole.text) == len(job.log) == 2 * 1024 * 1024 + 11
    assert whole.text.endswith("\nlast\n")
    github.log_host.compress = True
    packed = await anyone.ask("GET", link)
    assert (packed.headers["content-encoding"], packed.text) == ("gzip", whole.text)
    github.log_host.compress = False
    github.log_host.faults.add(TruncatedBody())
    with pytest.raises(aiohttp.ClientPayloadError):
        await anyone.ask("GET", link)
