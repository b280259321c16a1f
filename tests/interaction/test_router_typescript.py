"""The TypeScript SDK's client through the router: it must be able to read every answer."""

import asyncio
from typing import Any

import orjson
import pytest

from tests.from_registries import node_packages
from tests.interaction.mesh import routing, sample_server
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]


async def what_it_saw(path: str) -> Any:
    packages = node_packages()
    async with (
        asyncio.timeout(60),
        serving(sample_server()) as url,
        routing({"sample": url}) as mesh,
    ):
        process = await asyncio.create_subprocess_exec(
            *packages.script("client.mjs"),
            mesh.url + path,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        stdout, stderr = await process.communicate()
        assert process.returncode == 0, stderr.decode()
        return orjson.loads(stdout)


def payload(result: Any) -> Any:
    assert result["isError"] is True
    return orjson.loads(result["content"][0]["text"])


@pytest.mark.requirement("router.typescript")
@pytest.mark.parametrize("path", ["/mcp", "/servers/sample/mcp"])
async def test_the_typescript_client_lists_calls_and_reads_errors(path: str) -> None:
    """Everything a server offers, progress, tool errors and protocol errors, on both paths."""
    seen = await what_it_saw(path)
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
