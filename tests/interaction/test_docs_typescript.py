"""The TypeScript of docs/connect.md, run as it stands against the demo."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.from_registries import node_packages
from tests.interaction.trunkline_process import environment, run_to_end, started

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]

TEXT = (Path(__file__).parents[2] / "docs/connect.md").read_text(encoding="utf-8")


@pytest.mark.requirement("shipping.docs-connect")
async def test_the_typescript_of_the_page_lists_and_calls(tmp_path: Path) -> None:
    """With nothing changed but the port; packages are found beside the script."""
    packages = node_packages()
    (code,) = re.findall(r"```typescript\n(.*?)```", TEXT, re.DOTALL)
    env = environment(tmp_path)
    async with started("run", "--demo", env=env, cwd=tmp_path) as running:
        url = await running.url()
        script = packages.folder / f"of_the_page_{running.process.pid}.mjs"
        try:
            shown = code.replace("http://127.0.0.1:8470", url)
            await asyncio.to_thread(script.write_text, shown, encoding="utf-8")
            done = await run_to_end([packages.node, str(script)], env=env, cwd=tmp_path)
        finally:
            script.unlink(missing_ok=True)
    assert done.out == "53 tools\nfailing\n", done.err
