"""A real Redis on a socket of its own, which a test may stop, flush and kill."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import redis

from trunkline_shared.settings import load
from trunkline_shared.store.settings import StoreSettings

IN_CI = os.environ.get("CI") == "true"  # noqa: TID251 - what CI must have, a laptop may lack


@dataclass(kw_only=True)
class RedisProcess:
    """A Redis without persistence: one that starts again has lost all that was not saved."""

    program: str
    folder: Path
    options: tuple[str, ...] = ()
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    @property
    def socket(self) -> Path:
        return self.folder / "redis.sock"

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def settings(self) -> StoreSettings:
        return load(StoreSettings, {"redis_url": self.url})

    def start(self) -> None:
        """Start, and return when connections are accepted."""
        self._process = subprocess.Popen(
            [
                *(self.program, "--port", "0", "--save", "", "--dir", str(self.folder)),
                *("--unixsocket", str(self.socket), *self.options),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert any("eady to accept" in line for line in self._process.stdout)

    def save(self) -> None:
        """Write the file that the next start begins from."""
        with self.look() as client:
            client.save()

    def kill(self) -> None:
        """End it as a power cut would."""
        if self._process is not None:
            self.resume()
            self._process.kill()
            self._process.wait(10)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def pause(self) -> None:
        """Let it answer nobody, with its connections open."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on where it was."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    @contextmanager
    def look(self, password: str | None = None) -> Iterator["redis.Redis"]:
        """Connect as the test itself."""
        client = redis.Redis(
            unix_socket_path=str(self.socket), decode_responses=True, password=password
        )
        try:
            yield client
        finally:
            client.close()

    def keys(self) -> list[str]:
        """Return the names of all that is kept."""
        with self.look() as client:
            return [str(name) for name in client.scan_iter()]

    def starts(self, key: str) -> list[float]:
        """Return the second at which each turn of a key begins, in order."""
        with self.look() as client:
            kept: Any = client.zrange(f"trunkline:1:turns:{key}", 0, -1, withscores=True)
        return [float(score) / 1_000_000 for _, score in kept]


@contextmanager
def running_redis(*options: str) -> Iterator[RedisProcess]:
    """Run a Redis for the block; without one installed, skip on a laptop and fail in CI."""
    program = shutil.which("redis-server")
    if program is None:
        reason = "redis-server is not installed (Debian, Ubuntu: apt install redis-server)"
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    # A socket's path must be short, which those of pytest's own folders are not everywhere.
    with tempfile.TemporaryDirectory(prefix="tl-") as folder:
        process = RedisProcess(program=program, folder=Path(folder), options=options)
        process.start()
        try:
            yield process
        finally:
            process.kill()
