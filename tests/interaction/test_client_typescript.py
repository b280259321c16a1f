"""Both generations of the TypeScript SDK's client through the router, in every mode."""

import pytest

from tests.from_registries import node_packages
from tests.interaction.real_clients import look_anew, look_twice

pytestmark = [pytest.mark.anyio, pytest.mark.node, pytest.mark.timeout(300)]


@pytest.mark.requirement("gateway.clients")
async def test_they_see_all_before_and_after_a_restart() -> None:
    """The first generation, and the second in each of its modes."""
    versions = {
        "v1": "2025-11-25",
        "v2:legacy": "2025-11-25",
        "v2:auto": "2026-07-28",
        "v2:2026-07-28": "2026-07-28",
    }
    await look_twice(node_packages().script("talk.mjs"), versions)


@pytest.mark.requirement("gateway.clients")
async def test_they_see_all_over_the_event_stream_of_2024_11_05() -> None:
    """`/sse` and `/messages`; their connection ends with the router, a new one is as good."""
    versions = {"v1:sse": "2025-11-25", "v2:sse": "2025-11-25"}
    await look_anew(node_packages().script("talk.mjs"), versions)
