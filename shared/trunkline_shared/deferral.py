"""A package whose `__init__` runs only when something of the package itself is asked for.

`import mcp.shared.inbound`, some functions on strings, runs `mcp/__init__` first, which is the
whole SDK: its client, its server, and the libraries of both. Deferred, the submodule is all that
is imported; `from mcp import Client` still runs `__init__`, then.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


def defer(package: str) -> None:
    """Have a package that is not yet imported run its `__init__` late, or never."""
    deferring = _Deferring(package)
    if deferring not in sys.meta_path:
        sys.meta_path.insert(0, deferring)


@dataclass(frozen=True, slots=True)
class _Deferring(MetaPathFinder):
    """Finds one package, where the usual finder has it."""

    package: str

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.package:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Late(spec.loader)
        return spec


class _Late(Loader):
    """Loads a package as `loader` does, once an attribute is looked for that it has not."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__loader__ = self._loader

        def asked(name: str) -> object:
            # Gone before it runs: what `__init__` itself looks for in vain is not there.
            vars(module).pop("__getattr__", None)
            self._loader.exec_module(module)
            return getattr(module, name)

        vars(module)["__getattr__"] = asked
