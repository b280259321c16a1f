"""The servers that come with Trunkline."""

import importlib

import pytest

from trunkline_cli.builtin import MODULES
from trunkline_router.configuration.settings import BUILT_IN


@pytest.mark.parametrize("server", MODULES)
def test_each_module_holds_the_service_of_that_name(server: str) -> None:
    """The id that the mesh hosts is the id that the service says it has."""
    assert importlib.import_module(MODULES[server]).SERVICE.id == server


def test_the_router_knows_every_server_that_is_hosted() -> None:
    """Laptop and containers have the same servers."""
    assert set(MODULES) == set(BUILT_IN)
