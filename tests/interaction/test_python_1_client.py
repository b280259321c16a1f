"""The first generation of the Python SDK, in an interpreter of its own, through the router."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interaction.mesh import routing, sample_server
from trunkline_cli.environment import variables
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests/clients/python_1/talk.py"
VERSION = "1.30.0"


@pytest.fixture(scope="session")
def interpreter() -> str:
    """Return a Python that has mcp 1.x, made once in the checkout's own folder."""
    home = ROOT / ".trunkline" / f"mcp-{VERSION}"
    python = home / "bin" / "python"
    if (home / "ready").exists():
        return str(python)
    try:
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True, capture_output=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "-q", f"mcp=={VERSION}"],
            check=True,
            capture_output=True,
            timeout=150,
        )
    except (subprocess.SubprocessError, OSError) as error:
        if variables().get("CI"):
            raise
        pytest.skip(f"mcp {VERSION} could not be installed from the registry: {error}")
    (home / "ready").touch()
    return str(python)


async def test_the_first_generation_client_reads_results_and_errors(interpreter: str) -> None:
    """Results, our errors as tool errors, and the refusal of an unknown tool."""
    async with serving(sample_server()) as url, routing({"a": url}) as mesh:
        process = await asyncio.create_subprocess_exec(
            interpreter, str(SCRIPT), mesh.mcp, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        async with asyncio.timeout(60):
            out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    read = json.loads(out)
    assert read["version"] == "2025-11-25"
    assert "echo" in read["tools"]
    assert read["structured"] == {"said": "hello"}
    assert read["failed"]["isError"]
    assert json.loads(read["failed"]["text"])["error_code"] == "NOT_FOUND"
    assert json.loads(read["wrong"]["text"])["error_code"] == "INVALID_INPUT"
    assert read["refused"]["code"] == -32602
    assert "'echo'" in read["refused"]["message"]
