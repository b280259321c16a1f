"""The service that `docs/add-a-service.md` writes is a service that runs."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from mcp import Client

from tests.docs.pages import blocks_of
from trunkline_shared.service import Service
from trunkline_shared.settings import Settings
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

GUIDE = "docs/add-a-service.md"


@pytest.fixture
def service() -> Iterator[Service[Settings]]:
    """Run the guide's Python blocks, one after the other, as one module."""
    module = ModuleType("weather_of_the_guide")
    sys.modules[module.__name__] = module
    for block in blocks_of(GUIDE):
        if block.language == "python":
            exec(compile(block.text, GUIDE, "exec"), vars(module))  # noqa: S102 - our own guide
    yield module.SERVICE
    del sys.modules[module.__name__]


async def test_the_guides_service_answers_a_client(service: Service[Settings]) -> None:
    """A true answer, and an error with its hint."""
    async with (
        service.open(Settings(), in_process_store()) as server,
        serving(server) as url,
        Client(f"{url}/mcp") as client,
    ):
        oslo = await client.call_tool("get_weather", {"city": "Oslo"})
        assert oslo.structured_content == {"city": "Oslo", "celsius": -3.5}
        rome = await client.call_tool("get_weather", {"city": "Rome"})
        assert rome.is_error
        assert "Known: Oslo." in str(rome.content)
