"""What is loaded with the client's modules, and by which names they are had."""

import subprocess
import sys

import pytest

from trunkline_shared import client

HEAVY = ("aiohttp", "mcp", "opentelemetry", "pydantic", "orjson")


@pytest.mark.requirement("bridge.client-light")
def test_building_a_configuration_loads_no_http_client() -> None:
    """Command lines begin with it; only who opens the mesh waits for what that needs."""
    script = (
        "import sys; from trunkline_shared.client import build_allowed_mcp_tools as build;"
        f"build(['x']); print([name for name in {HEAVY!r} if name in sys.modules]);"
        "from trunkline_shared.client import MeshClient; print('aiohttp' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.splitlines() == ["[]", "True"]


@pytest.mark.requirement("bridge.client-light")
@pytest.mark.parametrize("name", client.__all__)
def test_every_name_is_there(name: str) -> None:
    """Those that are loaded when they are asked for as well."""
    assert getattr(client, name).__name__ == name


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    """As of any module."""
    with pytest.raises(AttributeError, match="MeshKlient"):
        _ = client.MeshKlient  # type: ignore[attr-defined]  # that is the point
