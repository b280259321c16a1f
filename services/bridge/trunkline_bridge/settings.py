"""What the bridge needs from its environment."""

import shlex

from pydantic import Field, field_validator

from trunkline_shared.offer import OfferSettings
from trunkline_shared.signing import SigningSettings


class BridgeSettings(OfferSettings, SigningSettings):
    """Which agent answers prompts, and how many at a time."""

    bridge_runner: str = ""
    """Who answers `query_mcp`: a command such as `claude`, or `sampling` for the caller's own
    model; a comma list is tried in its order. `query_mcp` answers UNSUPPORTED without it.
    """
    bridge_concurrent: int = Field(4, ge=1, le=64)
    """How many runs the bridge has underway."""
    bridge_concurrent_per_caller: int = Field(2, ge=1, le=64)
    """How many of them one caller may have."""
    bridge_queue: int = Field(16, ge=0, le=1024)
    """How many more may wait for their turn; beyond them the answer is OVERLOADED."""

    @field_validator("bridge_runner")
    @classmethod
    def _words(cls, given: str) -> str:
        for part in given.split(","):
            try:
                shlex.split(part)
            except ValueError as error:
                raise ValueError(
                    f"the command {part.strip()!r} has an end missing: {error}"
                ) from None
        return given
