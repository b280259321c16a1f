"""The private folder of one run: the command's homes, and how it reaches the mesh."""

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import orjson

from trunkline_bridge.command.removal import remove
from trunkline_shared.mesh.entrance import Entrance

PREFIX: Final = "trunkline-run-"
_PRIVATE: Final = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """A folder that only its owner can read, with an empty one in it to work in."""

    folder: Path

    @classmethod
    def made(
        cls, prompt: str, servers: Iterable[str], mesh: Entrance, below: Path | None
    ) -> "Workplace":
        """Make one, below the machine's folder for temporary files by default. Raises OSError."""
        place = cls(folder=Path(tempfile.mkdtemp(prefix=PREFIX, dir=below)))
        try:
            for name in ("home", "config", "tmp", "work"):
                (place.folder / name).mkdir()
            _write(place.mcp_config, orjson.dumps(_mcp_config(servers, mesh)))
            # What begins with a slash would be taken for a command of the agent itself.
            _write(place.folder / "prompt", b"\n" + prompt.encode(errors="replace"))
        except BaseException:
            place.remove()
            raise
        return place

    @property
    def mcp_config(self) -> Path:
        return self.folder / "mcp.json"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def homes(self) -> Mapping[str, str]:
        """The variables that keep whatever a command writes in here."""
        names = {"HOME": "home", "CLAUDE_CONFIG_DIR": "config", "TMPDIR": "tmp"}
        return {name: str(self.folder / below) for name, below in names.items()}

    def prompt(self) -> BinaryIO:
        """Open the prompt. Raises OSError."""
        return (self.folder / "prompt").open("rb")

    def remove(self) -> None:
        """Remove it with all that is in it."""
        remove(self.folder)


def _write(path: Path, content: bytes) -> None:
    path.touch(mode=_PRIVATE, exist_ok=False)
    path.write_bytes(content)


def _mcp_config(servers: Iterable[str], mesh: Entrance) -> dict[str, object]:
    """Name each server by its id, so that its tools are called `mcp__{id}__{tool}`."""
    return {
        "mcpServers": {
            server: {"type": "http", "url": to.url, "headers": to.headers}
            for server in servers
            for to in (mesh.of_server(server),)
        }
    }
