"""The first generation of the Python SDK, in an interpreter of its own, through the router."""

import pytest

from tests.from_registries import ROOT, python_with
from tests.interaction.real_clients import look_anew, look_twice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SCRIPT = ROOT / "tests" / "clients" / "python_1" / "talk.py"


@pytest.mark.requirement("gateway.clients")
async def test_it_sees_all_before_and_after_a_restart() -> None:
    """Results, our errors as tool errors, and the refusal of an unknown tool."""
    command = (python_with("mcp==1.30.0"), str(SCRIPT))
    await look_twice(command, {"http": "2025-11-25"})


@pytest.mark.requirement("gateway.clients")
async def test_it_sees_all_over_the_event_stream_of_2024_11_05() -> None:
    """`/sse` and `/messages`; its connection ends with the router, a new one is as good."""
    command = (python_with("mcp==1.30.0"), str(SCRIPT))
    await look_anew(command, {"sse": "2025-11-25"})
