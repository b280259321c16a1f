"""ContextForge, in one process on SQLite, asked by an administrator's token in a session."""

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from bench.peers.peer import CALL, Peer, version_of
from bench.processes import listening
from bench.readiness import free_port

_SECRET = "of-no-use-elsewhere-but-long-enough"  # noqa: S105 - it opens what ends with the run
_PASSWORD = "Of-no-use-elsewhere-1"  # noqa: S105 - the same
_ADMIN = "admin@example.com"
_TOOL = "up-echo"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Administration:
    port: int
    token: str

    def ask(self, path: str, given: object = None) -> Any:
        """Ask the gateway's own API. Raises RuntimeError when it refuses."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {**self.headers, "Content-Type": "application/json"}
        body = None if given is None else orjson.dumps(given)
        connection.request("GET" if body is None else "POST", path, body, headers)
        answer = connection.getresponse()
        told = answer.read()
        connection.close()
        if answer.status >= 400:  # noqa: PLR2004 - where errors begin
            raise RuntimeError(f"ContextForge refuses {path}: {told[:200]!r}")
        return orjson.loads(told)

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def opened(programs: Path, upstream: int, stack: ExitStack) -> Sequence[Peer]:
    """Run it with a database of its own, and have it serve the upstream's tools."""
    port, folder = free_port(), stack.enter_context(TemporaryDirectory())
    variables = _variables(folder)
    # It leaves files where it is started.
    begin = ["/usr/bin/env", "-C", folder]
    token = _token(programs, [*begin, *(f"{name}={text}" for name, text in variables.items())])
    command = [*begin, str(programs / "mcpgateway"), "--host", "127.0.0.1", "--port", str(port)]
    subject = stack.enter_context(listening("contextforge", command, port, variables))
    administration = _Administration(port=port, token=token)
    url = f"http://127.0.0.1:{upstream}/mcp"
    administration.ask("/gateways", {"name": "up", "url": url, "transport": "STREAMABLEHTTP"})
    ids = [tool["id"] for tool in administration.ask("/tools")]
    offered = {"server": {"name": "bench", "associated_tools": ids}}
    server = administration.ask("/servers", offered)["id"]
    operation = replace(
        CALL,
        params={"name": _TOOL, "arguments": {"text": "hello"}},
        path=f"/servers/{server}/mcp",
        session=True,
        headers=administration.headers,
    )
    label = f"ContextForge {version_of(programs, 'mcp-contextforge-gateway')}"
    return [Peer(label=label, subject=subject, operation=operation, slowness=30)]


def _variables(folder: str) -> Mapping[str, str]:
    return {
        "DATABASE_URL": f"sqlite:///{folder}/mcp.db",
        "CACHE_TYPE": "memory",
        "JWT_SECRET_KEY": _SECRET,
        "AUTH_ENCRYPTION_SECRET": _SECRET,
        "PLATFORM_ADMIN_EMAIL": _ADMIN,
        "PLATFORM_ADMIN_PASSWORD": _PASSWORD,
        "DEFAULT_USER_PASSWORD": _PASSWORD,
        "BASIC_AUTH_PASSWORD": _PASSWORD,
        "SSRF_ALLOW_LOCALHOST": "true",
        "RATE_LIMITING_ENABLED": "false",
        "USE_STATEFUL_SESSIONS": "true",
        "LOG_LEVEL": "ERROR",
    }


def _token(programs: Path, begin: Sequence[str]) -> str:
    made = [str(programs / "python"), "-m", "mcpgateway.utils.create_jwt_token"]
    whose = ["--username", _ADMIN, "--exp", "10080", "--secret", _SECRET, "--admin"]
    done = subprocess.run(
        [*begin, *made, *whose], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout.split()[-1]
