"""LiteLLM's MCP gateway, asked by its master key."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from bench.peers.peer import CALL, Peer, version_of
from bench.processes import listening
from bench.readiness import free_port

_KEY = "sk-of-no-use-elsewhere"
_TOOL = "up-echo"


def opened(programs: Path, upstream: int, stack: ExitStack) -> Sequence[Peer]:
    """Run it without a database; it does not know 2026-07-28 yet, and asks for no session."""
    port = free_port()
    file = Path(stack.enter_context(TemporaryDirectory())) / "litellm.yaml"
    up = {"url": f"http://127.0.0.1:{upstream}/mcp", "transport": "http", "allow_all_keys": True}
    settings = {
        "mcp_servers": {"up": up},
        "general_settings": {"master_key": _KEY},
        "litellm_settings": {"telemetry": False},
    }
    file.write_text(yaml.safe_dump(settings), encoding="utf-8")
    command = [str(programs / "litellm"), "--config", str(file), "--host", "127.0.0.1"]
    variables = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    running = listening("litellm", [*command, "--port", str(port)], port, variables)
    operation = replace(
        CALL,
        params={"name": _TOOL, "arguments": {"text": "hello"}},
        alone=True,
        headers={"x-litellm-api-key": f"Bearer {_KEY}"},
    )
    label = f"LiteLLM {version_of(programs, 'litellm')}"
    subject = stack.enter_context(running)
    return [Peer(label=label, subject=subject, operation=operation, slowness=30)]
