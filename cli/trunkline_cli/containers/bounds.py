"""What a mesh is held to: a bound that held at its last start is not lost by forgetting it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from trunkline_cli.containers.state_folder import OWNERS_FILE, StateFolder, text_of, written
from trunkline_cli.failure import USAGE, CommandFailed

_LIFTED: Mapping[str, tuple[str, ...]] = {
    "TRUNKLINE_ALLOWED_REPOS": ("*/*",),
    "TRUNKLINE_JIRA_PROJECTS": ("*",),
    "TRUNKLINE_READ_ONLY": ("0", "false", "no", "off"),
}
"""The bounds, and what says of each that it is none."""


def bounds_of(environments: Iterable[Mapping[str, str | None]]) -> dict[str, str]:
    """Return what containers are told of bounds, those that are none included."""
    told: dict[str, str] = {}
    for environment in environments:
        told |= {name: value for name in _LIFTED if (value := environment.get(name))}
    return told


def keep_bounds(state: StateFolder, told: Mapping[str, str]) -> None:
    """Remember the bounds that hold from this start on.

    Raises CommandFailed for one of the last start of which nothing is said now.
    """
    for name, value in _before(state).items():
        if name not in told:
            raise CommandFailed(
                f"{name}={value} held for this mesh at its last start, and is not set now. Set it "
                "again; in a file .env beside compose.yaml it lasts. "
                f"{name}={_LIFTED[name][0]} takes the bound away.",
                USAGE,
            )
    holding = {name: value for name, value in told.items() if value.lower() not in _LIFTED[name]}
    written(state.bounds, json.dumps(holding) + "\n", OWNERS_FILE)


def _before(state: StateFolder) -> Mapping[str, str]:
    try:
        known: dict[str, Any] = dict(json.loads(text_of(state.bounds) or "{}"))
        return {name: str(known[name]) for name in _LIFTED if name in known}
    except (TypeError, ValueError):
        raise CommandFailed(
            f"{state.bounds} does not say what this mesh was held to. Delete it, and set what it "
            f"is to be held to: {', '.join(_LIFTED)}."
        ) from None
