"""The mesh on a machine is prepared with what its starter may expect of it."""

from pathlib import Path

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


def test_both_processes_of_a_run_sign_with_one_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is made up for the run, another for each."""
    monkeypatch.delenv("TRUNKLINE_SECRET", raising=False)
    runs = (prepared(), prepared())
    one, other = (made.settings.secret.get_secret_value() for made in runs)
    assert runs[0].plan.environment["TRUNKLINE_SECRET"] == one
    assert len(one) >= 32
    assert one != other


@pytest.mark.parametrize("as_file", [False, True])
def test_a_configured_secret_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, as_file: bool
) -> None:
    """Also one in a file, which the other process reads by itself."""
    monkeypatch.delenv("TRUNKLINE_SECRET", raising=False)
    path = tmp_path / "secret"
    path.write_text("newest-secret-of-all,older-secret-of-all\n", encoding="utf-8")
    variable, value = (
        ("TRUNKLINE_SECRET_FILE", str(path))
        if as_file
        else ("TRUNKLINE_SECRET", path.read_text(encoding="utf-8").strip())
    )
    monkeypatch.setenv(variable, value)
    mesh = prepared()
    assert mesh.settings.secret.get_secret_value() == "newest-secret-of-all,older-secret-of-all"
    assert mesh.plan.environment[variable] == value
    assert len({"TRUNKLINE_SECRET", "TRUNKLINE_SECRET_FILE"} & set(mesh.plan.environment)) == 1


@pytest.mark.requirement("seeing.to-router")
def test_the_servers_send_their_spans_to_the_router_of_their_own_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over the loopback, whatever address its starter has for another mesh."""
    monkeypatch.setenv("TRUNKLINE_TRACES_URL", "http://elsewhere.example/v1/traces")
    mesh = prepared()
    assert mesh.plan.environment["TRUNKLINE_TRACES_URL"] == f"{mesh.local.url}/v1/traces"
    assert mesh.plan.environment["TRUNKLINE_MESH_KEY"]
