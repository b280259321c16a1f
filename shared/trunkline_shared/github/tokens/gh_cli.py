"""The token that the gh command line has, when it is installed."""

import asyncio
import shutil
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GhCli:
    """Asks `gh auth token` for the token of a host; `command` is looked up in PATH."""

    host: str
    command: str = "gh"
    timeout_s: float = 5.0

    async def token(self) -> str | None:
        """Return the token, or None when gh is absent, not signed in, or too slow."""
        executable = shutil.which(self.command)
        if executable is None:
            return None
        # in a thread, because there it is ended and reaped also when the caller has gone
        return await asyncio.to_thread(self._ask, executable)

    def _ask(self, executable: str) -> str | None:
        try:
            answer = subprocess.run(  # noqa: S603 - a fixed argument list, no shell
                [executable, "auth", "token", "--hostname", self.host],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=self.timeout_s,
                check=True,
            )
        except (subprocess.SubprocessError, OSError):
            return None
        return answer.stdout.decode(errors="replace").strip() or None
