"""Every environment variable that the mesh reads: its settings classes', and credentials."""

import importlib
from collections.abc import Iterator

from trunkline_cli.containers.credentials import VARIABLES
from trunkline_shared.settings import Settings, variable_name

for _module in (
    "trunkline_branch_context.sync.settings",
    "trunkline_cli.builtin",
    "trunkline_jira.settings",
    "trunkline_router.configuration.settings",
    "trunkline_shared.serve",
):
    importlib.import_module(_module)


def _classes(above: type[Settings]) -> Iterator[type[Settings]]:
    for each in above.__subclasses__():
        yield each
        yield from _classes(each)


KNOWN = frozenset({
    *(variable_name(each, field) for each in _classes(Settings) for field in each.model_fields),
    *(variable for variables in VARIABLES.values() for variable in variables),
    "TRUNKLINE_SYNC_TOKEN",
})
"""The names, without `_FILE`."""
