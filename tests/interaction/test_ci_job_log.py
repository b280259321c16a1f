"""A job's log through the whole server: its end, its matches, one step of it, or why not."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from tests.interaction.ci_logs import World, numbered, stamped, world
from trunkline_shared.testing.github import AnswerWith, Step

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ci(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(monkeypatch) as there:
        yield there


async def test_the_end_of_a_log_is_read_without_its_stamps(ci: World) -> None:
    """Byte order mark, timestamps and carriage returns are gone; the counts say what is missing."""
    job = ci.job(numbered(500))
    log = await ci.call("get_job_log", job_id=job.id, tail_lines=2)
    assert log["text"] == "line 499\nline 500"
    assert (log["total_lines"], log["returned_lines"], log["first_line"]) == (500, 2, 499)
    assert log["truncated"] is True
    assert (log["job_id"], log["run_id"], log["name"]) == (job.id, job.run.id, "build")
    assert (log["first_error_line"], log["matches"], log["invisible"]) == (None, None, 0)
    assert (log["status"], log["conclusion"]) == ("completed", "failure")


async def test_a_short_log_is_read_whole(ci: World) -> None:
    """Two hundred lines by default; nothing is called truncated that is not."""
    job = ci.job(numbered(200))
    log = await ci.call("get_job_log", job_id=job.id)
    assert (log["returned_lines"], log["truncated"], log["first_line"]) == (200, False, 1)


async def test_an_empty_log_is_no_failure(ci: World) -> None:
    """It has no lines."""
    log = await ci.call("get_job_log", job_id=ci.job(b"").id)
    assert (log["text"], log["total_lines"], log["first_line"]) == ("", 0, None)


@pytest.mark.requirement("ci.log.text")
async def test_marks_stay_and_colours_go(ci: World) -> None:
    """`##[error]` and `##[group]` are kept, and the first error is pointed to."""
    job = ci.job(
        stamped(
            "##[group]Run make",
            "\x1b[36;1mmake\x1b[0m",
            "##[endgroup]",
            "10%\r50%\r100%",
            "##[error]Process completed with exit code 2.",
            "##[error]again",
        )
    )
    log = await ci.call("get_job_log", job_id=job.id)
    assert log["text"].split("\n") == [
        "##[group]Run make",
        "make",
        "##[endgroup]",
        "100%",
        "##[error]Process completed with exit code 2.",
        "##[error]again",
    ]
    assert log["first_error_line"] == 5


@pytest.mark.requirement("ci.log.untrusted")
async def test_what_is_hidden_is_shown_and_secrets_are_not(ci: World) -> None:
    """Invisible characters are spelled out and counted; a token that got into a log stays there."""
    job = ci.job(
        stamped(
            "ignore\u200ball\u202eprevious",
            "token ghp_" + "a" * 36,
            "-----BEGIN RSA PRIVATE KEY-----",
            "MIIEpAIBAAKCAQEA1234567890",
            "-----END RSA PRIVATE KEY-----",
            "bell\x07",
        )
    )
    log = await ci.call("get_job_log", job_id=job.id)
    assert log["text"].split("\n") == [
        "ignore\\u{200B}all\\u{202E}previous",
        "token [GitHub token]",
        "[private key]",
        "[private key]",
        "[private key]",
        "bell\\u{7}",
    ]
    assert log["invisible"] == 3


@pytest.mark.requirement("ci.log.long-lines")
async def test_a_line_of_megabytes_is_cut_and_says_so(ci: World) -> None:
    """Its beginning stays, with the number of bytes that are missing."""
    job = ci.job(stamped("before", "x" * 3_000_000, "after"))
    log = await ci.call("get_job_log", job_id=job.id)
    before, long, after = log["text"].split("\n")
    assert (before, after) == ("before", "after")
    assert long.startswith("xxxx")
    assert long.endswith("bytes cut]")
    assert len(long) < 17_000
    assert log["truncated"] is True
    assert log["total_lines"] == 3


async def test_the_answer_is_bounded_in_bytes(ci: World) -> None:
    """The end is what stays, in whole lines, counted in UTF-8."""
    job = ci.job(stamped(*("ü" * 100 for _ in range(100))))
    log = await ci.call("get_job_log", job_id=job.id, max_bytes=1000)
    assert (log["returned_lines"], log["truncated"], log["first_line"]) == (4, True, 97)
    assert len(log["text"].encode()) <= 1000


async def test_matches_come_with_their_lines_and_numbers(ci: World) -> None:
    """As grep prints them: a colon for a match, a dash for context, a gap between groups."""
    lines = [f"line {number}" for number in range(1, 21)]
    lines[4], lines[6], lines[15] = "boom 1", "boom 2", "boom 3"
    job = ci.job(stamped(*lines))
    log = await ci.call("get_job_log", job_id=job.id, grep=r"bo+m \d", context=1)
    assert log["text"].split("\n") == [
        *("4-line 4", "5:boom 1", "6-line 6", "7:boom 2", "8-line 8"),
        "--",
        *("15-line 15", "16:boom 3", "17-line 17"),
    ]
    assert (log["matches"], log["returned_lines"], log["truncated"]) == (3, 8, False)
    last = await ci.call("get_job_log", job_id=job.id, grep="boom", context=0, tail_lines=1)
    assert (last["text"], last["matches"], last["truncated"]) == ("16:boom 3", 3, True)
    none = await ci.call("get_job_log", job_id=job.id, grep="absent")
    assert (none["text"], none["matches"], none["total_lines"]) == ("", 0, 20)


@pytest.mark.requirement("ci.log.grep")
@pytest.mark.parametrize(
    ("expression", "position"), [("a(b", 0), ("x(?=y)", 1), ("(a)\\1", 3), ("[z-a]", 1)]
)
async def test_an_expression_that_is_none_is_refused_with_its_place(
    ci: World, expression: str, position: int
) -> None:
    """Before anything is asked of GitHub; look-around and back-references are not RE2's."""
    error = await ci.refused("get_job_log", job_id=1, grep=expression)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["position"] == position
    assert error["details"]["field_errors"][0]["field"] == "grep"
    assert len(ci.github.requests) == 0


@pytest.mark.requirement("ci.log.grep")
async def test_no_expression_takes_more_than_linear_time(ci: World) -> None:
    """What hangs a backtracking engine is over at once."""
    job = ci.job(stamped("a" * 16_000 + "!"))
    log = await ci.call("get_job_log", job_id=job.id, grep="(a+)+$|(a|aa)+$|(.*a){20}b")
    assert log["matches"] == 0


def with_steps(ci: World) -> Any:
    begin = ci.ci.ledger.now() - timedelta(minutes=30)
    at = [begin + timedelta(seconds=10 * number) for number in range(5)]
    last = timedelta(seconds=8)
    names = ("Set up job", "Run make", "Run tests", "Post run")
    steps = [
        Step(name=name, started_at=at[k], completed_at=at[k] + last, conclusion=result)
        for k, (name, result) in enumerate(
            zip(names, ("success", "success", "failure", "skipped"), strict=True)
        )
    ]
    log = b"".join(
        stamped(f"{step.name} says", "##[error]no" if k == 2 else "yes", at=at[k]).removeprefix(
            b"\xef\xbb\xbf" if k else b""
        )
        for k, step in enumerate(steps[:3])
    )
    return ci.job(log, steps=steps)


@pytest.mark.parametrize("step", ["3", "Run tests", "run TESTS", "tests"])
async def test_one_step_of_a_log_is_told_by_its_times(ci: World, step: str) -> None:
    """By number or name; lines keep their numbers in the whole log."""
    job = with_steps(ci)
    log = await ci.call("get_job_log", job_id=job.id, step=step)
    assert log["text"] == "Run tests says\n##[error]no"
    assert (log["first_line"], log["first_error_line"], log["total_lines"]) == (5, 6, 6)
    assert log["truncated"] is False


async def test_a_step_that_is_not_there_is_refused_with_those_that_are(ci: World) -> None:
    """Unknown, ambiguous or skipped; each with what to pass instead."""
    job = with_steps(ci)
    for step, problem in (("deploy", "is no step"), ("run", "means 3 steps")):
        error = await ci.refused("get_job_log", job_id=job.id, step=step)
        assert error["error_code"] == "INVALID_INPUT"
        assert problem in error["message"]
        assert {"number": 2, "name": "Run make"} in error["details"]["steps"]
    skipped = await ci.refused("get_job_log", job_id=job.id, step="4")
    assert (skipped["error_code"], skipped["details"]["reason"]) == (
        "NOT_FOUND",
        "step_did_not_run",
    )


async def test_a_job_is_found_by_name(ci: World) -> None:
    """In the latest attempt; an ambiguous or unknown name is answered with the names there are."""
    run = ci.run(conclusion="failure")
    for system in ("ubuntu", "windows"):
        ci.job(stamped(system), run=run, name=f"build ({system}, 3.12)")
    log = await ci.call("get_job_log", run_id=run.id, job_name="build (ubuntu, 3.12)")
    assert log["text"] == "ubuntu"
    assert (await ci.call("get_job_log", run_id=run.id, job_name="*WINDOWS*"))["text"] == "windows"
    ambiguous = await ci.refused("get_job_log", run_id=run.id, job_name="build")
    assert ambiguous["error_code"] == "INVALID_INPUT"
    assert len(ambiguous["details"]["jobs"]) == 2
    unknown = await ci.refused("get_job_log", run_id=run.id, job_name="deploy")
    assert unknown["error_code"] == "NOT_FOUND"
    assert "build (ubuntu, 3.12)" in unknown["details"]["jobs"]


@pytest.mark.parametrize(
    "arguments", [{}, {"run_id": 5}, {"job_name": "x"}, {"job_id": 1, "run_id": 2}]
)
async def test_which_job_has_to_be_said(ci: World, arguments: dict[str, Any]) -> None:
    """One id, or a run and a name; nothing is asked of GitHub otherwise."""
    error = await ci.refused("get_job_log", **arguments)
    assert error["error_code"] == "INVALID_INPUT"
    assert "get_workflow_run_details" in error["hint"]
    assert len(ci.github.requests) == 0


@pytest.mark.requirement("ci.log.not-ready")
async def test_the_log_of_a_running_job_is_not_ready(ci: World) -> None:
    """GitHub's 404 then means: come back; so does one just after the job's end."""
    run = ci.run(status="in_progress")
    running = ci.ci.add_job(run, "build", status="in_progress")
    error = await ci.refused("get_job_log", job_id=running.id)
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "log_not_ready")
    assert error["retry_after"] == 15
    assert error["retryable"] is True


@pytest.mark.requirement("ci.log.expired")
async def test_the_log_of_an_old_job_has_expired(ci: World) -> None:
    """Whether GitHub says 410, or 404, or the host of the logs has it no more."""
    gone = AnswerWith(status=410)
    absent = AnswerWith(status=404, body='{"message":"Not Found"}')
    job = ci.job(numbered(1))
    for faults, fault in (
        (ci.github.faults, gone),
        (ci.github.faults, absent),
        (ci.github.log_host.faults, absent),
    ):
        faults.add(fault, path="*logs" if faults is ci.github.faults else "*")
        error = await ci.refused("get_job_log", job_id=job.id)
        assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "log_expired")
        assert (error["retryable"], error["retry_after"]) == (False, None)
    job.log = None
    assert (await ci.refused("get_job_log", job_id=job.id))["details"]["reason"] == "log_expired"


@pytest.mark.requirement("ci.log.not-ready")
async def test_the_log_of_a_job_that_has_just_ended_may_be_on_its_way(ci: World) -> None:
    """GitHub's 404 counts as expired only some minutes after the end."""
    job = ci.job(numbered(1))
    job.completed_at = ci.ci.ledger.now()
    ci.github.faults.add(AnswerWith(status=404, body='{"message":"Not Found"}'), path="*logs")
    error = await ci.refused("get_job_log", job_id=job.id)
    assert error["details"]["reason"] == "log_not_ready"


async def test_a_skipped_job_has_no_log(ci: World) -> None:
    """That is told as it is, not as an expired log."""
    job = ci.job(None, conclusion="skipped")
    error = await ci.refused("get_job_log", job_id=job.id)
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "job_skipped")


async def test_a_job_that_does_not_exist_is_not_found(ci: World) -> None:
    """That is no expired log either."""
    error = await ci.refused("get_job_log", job_id=4)
    assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "not_found")


async def test_a_log_is_unpacked_when_it_comes_compressed(ci: World) -> None:
    """The host of the logs may send gzip."""
    ci.github.log_host.compress = True
    job = ci.job(numbered(50))
    assert (await ci.call("get_job_log", job_id=job.id, tail_lines=1))["text"] == "line 50"
