"""The clients of FastMCP and of Pydantic AI, in an interpreter of their own, through the router."""

import pytest

from tests.from_registries import ROOT, python_with
from tests.interaction.real_clients import look_anew, look_twice

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SCRIPT = ROOT / "tests" / "clients" / "agents" / "talk.py"
FRAMEWORKS = ("fastmcp==4.1.2", "pydantic-ai-slim[mcp]==2.68.0")


@pytest.mark.requirement("gateway.clients")
async def test_they_see_all_before_and_after_a_restart() -> None:
    """Both in both eras."""
    versions = {
        "fastmcp:auto": "2026-07-28",
        "fastmcp:legacy": "2025-11-25",
        "pydantic-ai:auto": "2026-07-28",
        "pydantic-ai:legacy": "2025-11-25",
    }
    await look_twice((python_with(*FRAMEWORKS), str(SCRIPT)), versions)


@pytest.mark.requirement("gateway.clients")
async def test_they_see_all_over_the_event_stream_of_2024_11_05() -> None:
    """`/sse` and `/messages`; their connection ends with the router, a new one is as good."""
    versions = {"fastmcp:sse": "2025-11-25", "pydantic-ai:sse": "2025-11-25"}
    await look_anew((python_with(*FRAMEWORKS), str(SCRIPT)), versions)
