"""The command of the webhooks' page does what the page says."""

import os
import re
import shutil
from pathlib import Path

import anyio
import pytest

from tests.interaction.delivering import GITHUB_SECRET, hooked
from tests.interaction.upstreams import Scripted, running

pytestmark = pytest.mark.anyio

TEXT = (Path(__file__).parents[2] / "docs/webhooks.md").read_text(encoding="utf-8")
NEEDED = ("curl", "openssl", "sh")


@pytest.mark.skipif(not all(map(shutil.which, NEEDED)), reason=f"needs {', '.join(NEEDED)}")
async def test_the_command_delivers_an_event() -> None:
    """As printed, with the router's own port in the place of the usual one."""
    (command,) = re.findall(r"```sh\n(BODY=.*?)```", TEXT, re.DOTALL)
    (printed,) = re.findall(r"It prints `(.*?)`\.", TEXT)
    async with running(Scripted()) as url, hooked({"scripted": url}) as mesh:
        done = await anyio.run_process(
            ["sh", "-c", command.replace("8470", str(mesh.port))],
            env={"PATH": os.defpath, "TRUNKLINE_GITHUB_WEBHOOK_SECRET": GITHUB_SECRET},
        )
    assert done.stdout.decode() == printed
