"""The router under proof, and the servers behind it, each in a process of its own."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from trunkline_router.identity.key_callers import digest_of

KEY_SECRET = "soak-key-secret-4711"
KEY = f"tl_soak_{KEY_SECRET}"
SECRET = "soak-signing-secret-4712"
SERVER_TOKEN = "soak-server-token-4713"
MESH_KEY = "soak-mesh-key-4714"
_SECRETS = (KEY_SECRET, SECRET, SERVER_TOKEN, MESH_KEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A running router; `secrets` are the texts that nobody may ever read in what it says."""

    port: int
    secrets: tuple[bytes, ...]
    log: Path
    _router: "subprocess.Popen[str]"

    def resident(self) -> int:
        """Return the router's memory, in bytes, after a collection."""
        assert self._router.stdin is not None
        assert self._router.stdout is not None
        self._router.stdin.write("\n")
        self._router.stdin.flush()
        return int(self._router.stdout.readline())

    @property
    def alive(self) -> bool:
        return self._router.poll() is None

    def leaks(self, text: bytes) -> list[str]:
        """Return the secrets that stand in a text."""
        return [secret.decode() for secret in self.secrets if secret in text]


@contextmanager
def running_subject(*, keys: bool, lives_s: float) -> Iterator[Subject]:
    """Run the servers and a router before them, with or without API keys.

    One server crashes whenever it has lived for `lives_s` seconds.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        (Path(folder) / "log").open("w", encoding="utf-8") as log,
        _process("tests.soak.servers", log, str(lives_s)) as servers,
        _process("tests.soak.router", log) as router,
    ):
        assert servers.stdout is not None
        ports: Mapping[str, int] = json.loads(servers.stdout.readline())
        urls = {name: f"http://127.0.0.1:{port}/mcp" for name, port in ports.items()}
        assert router.stdin is not None
        assert router.stdout is not None
        router.stdin.write(json.dumps(_plan(urls, keys=keys)) + "\n")
        router.stdin.flush()
        yield Subject(
            port=int(router.stdout.readline()),
            secrets=tuple(
                text.encode() for text in (*_SECRETS, *(f":{port}" for port in ports.values()))
            ),
            log=Path(folder) / "log",
            _router=router,
        )


def _plan(urls: Mapping[str, str], *, keys: bool) -> Mapping[str, object]:
    token = {"Authorization": f"Bearer {SERVER_TOKEN}"}
    # Room for every client at one server at once: what is full is another promise's subject.
    room = {"concurrency": 256, "queue": 1024}
    entries = {
        name: {"url": url, "headers": token, **room, "timeout_s": 3 if name == "hanging" else 60}
        for name, url in urls.items()
    }
    scopes = ["tools", "contexts", "observe", "admin"]
    entry = {"id": "soak", "hash": digest_of(KEY_SECRET), "scopes": scopes}
    return {
        "settings": {"server_urls": urls, "secret": SECRET, "mesh_key": MESH_KEY},
        "configuration": {"servers": entries, "keys": [entry] if keys else []},
    }


@contextmanager
def _process(module: str, log: IO[str], *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    try:
        yield process
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
        process.stdout.close()
