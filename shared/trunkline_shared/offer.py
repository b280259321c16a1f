"""Which of its tools a server offers: toolsets asked for, write groups named, read-only mode.

What is not offered is not listed, and a call of it is a call of an unknown tool.
"""

import difflib
from typing import Annotated, get_args

from mcp_types import ToolAnnotations
from pydantic import BeforeValidator, field_validator
from pydantic_settings import NoDecode

from trunkline_shared.contracts import Policy, WriteGroup
from trunkline_shared.settings import Settings

ALL = "all"
DEFAULT_TOOLSET = "default"
WRITE_GROUPS: tuple[str, ...] = get_args(WriteGroup)


def _names(value: object) -> object:
    if not isinstance(value, str):
        return value
    return frozenset(name for part in value.split(",") if (name := part.strip().lower()))


Names = Annotated[frozenset[str], NoDecode, BeforeValidator(_names)]


class OfferSettings(Settings):
    """Toolsets beyond the default one, write groups, and read-only mode; comma lists or `all`.

    A toolset's name is not checked here: each server knows its own only.
    """

    toolsets: Names = frozenset()
    """Toolsets beyond `default` whose tools are offered, or `all`."""
    enable_writes: Names = frozenset()
    """Write groups whose tools are offered: `delete`, `rerun`, `approve`, `issues`, `jira`, or
    `all`.
    """
    read_only: bool = False
    """Whether no tool that writes is offered."""

    @field_validator("enable_writes")
    @classmethod
    def _known_groups(cls, groups: frozenset[str]) -> frozenset[str]:
        for group in sorted(groups - {ALL, *WRITE_GROUPS}):
            nearest = difflib.get_close_matches(group, WRITE_GROUPS, n=1)
            meant = f"did you mean {nearest[0]!r}?" if nearest else "it is unknown"
            raise ValueError(
                f"there is no write group {group!r}: {meant} "
                f"Use a comma list of {', '.join(WRITE_GROUPS)}, or {ALL}"
            )
        return groups


def is_offered(settings: OfferSettings, annotations: ToolAnnotations, policy: Policy) -> bool:
    """Say whether `settings` ask for a tool that declares these."""
    if settings.read_only and annotations.read_only_hint is not True:
        return False
    if policy.toolset != DEFAULT_TOOLSET and not _named(policy.toolset, settings.toolsets):
        return False
    return policy.write_group is None or _named(policy.write_group, settings.enable_writes)


def _named(name: str, names: frozenset[str]) -> bool:
    return name in names or ALL in names
