"""Who answers prompts: the runners that the settings name, in their order."""

from typing import Final

from trunkline_bridge.command.runner import CommandRunner
from trunkline_bridge.query.runner import Runner
from trunkline_bridge.sampling.sampling_runner import SamplingRunner
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.clock import Clock
from trunkline_shared.mesh.asking import Asking

SAMPLING: Final = "sampling"


def runners_of(settings: BridgeSettings, asking: Asking, clock: Clock) -> tuple[Runner, ...]:
    """Return a runner for each part of `bridge_runner`: the caller's own model, or a command."""
    parts = (part.strip() for part in settings.bridge_runner.split(","))
    return tuple(
        SamplingRunner(asking=asking, clock=clock)
        if part == SAMPLING
        else CommandRunner.of(part, clock)
        for part in parts
        if part
    )
