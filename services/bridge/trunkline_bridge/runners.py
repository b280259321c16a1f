"""Who answers prompts: the runners that the settings name, in their order."""

from typing import Final

from trunkline_bridge.query.runner import Runner
from trunkline_bridge.sampling.sampling_runner import SamplingRunner
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.clock import Clock
from trunkline_shared.mesh.asking import Asking

SAMPLING: Final = "sampling"


def runners_of(settings: BridgeSettings, asking: Asking, clock: Clock) -> tuple[Runner, ...]:
    """Return a runner for each word of `bridge_runner`."""
    words = (word.strip() for word in settings.bridge_runner.split(","))
    return tuple(SamplingRunner(asking=asking, clock=clock) for word in words if word == SAMPLING)
