"""branch-context as a process of its own, over stdio, on the checkout named by `--repo`."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import TextContent

from trunkline_shared.testing.git_repository import GitRepository, twig_state

pytestmark = pytest.mark.anyio


async def test_the_checkout_is_named_on_the_command_line(tmp_path: Path) -> None:
    """`python -m trunkline_branch_context --stdio --repo PATH`: that checkout, with its paths."""
    repository = GitRepository.at(tmp_path)
    repository.twig(twig_state(branches={"main": ("PROJ-3", 3)}))
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "trunkline_branch_context", "--stdio", "--repo", str(repository.path)],
        env={**repository.environment, "TRUNKLINE_REPO_PATH": str(tmp_path / "elsewhere")},
        cwd=tmp_path,
    )
    async with asyncio.timeout(30), Client(stdio_client(program)) as client:
        (block,) = (await client.call_tool("get_current_branch")).content
    assert isinstance(block, TextContent)
    answer = json.loads(block.text)
    assert (answer["branch"], answer["pr_number"]) == ("main", 3)
    assert answer["worktree"]["path"] == str(repository.path)


async def test_the_current_directory_is_the_checkout_by_default(tmp_path: Path) -> None:
    """Started inside a checkout, it answers about that one."""
    repository = GitRepository.at(tmp_path)
    repository.switch("here")
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "trunkline_branch_context", "--stdio"],
        env=repository.environment,
        cwd=repository.path,
    )
    async with asyncio.timeout(30), Client(stdio_client(program)) as client:
        (block,) = (await client.call_tool("get_current_branch")).content
    assert isinstance(block, TextContent)
    assert json.loads(block.text)["branch"] == "here"
