"""The checkout, by git's command line."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from release.refusing import Refused


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with a git repository."""

    root: Path

    def changes(self) -> str:
        """Return what differs from the last commit, files that git does not know included."""
        return self._git("status", "--porcelain")

    def subject(self) -> str:
        """Return the first line of the last commit's message."""
        return self._git("log", "-1", "--format=%s")

    def revision(self) -> str:
        """Return the last commit, `-dirty` behind it if files differ; `unknown` without git."""
        try:
            return self._git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
        except Refused:
            return "unknown"

    def commit(self, subject: str) -> None:
        """Commit every change of a file that git knows."""
        self._git("commit", "--quiet", "--all", f"--message={subject}")

    def restore(self) -> None:
        """Take back every change of a file that git knows."""
        self._git("reset", "--quiet", "--hard")

    def tagged(self, tag: str) -> str:
        """Return the commit that a tag marks; nothing if there is no such tag."""
        form = "--format=%(*objectname)%(objectname)"
        return self._git("for-each-ref", form, f"refs/tags/{tag}")[:40]

    def tag(self, tag: str, message: str) -> None:
        """Mark the last commit."""
        self._git("tag", "--annotate", "--cleanup=verbatim", f"--message={message}", tag)

    def _git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise Refused(f"git {' '.join(words[:1])} failed: {done.stderr.strip()}")
        return done.stdout.strip()
