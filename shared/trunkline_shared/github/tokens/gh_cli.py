"""The token that the gh command line has, when it is installed."""

import asyncio
import contextlib
import shutil
from dataclasses import dataclass

TIMEOUT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GhCli:
    """Asks `gh auth token` for the token of a host; `command` is looked up in PATH."""

    host: str
    command: str = "gh"

    async def token(self) -> str | None:
        """Return the token, or None when gh is absent, not signed in, or slower than 5 s."""
        executable = shutil.which(self.command)
        if executable is None:
            return None
        process = await asyncio.create_subprocess_exec(
            executable,
            "auth",
            "token",
            "--hostname",
            self.host,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(TIMEOUT_S):
                said, _ = await process.communicate()
        except TimeoutError:
            return None
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return said.decode(errors="replace").strip() or None if process.returncode == 0 else None
