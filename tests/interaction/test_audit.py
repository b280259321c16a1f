"""Each write leaves one line: who did what to which object and how it ended, never what it said."""

import asyncio
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.interaction import keys
from tests.interaction.contexts import declared
from tests.interaction.ruled import Ruled, bearer, ruled
from tests.interaction.trunkline_process import ended, environment
from tests.interaction.upstreams import Json, result
from tests.interaction.wire import head, modern, modern_headers
from trunkline_router.adapters.audit_file import AuditFile, Sink, open_audit
from trunkline_shared.settings import ConfigurationError

pytestmark = pytest.mark.anyio

BODY = "Never to be read by whoever reads the log."
PLACE: Json = {"owner": "acme", "repo": "widgets", "issue_number": 12}
LIMITED = keys.entry("limited", rate={"writes_per_minute": 1})
JOB: Json = {"owner": "acme", "repo": "widgets", "pr_number": 12}


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the records; every line is whole."""
    raw = path.read_bytes()
    assert raw == b"" or raw.endswith(b"\n")
    return [orjson.loads(line) for line in raw.splitlines()]


class Told(Sink):
    """Tells the test when a line has been written, and when one could not be."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written, self.failed = asyncio.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def write(self, line: bytes) -> None:
        try:
            super().write(line)
        except OSError:
            self._loop.call_soon_threadsafe(self.failed.set)
            raise
        self._loop.call_soon_threadsafe(self.written.set)


@dataclass(frozen=True)
class Hanging:
    """A server's answer that never comes."""

    began: asyncio.Event = field(default_factory=asyncio.Event)
    given_up: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, http: object, request: Json) -> Any:
        self.began.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.set()


async def write(here: Ruled, key: str = "admin", **arguments: object) -> None:
    await here.call(key, "create_comment", **{**PLACE, "body": BODY, **arguments})


@pytest.mark.requirement("gateway.audit")
async def test_a_write_is_recorded_with_what_it_made(tmp_path: Path) -> None:
    """Who, where, what, how long, which trace; the body as length and digest."""
    log = tmp_path / "audit.jsonl"
    async with ruled(audit_log=str(log)) as here:

        async def made(http: object, request: Json) -> Any:
            told = {"comment": {"html_url": "https://github.test/c/7", "id": 7, "body": BODY}}
            return result(request, {"content": [], "structuredContent": told, "isError": False})

        here.comment.answer = made
        token = await here.token(bind=JOB)
        reply = await here.call(token, "create_comment", body=BODY)
        trace = reply.result["_meta"]["dev.trunkline/call"]["trace_id"]
        await here.call(token, "list_comments")
    (record,) = lines_of(log)
    assert record.pop("time").endswith("Z")
    assert record.pop("duration_ms") >= 0
    digest = hashlib.sha256(BODY.encode()).hexdigest()
    assert record == {
        "key": "admin",
        "subject": "admin",
        "depth": 0,
        "server": "github_comment",
        "tool": "create_comment",
        "arguments": {
            "owner": "acme",
            "repo": "widgets",
            "issue_number": 12,
            "body": {"length": len(BODY), "sha256": digest},
        },
        "trace_id": trace,
        "result": "ok",
        "made": {"html_url": "https://github.test/c/7", "id": 7},
    }
    assert BODY not in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.requirement("gateway.audit")
async def test_a_write_that_fails_or_is_refused_is_recorded_too(tmp_path: Path) -> None:
    """By its server, by a binding, by a limit, by the repositories; with the code."""
    log = tmp_path / "audit.jsonl"
    async with ruled(LIMITED, audit_log=str(log), allowed_repos="acme/*") as here:
        await write(here, "limited")
        await write(here, "limited")
        await write(here, owner="evil")
        token = await here.token(bind=JOB)
        await here.call(token, "create_comment", issue_number=13, body=BODY)

        async def failing(http: object, request: Json) -> Any:
            text = {"type": "text", "text": "no"}
            return result(request, {"content": [text], "isError": True})

        here.comment.answer = failing
        await write(here)
        await here.call("admin", "no_such_write")
    records = lines_of(log)
    assert [(record["key"], record["result"]) for record in records] == [
        ("limited", "ok"),
        ("limited", "RATE_LIMITED"),
        ("admin", "BLOCKED_BY_POLICY"),
        ("admin", "BLOCKED_BY_POLICY"),
        ("admin", "TOOL_ERROR"),
    ]
    assert records[3]["arguments"]["issue_number"] == 13


@pytest.mark.requirement("gateway.audit")
async def test_a_write_whose_end_nobody_saw_may_have_happened(tmp_path: Path) -> None:
    """One that timed out, and one whose caller left in the middle."""
    log, hanging = tmp_path / "audit.jsonl", Hanging()
    async with ruled(audit_log=str(log)) as here:
        slow = declared("slow", {}, read_only=False, policy={"timeout_s": 0.2})
        here.ci.tools.append(slow)
        await here.mesh.catalog.look_again()
        here.ci.answer, here.comment.answer = Hanging(), hanging
        await here.call("admin", "slow")
        params: Json = {"name": "create_comment", "arguments": {**PLACE, "body": BODY}}
        raw = modern("tools/call", params)
        headers = modern_headers("tools/call", "create_comment") | keys.bearing(bearer("admin"))
        port = here.mesh.port
        async with asyncio.timeout(5):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head(raw, headers, port=port) + raw)
            await hanging.began.wait()
            writer.close()
            await hanging.given_up.wait()
    timed_out, left = lines_of(log)
    assert (timed_out["result"], timed_out["may_have_happened"]) == ("TIMEOUT", True)
    assert (left["result"], left["may_have_happened"]) == ("CANCELLED", True)


@pytest.mark.requirement("gateway.audit")
async def test_secrets_and_long_texts_are_no_addresses(tmp_path: Path) -> None:
    """What an address should be and is not, is shown as length and digest."""
    log = tmp_path / "audit.jsonl"
    token = "ghp_" + "a1B2" * 10
    async with ruled(audit_log=str(log)) as here:
        await write(
            here,
            path=token,
            branch="x" * 300,
            ref="two\nlines",
            api_key="correct horse",
            labels=["a"],
            draft=True,
        )
    (record,) = lines_of(log)
    assert token not in log.read_text()
    told = record["arguments"]
    assert {name for name, value in told.items() if isinstance(value, dict)} == {
        "api_key", "body", "path", "branch", "ref", "labels",
    }  # fmt: skip
    assert told["draft"] is True


@pytest.mark.requirement("gateway.audit")
async def test_lines_are_whole_and_none_is_lost_when_the_router_ends(tmp_path: Path) -> None:
    """Two hundred writes at once; each has its line, in one piece."""
    log = tmp_path / "audit.jsonl"
    async with ruled(audit_log=str(log)) as here, asyncio.TaskGroup() as tasks:
        for number in range(200):
            tasks.create_task(write(here, issue_number=number + 1))
    numbers = sorted(record["arguments"]["issue_number"] for record in lines_of(log))
    assert numbers == list(range(1, 201))


@pytest.mark.requirement("gateway.audit")
async def test_a_file_that_was_rotated_is_opened_anew(tmp_path: Path) -> None:
    """What was there stays; a file that is there already is appended to."""
    log, moved = tmp_path / "audit.jsonl", tmp_path / "audit.1"
    log.write_bytes(b'{"earlier":1}\n')
    sink = Told(log)
    trail = AuditFile(sink, str(log))
    trail.append(b'{"n":1}\n')
    async with asyncio.timeout(5):
        await sink.written.wait()
    log.rename(moved)
    trail.append(b'{"n":2}\n')
    await asyncio.to_thread(trail.close)
    assert moved.read_bytes() == b'{"earlier":1}\n{"n":1}\n'
    assert log.read_bytes() == b'{"n":2}\n'


@pytest.mark.requirement("gateway.audit")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this machine has no /dev/full")
async def test_a_full_disk_is_told_once_and_nothing_waits_for_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Lines are kept, and written when there is room again; that is told as well."""
    caplog.set_level("INFO")
    log = tmp_path / "audit.jsonl"
    log.symlink_to("/dev/full")
    sink = Told(log)
    trail = AuditFile(sink, str(log))
    trail.append(b'{"n":1}\n')
    trail.append(b'{"n":2}\n')
    async with asyncio.timeout(5):
        await sink.failed.wait()
    log.unlink()
    trail.append(b'{"n":3}\n')
    await asyncio.to_thread(trail.close)
    assert log.read_bytes() == b'{"n":1}\n{"n":2}\n{"n":3}\n'
    assert caplog.text.count("kept and tried again") == 1
    assert "again; 0 were lost" in caplog.text


@pytest.mark.requirement("gateway.audit")
async def test_a_file_that_cannot_be_used_is_said_at_the_start(tmp_path: Path) -> None:
    """With the variable, its value and the reason."""
    missing = tmp_path / "no" / "such" / "folder.jsonl"
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_AUDIT_LOG=.*folder"):
        async with open_audit(str(missing)):
            pytest.fail("it was opened")


@pytest.mark.requirement("gateway.audit")
async def test_records_may_go_to_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    """Where a container's log is collected anyway."""
    async with ruled(audit_log="stdout") as here:
        await write(here)
    lines = [line for line in capfd.readouterr().out.splitlines() if line.startswith("{")]
    assert [orjson.loads(line)["tool"] for line in lines] == ["create_comment"]


@pytest.mark.requirement("gateway.audit")
@pytest.mark.timeout(120)
async def test_no_record_stands_between_the_lines_of_stdio(tmp_path: Path) -> None:
    """Where standard output carries the protocol, a file has to be named."""
    given = environment(tmp_path, {"TRUNKLINE_AUDIT_LOG": "stdout"})
    done = await ended("stdio", env=given, cwd=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "name a file" in done.err
