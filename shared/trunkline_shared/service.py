"""What makes a service: its names, its settings, and how to open its server."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings, load
from trunkline_shared.store.store import Store

SettingsT = TypeVar("SettingsT", bound=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A command-line option that sets one field of a service's settings."""

    flag: str
    field: str
    metavar: str
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Service(Generic[SettingsT]):
    """One MCP server of the mesh.

    `id` is what agents see (`github_comment`), `container` what operators see (`comment`).
    `open` builds the server with everything it needs and closes all of it at the end; the store
    that it is given is the whole process's, and stays open.
    `given` holds settings that go before the environment's.
    """

    id: str
    container: str
    version: str
    settings: type[SettingsT]
    open: Callable[[SettingsT, Store], AbstractAsyncContextManager[ToolServer]]
    options: tuple[Option, ...] = ()
    given: Mapping[str, object] = field(default_factory=dict)

    def with_given(self, given: Mapping[str, object]) -> "Service[SettingsT]":
        """Return the service with `given` settings before the environment's."""
        return replace(self, given={**self.given, **given})

    def open_from_environment(self, store: Store) -> AbstractAsyncContextManager[ToolServer]:
        """Open the server with settings from the environment.

        Raises ConfigurationError.
        """
        return self.open(load(self.settings, self.given), store)
