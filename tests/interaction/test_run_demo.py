"""`trunkline run --demo` as a real process: true calls without any account."""

import asyncio
import re
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest
from mcp import Client

from tests.interaction.trunkline_process import (
    PATIENCE_S,
    Ended,
    ended,
    environment,
    pss_kb,
    started,
)
from trunkline_cli.builtin import MODULES
from trunkline_shared.testing.git_repository import GitRepository

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

PSS_KB = 300 * 1024
CALLS: Mapping[str, tuple[str, dict[str, object]]] = {
    "twig": ("get_current_branch", {}),
    "github_comment": ("list_comments", {"issue_number": 1}),
    "github_inline_comment": ("get_commentable_lines", {"pr_number": 2}),
    "github_ci": ("get_ci_status", {"pr_number": 2}),
    "github": ("github_get_issue", {"issue_number": 1}),
    "basecamp": ("list_projects", {}),
    "jira": ("get_jira_issue", {"issue_key": "WID-2"}),
    "bridge": ("get_work_context", {"branch": "tighten-screws"}),
}
"""A call to each server, which nothing but the demo's own data can answer."""


@pytest.mark.requirement("run.demo")
async def test_the_demo_s_example_commands_work_as_printed(tmp_path: Path) -> None:
    """One for each vendor; and a comment can be written and found."""
    env = environment(tmp_path)
    async with started("run", "--demo", env=env, cwd=tmp_path) as running:
        await running.until("Try it")
        await running.until("Ctrl-C")
        examples = [line for line in running.said if " call " in line]
        there = env | {"TRUNKLINE_PORT": port_of(running.said)}
        listed, projects, issue = [await pasted(line, env, tmp_path) for line in examples]
        words = ["owner=acme", "repo=widgets", "issue_number=1", "body=Seen."]
        tool = "github_comment.create_comment"
        written = await ended("call", tool, *words, env=there, cwd=tmp_path)
    assert read(listed)["comments"][0]["author"]["login"] == "bob"
    assert [project["name"] for project in read(projects)["items"]] == ["Office", "Widgets launch"]
    assert read(issue)["summary"] == "Widgets wobble under load"
    assert written.code == 0, written.err


def read(called: Ended) -> Any:
    """Return what a command has printed."""
    assert called.code == 0, called.err
    return orjson.loads(called.out)


async def pasted(line: str, env: dict[str, str], cwd: Path) -> Ended:
    """Run a line as a person pastes it into a shell, which knows nothing but HOME and PATH."""
    bare = {name: env[name] for name in ("HOME", "PATH")}
    process = await asyncio.create_subprocess_shell(
        line, env=bare, cwd=cwd, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(code=process.returncode, out=out.decode(), err=err.decode())


def port_of(said: list[str]) -> str:
    """Return the port that the mesh said it is ready at."""
    (ready,) = [line for line in said if line.startswith("Ready in")]
    return ready.partition("127.0.0.1:")[2].partition("/")[0]


@dataclass(kw_only=True)
class Trap:
    """An address that nobody may come to; keeps what those who come have sent."""

    url: str = ""
    port: int = 0
    came: list[bytes] = field(default_factory=list)


@asynccontextmanager
async def trap() -> AsyncIterator[Trap]:
    """Listen for the length of the block, and hang up on everybody."""
    made = Trap()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        made.came.append(await reader.read(4096))
        writer.close()

    async with await asyncio.start_server(take, "127.0.0.1", 0) as server:
        made.port = server.sockets[0].getsockname()[1]
        made.url = f"http://127.0.0.1:{made.port}"
        yield made


def of_a_developer(home: Path, trapped: Trap) -> dict[str, str]:
    """Return what a developer's shell holds, each address leading to the trap."""
    netrc = home / ".netrc"
    netrc.write_text("default login me password real-secret\n", encoding="utf-8")
    netrc.chmod(0o600)
    secret = home / "secret"
    secret.write_text("real-secret\n", encoding="utf-8")
    return {
        "GITHUB_TOKEN": "real-secret",
        "GH_TOKEN": "real-secret",
        "TRUNKLINE_GITHUB_APP_ID": "1",
        "TRUNKLINE_GITHUB_API_URL": trapped.url,
        "TRUNKLINE_ALLOWED_REPOS": "corp/*",
        "BASECAMP_ACCOUNT_ID": "99",
        "BASECAMP_ACCESS_TOKEN_FILE": str(secret),
        "BASECAMP_REFRESH_TOKEN": "real-secret",
        "BASECAMP_CLIENT_ID": "client",
        "BASECAMP_CLIENT_SECRET": "real-secret",
        "TRUNKLINE_BASECAMP_API_URL": trapped.url,
        "TRUNKLINE_BASECAMP_TOKEN_URL": f"{trapped.url}/authorization/token",
        "JIRA_HOST": trapped.url,
        "TRUNKLINE_JIRA_URL": f"{trapped.url}/jira",
        "JIRA_USERNAME": "me@corp.example",
        "JIRA_API_TOKEN_FILE": str(secret),
        "JIRA_PERSONAL_TOKEN": "real-secret",
        "TRUNKLINE_JIRA_PROJECTS": "CORP",
        "NETRC": str(netrc),
        "TRUNKLINE_REDIS_URL": f"redis://127.0.0.1:{trapped.port}",
        "TRUNKLINE_SERVER_URLS": f"jira={trapped.url}/mcp",
    }


@pytest.mark.requirement("run.demo")
async def test_every_server_answers_from_the_demo_whatever_its_starter_has(tmp_path: Path) -> None:
    """Real credentials and addresses of each vendor reach nothing; the demo's own data answers."""
    made = GitRepository.at(tmp_path)
    made.branch("tighten-screws")
    async with trap() as trapped:
        env = environment(made.home, of_a_developer(made.home, trapped))
        async with started("run", "--demo", env=env, cwd=made.path) as running:
            url = await running.url()
            async with Client(f"{url}/mcp") as client:
                answers = {server: await answered(client, *call) for server, call in CALLS.items()}
                project = {"project_id": launch(answers["basecamp"])}
                messages = await answered(client, "list_messages", project)
                newest = {**project, "message_id": messages["items"][0]["id"]}
                message = await answered(client, "get_message", newest)
                found = await answered(client, "search_jira", {"jql": "project = WID"})
    assert set(CALLS) == set(MODULES)
    assert answers["twig"]["branch"] == "main"
    assert answers["github"]["number"] == 1
    assert answers["jira"]["summary"] == "Widgets wobble under load"
    assert all(part["available"] for part in answers["bridge"].values())
    assert re.match(r"http://127\.0\.0\.1:\d+/browse/WID-2", answers["jira"]["url"])
    assert "We go live in **two weeks**" in str(message)
    assert "WID-2" in [issue["key"] for issue in found["issues"]]
    assert trapped.came == []


def launch(projects: dict[str, Any]) -> int:
    """Return the id of the demo's project."""
    return next(int(one["id"]) for one in projects["items"] if one["name"] == "Widgets launch")


async def answered(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call a tool and return what it answers."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    answer: dict[str, Any] | None = result.structured_content
    assert answer is not None
    return answer


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads /proc (Linux)")
@pytest.mark.requirement("run.small")
async def test_the_demo_is_no_larger_than_a_run_may_be(tmp_path: Path) -> None:
    """Its stand-ins are in the process of the servers only, and fit there."""
    async with started("run", "--demo", env=environment(tmp_path), cwd=tmp_path) as running:
        await running.url()
        sizes = [pss_kb(pid) for pid in (running.process.pid, running.host())]
    assert sum(sizes) < PSS_KB
