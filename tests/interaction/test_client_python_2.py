"""The second generation of the Python SDK, in every mode, through the router."""

import sys

import pytest

from tests.from_registries import ROOT
from tests.interaction.real_clients import look_anew, look_twice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

SCRIPT = ROOT / "tests" / "clients" / "python_2" / "talk.py"


@pytest.mark.requirement("gateway.clients")
async def test_it_sees_all_before_and_after_a_restart() -> None:
    """Each mode in its era; the pinned one without any discovery before (clients.md 2)."""
    versions = {"auto": "2026-07-28", "legacy": "2025-11-25", "2026-07-28": "2026-07-28"}
    await look_twice((sys.executable, str(SCRIPT)), versions)


@pytest.mark.requirement("gateway.clients")
async def test_it_sees_all_over_the_event_stream_of_2024_11_05() -> None:
    """`/sse` and `/messages`; its connection ends with the router, a new one is as good."""
    await look_anew((sys.executable, str(SCRIPT)), {"sse": "2025-11-25"})
