"""Settings of branch-context: the checkout, twig's home, and when paths may be told."""

from pathlib import Path

import pytest

from trunkline_branch_context.settings import BranchContextSettings
from trunkline_shared.settings import load


def read(monkeypatch: pytest.MonkeyPatch, **variables: str) -> BranchContextSettings:
    """Return the settings of an environment."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "TRUNKLINE_REPO_PATH"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return load(BranchContextSettings)


def test_the_checkout_is_the_current_directory_unless_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """TRUNKLINE_REPO_PATH names it."""
    assert read(monkeypatch).repo_path == Path()
    assert read(monkeypatch, TRUNKLINE_REPO_PATH="/srv/x").repo_path == Path("/srv/x")


@pytest.mark.parametrize(
    ("host", "show", "shown"),
    [
        *(("127.0.0.1", None, True), ("::1", None, True), ("localhost", None, True)),
        *(("0.0.0.0", None, False), ("10.1.2.3", None, False), ("mesh", None, False)),  # noqa: S104 - only read
        *(("0.0.0.0", "true", True), ("127.0.0.1", "false", False)),  # noqa: S104 - only read
    ],
)
def test_paths_are_told_on_loopback_or_when_configured(
    monkeypatch: pytest.MonkeyPatch, host: str, show: str | None, *, shown: bool
) -> None:
    """TRUNKLINE_SHOW_PATHS decides where it is set, the listening address where it is not."""
    monkeypatch.setenv("TRUNKLINE_SERVICE_HOST", host)
    if show is not None:
        monkeypatch.setenv("TRUNKLINE_SHOW_PATHS", show)
    assert read(monkeypatch).paths_shown is shown


def test_the_registry_follows_xdg(monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_DATA_HOME, else ~/.local/share."""
    home = read(monkeypatch, HOME="/home/ada")
    assert home.registry_path == Path("/home/ada/.local/share/twig/registry.json")
    data = read(monkeypatch, XDG_DATA_HOME="/data")
    assert data.registry_path == Path("/data/twig/registry.json")


def test_git_gets_a_handful_of_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whitelist: tokens and git's own overrides stay with us."""
    settings = read(
        monkeypatch,
        HOME="/home/ada",
        PATH="/bin",
        GIT_CONFIG_GLOBAL="/etc/git",
        GITHUB_TOKEN="made-up",
        GIT_DIR="/elsewhere",
    )
    assert settings.git_environment == {
        "HOME": "/home/ada",
        "PATH": "/bin",
        "GIT_CONFIG_GLOBAL": "/etc/git",
    }
