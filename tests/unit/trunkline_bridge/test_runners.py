"""Which runners a setting names."""

import pytest

from trunkline_bridge.command.runner import CommandRunner
from trunkline_bridge.runners import runners_of
from trunkline_bridge.sampling.sampling_runner import SamplingRunner
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.clock import SystemClock
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.settings import ConfigurationError, load

pytestmark = pytest.mark.anyio


async def named(setting: str) -> list[tuple[str, ...]]:
    """Return the words of each runner; those of the caller's own model are `sampling`."""
    settings = load(BridgeSettings, {"bridge_runner": setting})
    async with open_http(SystemClock()) as http:
        asking = Asking(http=http, name="bridge", version="1")
        runners = runners_of(settings, asking, SystemClock())
    words = []
    for runner in runners:
        assert isinstance(runner, CommandRunner | SamplingRunner)
        words.append(runner.words if isinstance(runner, CommandRunner) else ("sampling",))
    return words


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("", []),
        (" , ", []),
        ("claude", [("claude",)]),
        ("sampling, claude", [("sampling",), ("claude",)]),
        ("'/opt/my agent/run' --fast", [("/opt/my agent/run", "--fast")]),
    ],
)
async def test_each_part_is_a_runner(setting: str, words: list[tuple[str, ...]]) -> None:
    """In the order of the setting; a command's words are parted as a shell parts them."""
    assert await named(setting) == words


def test_an_open_quote_is_named_at_the_start() -> None:
    """The variable, its value, and what is wrong."""
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_BRIDGE_RUNNER=.*No closing quotation"):
        load(BridgeSettings, {"bridge_runner": "claude --x 'y"})
