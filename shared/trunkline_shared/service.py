"""What makes a service: its names, its settings, and how to open its server."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Generic, TypeVar

from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings, load

SettingsT = TypeVar("SettingsT", bound=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service(Generic[SettingsT]):
    """One MCP server of the mesh.

    `id` is what agents see (`github_comment`), `container` what operators see (`comment`).
    `open` builds the server with everything it needs and closes all of it at the end.
    """

    id: str
    container: str
    version: str
    settings: type[SettingsT]
    open: Callable[[SettingsT], AbstractAsyncContextManager[ToolServer]]

    def open_from_environment(self) -> AbstractAsyncContextManager[ToolServer]:
        """Open the server with settings from the environment.

        Raises ConfigurationError.
        """
        return self.open(load(self.settings))
