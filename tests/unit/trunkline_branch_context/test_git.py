"""The git subprocess: what it sees, how long it lives, what is left of it."""

import asyncio
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import uvloop
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from trunkline_branch_context.git import Git
from trunkline_branch_context.head_state import read_head
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import (
    InternalError,
    NoRepository,
    PermissionDenied,
    TooLarge,
    Unsupported,
    UpstreamTimeout,
)
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = pytest.mark.anyio

SLOW = """#!/bin/sh
sleep 60 &
echo $$ $! > "$0.pids"
[ -p "$0.started" ] && echo > "$0.started"
wait
"""


def git_of(repository: GitRepository) -> Git:
    """Return our git in a test's repository."""
    return Git(directory=repository.path, environment=repository.environment, shown="the checkout")


def fake_git(tmp_path: Path, script: str) -> Git:
    """Return our git, which finds a program of ours under git's name."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text(script, encoding="utf-8")
    (folder / "git").chmod(0o755)
    environment = {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(tmp_path)}
    return Git(directory=tmp_path, environment=environment, shown="the checkout")


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet buried does not."""
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return bool(shown.stdout.strip()) and not shown.stdout.strip().startswith("Z")


def running_from(program: Path) -> list[int]:
    """Return the processes that run a program, not counting dead ones."""
    found = subprocess.run(
        ["pgrep", "-f", str(program)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in found.stdout.split() if alive(int(pid))]


def processes(tmp_path: Path) -> list[int]:
    """Return the process ids of the slow git and of its child."""
    written = (tmp_path / "bin" / "git.pids").read_text(encoding="utf-8")
    return [int(pid) for pid in written.split()]


@pytest.mark.requirement("branch.git-bounded")
async def test_a_slow_git_is_killed_with_its_children(tmp_path: Path) -> None:
    """Kill after the timeout: TIMEOUT, and neither git nor what it started is left."""
    git = replace(fake_git(tmp_path, SLOW), timeout_s=0.5)
    with pytest.raises(UpstreamTimeout) as caught:
        await git.run("status")
    assert "git status" in caught.value.message
    assert [alive(pid) for pid in processes(tmp_path)] == [False, False]


async def test_the_calls_deadline_comes_first(tmp_path: Path) -> None:
    """When the call has less time left than git's own limit, that is git's limit."""
    git = fake_git(tmp_path, SLOW)
    async with asyncio.timeout(3):
        with deadline_in(0.3), pytest.raises(UpstreamTimeout):
            await git.run("status")


@pytest.mark.requirement("branch.git-bounded")
async def test_a_cancelled_call_leaves_no_process(tmp_path: Path) -> None:
    """Cancellation kills git and its children before it goes on."""
    git = fake_git(tmp_path, SLOW)
    started = tmp_path / "bin" / "git.started"
    os.mkfifo(started)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(git.run("status"))
        await asyncio.to_thread(started.read_text)
        pids = processes(tmp_path)
        assert all(map(alive, pids))
        running.cancel()
    assert running.cancelled()
    assert not any(map(alive, pids))


async def test_a_child_that_outlives_git_is_not_waited_for(tmp_path: Path) -> None:
    """git has ended, what it started holds its output: the limit holds, and the child dies."""
    script = '#!/bin/sh\nsleep 60 &\necho $! > "$0.pids"\nexit 0\n'
    git = replace(fake_git(tmp_path, script), timeout_s=0.5)
    async with asyncio.timeout(5):
        with pytest.raises(UpstreamTimeout):
            await git.run("gc")
    assert not any(map(alive, processes(tmp_path)))


async def test_a_call_cancelled_at_any_moment_leaves_no_process(tmp_path: Path) -> None:
    """Also in the middle of git's start, where asyncio itself would wait for the children."""
    git = fake_git(tmp_path, SLOW)
    for turns in range(12):
        running = asyncio.ensure_future(git.run("status"))
        for _ in range(turns):
            await asyncio.sleep(0)
        running.cancel()
        async with asyncio.timeout(5):
            await asyncio.wait([running])
        assert running.cancelled()
    assert running_from(tmp_path / "bin" / "git") == []


def test_the_servers_own_loop_behaves_alike(tmp_path: Path) -> None:
    """uvloop, which services run on: results, limits and cancellation are the same."""
    repository = GitRepository.at(tmp_path)
    slow = fake_git(tmp_path, SLOW)

    async def all_of_it() -> None:
        assert (await read_head(git_of(repository))).branch == "main"
        with pytest.raises(UpstreamTimeout):
            await replace(slow, timeout_s=0.3).run("status")
        for turns in (0, 1, 3, 50):
            running = asyncio.ensure_future(slow.run("status"))
            for _ in range(turns):
                await asyncio.sleep(0)
            running.cancel()
            async with asyncio.timeout(5):
                await asyncio.wait([running])

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(all_of_it())
    assert running_from(tmp_path / "bin" / "git") == []


async def test_a_slow_status_costs_only_what_it_would_have_told(tmp_path: Path) -> None:
    """A huge working tree: dirty is unknown, the branch and its commit are not."""
    script = (
        "#!/bin/sh\n"
        'case "$*" in *status*) sleep 60;; *symbolic-ref*) echo refs/heads/big;; '
        "*rev-parse*) echo 0123abcd;; esac\n"
    )
    head = await read_head(replace(fake_git(tmp_path, script), timeout_s=0.5))
    assert (head.branch, head.sha, head.dirty) == ("big", "0123abcd", None)


async def test_output_beyond_the_cap_is_refused(tmp_path: Path) -> None:
    """More than the cap: TOO_LARGE, and the memory stays bounded."""
    flood = "#!/bin/sh\nhead -c 3000000 /dev/zero\n"
    with pytest.raises(TooLarge):
        await replace(fake_git(tmp_path, flood), output_cap=1000).run("log")


async def test_a_flood_of_complaints_is_drained(tmp_path: Path) -> None:
    """git never waits for somebody to read its stderr."""
    flood = "#!/bin/sh\nhead -c 3000000 /dev/zero >&2\nexit 3\n"
    with pytest.raises(InternalError) as caught:
        await fake_git(tmp_path, flood).run("log")
    assert caught.value.details["exit_code"] == 3


async def test_a_missing_git_is_said_so(tmp_path: Path) -> None:
    """No git on PATH: UNSUPPORTED that names it."""
    git = Git(directory=tmp_path, environment={"PATH": str(tmp_path)}, shown="the checkout")
    with pytest.raises(Unsupported) as caught:
        await git.run("status")
    assert "git is not installed" in caught.value.message


@pytest.mark.parametrize(
    ("complaint", "expected"),
    [
        ("fatal: detected dubious ownership in repository at '/x'", PermissionDenied),
        ("fatal: not a git repository (or any of the parent directories): .git", NoRepository),
        ("fatal: this operation must be run in a work tree", NoRepository),
        ('error: open("x"): Permission denied', PermissionDenied),
        ("fatal: bad object HEAD", InternalError),
    ],
)
async def test_complaints_become_our_errors(
    tmp_path: Path, complaint: str, expected: type[Exception]
) -> None:
    """Each known complaint has its error, and git's own text stays inside."""
    git = fake_git(tmp_path, f"#!/bin/sh\ncat >&2 <<'END'\n{complaint}\nEND\nexit 128\n")
    with pytest.raises(expected) as caught:
        await git.run("status")
    assert complaint not in str(caught.value)


async def test_git_sees_our_settings_and_nothing_else(tmp_path: Path) -> None:
    """The hardened environment and options are there; no other variable is."""
    git = fake_git(tmp_path, '#!/bin/sh\nenv\necho "ARGS $*"\n')
    output = (await git.run("status", "-z")).text.splitlines()
    seen = dict(line.partition("=")[::2] for line in output if not line.startswith("ARGS"))
    assert seen.keys() - {"PWD", "OLDPWD", "_", "SHLVL"} == {
        *("PATH", "HOME", "GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS"),
        *("GIT_CONFIG_NOSYSTEM", "LC_ALL"),
    }
    assert output[-1] == (
        "ARGS --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null "
        "-c protocol.allow=never status -z"
    )


async def test_fetching_is_impossible(tmp_path: Path) -> None:
    """protocol.allow=never: even a command that would fetch cannot reach any transport."""
    repository = GitRepository.at(tmp_path)
    repository.git("remote", "add", "origin", str(repository.path))
    with pytest.raises(InternalError):
        await git_of(repository).run("fetch", "origin")


async def test_each_git_command_is_a_span(tmp_path: Path) -> None:
    """One span `git SUBCOMMAND` with the exit code; arguments are not in it."""
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    git = replace(git_of(GitRepository.at(tmp_path)), tracer=provider.get_tracer("test"))
    await git.run("for-each-ref", "refs/heads/secret-name")
    (span,) = spans.get_finished_spans()
    assert span.name == "git for-each-ref"
    assert dict(span.attributes or {}) == {
        "process.executable.name": "git",
        "process.exit.code": 0,
    }
