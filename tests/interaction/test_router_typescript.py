"""The TypeScript SDK's client through the router: it must be able to read every answer."""

import asyncio
import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.interaction.mesh import routing, sample_server
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "tests" / "clients" / "typescript"


@pytest.fixture(scope="session")
def node() -> str:
    """Node.js; its absence is a reason to skip on a laptop and a failure in CI."""
    found = shutil.which("node")
    if found and shutil.which("npm"):
        return found
    message = "needs Node.js and npm on PATH"
    if "CI" in os.environ:  # noqa: TID251 - whether an absence may pass is the runner's word
        pytest.fail(message)
    pytest.skip(message)


async def installed() -> Path:
    """Install the pinned client once into the checkout's cache."""
    package = (SOURCE / "package.json").read_bytes()
    folder = ROOT / ".trunkline" / "node" / hashlib.sha256(package).hexdigest()[:12]
    if not (folder / "installed").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_bytes(package)
        await run("npm", "install", "--no-audit", "--no-fund", "--silent", cwd=folder)
        (folder / "installed").touch()
    shutil.copy(SOURCE / "client.mjs", folder)
    return folder


async def run(*command: str, cwd: Path) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *command, cwd=cwd, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    stdout, stderr = await process.communicate()
    assert process.returncode == 0, stderr.decode()
    return stdout


async def what_it_saw(node: str, path: str) -> Any:
    async with asyncio.timeout(150), serving(sample_server()) as url:
        folder = await installed()
        async with routing({"sample": url}) as mesh:
            return orjson.loads(await run(node, "client.mjs", mesh.url + path, cwd=folder))


def payload(result: Any) -> Any:
    assert result["isError"] is True
    return orjson.loads(result["content"][0]["text"])


@pytest.mark.requirement("router.typescript")
@pytest.mark.parametrize("path", ["/mcp", "/servers/sample/mcp"])
async def test_the_typescript_client_lists_calls_and_reads_errors(node: str, path: str) -> None:
    """Everything a server offers, progress, tool errors and protocol errors, on both paths."""
    seen = await what_it_saw(node, path)
    assert seen["version"] == "2025-11-25"
    assert {"echo", "count", "fail"} <= set(seen["tools"])
    assert seen["resources"] == ["sample://fixed"]
    assert seen["templates"] == ["sample://item/{number}"]
    assert seen["prompts"] == ["greet"]
    assert seen["echo"]["structuredContent"] == {"said": "hello"}
    assert seen["echo"]["_meta"]["dev.trunkline/call"]["source"] == "upstream"
    assert seen["count"]["structuredContent"] == {"said": "2 steps"}
    assert seen["heard"] == [1, 2]
    assert seen["resource"] == "item 7"
    assert "Ada" in seen["prompt"]
    assert payload(seen["toolError"])["error_code"] == "NOT_FOUND"
    assert payload(seen["badArgument"])["error_code"] == "INVALID_INPUT"
    assert seen["unknownTool"]["code"] == -32602
    assert "Did you mean 'echo'?" in seen["unknownTool"]["message"]
    assert seen["unknownResource"]["code"] in {-32602, -32002}
