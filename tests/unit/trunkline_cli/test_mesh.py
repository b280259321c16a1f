"""The mesh on a machine is prepared with what its starter may expect of it."""

import pytest

from trunkline_cli.mesh import Mesh, prepare


def prepared() -> Mesh:
    """Prepare a mesh and close what it bound."""
    mesh = prepare(host="127.0.0.1", port=0, log_level="WARNING")
    for on in (mesh.on, *(place.on for place in mesh.plan.servers.values())):
        on.close()
    return mesh


@pytest.mark.parametrize(("variable", "expected"), [(None, True), ("1", True), ("false", False)])
def test_reads_are_completed_from_the_checkout_unless_that_is_switched_off(
    monkeypatch: pytest.MonkeyPatch, variable: str | None, *, expected: bool
) -> None:
    """On a laptop the default is on; the variable decides when it is set."""
    if variable is not None:
        monkeypatch.setenv("TRUNKLINE_LOCAL_DEFAULTS", variable)
    assert prepared().settings.local_defaults is expected
