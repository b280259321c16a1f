"""The environment as the command line reads it."""

from pathlib import Path

import pytest

from trunkline_cli.environment import reachable, router_address, variable
from trunkline_cli.failure import USAGE, CommandFailed


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without any of the router's variables."""
    for name in ("TRUNKLINE_HOST", "TRUNKLINE_PORT", "TRUNKLINE_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(f"{name}_FILE", raising=False)


def test_the_router_is_on_loopback_unless_configured() -> None:
    """Without variables it is the documented address."""
    assert router_address().mcp == "http://127.0.0.1:8470/mcp"


@pytest.mark.parametrize(
    ("host", "shown"),
    [("", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]"), ("box.local", "box.local")],
)
def test_a_listening_host_is_shown_as_it_can_be_reached(host: str, shown: str) -> None:
    """Wildcards are no address for a client, and IPv6 stands in brackets."""
    assert reachable(host) == shown


def test_the_public_url_is_what_clients_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """TRUNKLINE_PUBLIC_URL wins over host and port, its path included."""
    monkeypatch.setenv("TRUNKLINE_PUBLIC_URL", "https://trunkline.example/base/")
    assert router_address().mcp == "https://trunkline.example/base/mcp"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRUNKLINE_PORT", "http"),
        ("TRUNKLINE_PORT", "70000"),
        ("TRUNKLINE_PORT", "-1"),
        ("TRUNKLINE_PUBLIC_URL", "trunkline.example"),
        ("TRUNKLINE_PUBLIC_URL", "ftp://trunkline.example"),
    ],
)
def test_an_unusable_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """Variable, value and fix stand in the message; the exit code is the usage one."""
    monkeypatch.setenv(name, value)
    with pytest.raises(CommandFailed, match=f"{name}={value}") as failure:
        router_address()
    assert failure.value.exit_code == USAGE


def test_a_variable_can_stand_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """NAME_FILE gives the value without its line break; NAME itself wins."""
    file = tmp_path / "port"
    file.write_text("9000\n", encoding="utf-8")
    monkeypatch.setenv("TRUNKLINE_PORT_FILE", str(file))
    assert variable("TRUNKLINE_PORT") == "9000"
    monkeypatch.setenv("TRUNKLINE_PORT", "9001")
    assert variable("TRUNKLINE_PORT") == "9001"


def test_an_unreadable_file_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable and the path stand in the message."""
    monkeypatch.setenv("TRUNKLINE_PORT_FILE", "/no/such/file")
    with pytest.raises(CommandFailed, match="TRUNKLINE_PORT_FILE=/no/such/file"):
        variable("TRUNKLINE_PORT")
