"""Configuration comes from variables and files, and its faults are said plainly."""

from pathlib import Path

import pytest
from pydantic import Field, SecretStr

from trunkline_shared.listener import ServeSettings
from trunkline_shared.settings import ConfigurationError, Settings, load, variable_name


class Example(Settings):
    """A prefixed field, a renamed one and a secret one."""

    size: int = Field(3, ge=1)
    host: str = Field("here", validation_alias="JIRA_HOST")
    key: SecretStr | None = Field(None, min_length=4)


def test_variables_win_over_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    """`TRUNKLINE_SIZE` and the renamed `JIRA_HOST` are read."""
    monkeypatch.setenv("TRUNKLINE_SIZE", "5")
    monkeypatch.setenv("JIRA_HOST", "there")
    assert load(Example) == Example(size=5, host="there")


def test_given_values_win_over_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller's own value stands."""
    monkeypatch.setenv("TRUNKLINE_SIZE", "5")
    assert load(Example, {"size": 7}).size == 7


@pytest.mark.requirement("settings.files")
def test_any_variable_may_be_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`NAME_FILE` is read without its last line break."""
    secret = tmp_path / "key"
    secret.write_text("s3cret\n", encoding="utf-8")
    monkeypatch.setenv("TRUNKLINE_KEY_FILE", str(secret))
    key = load(Example).key
    assert key is not None
    assert key.get_secret_value() == "s3cret"


def test_an_unreadable_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message holds the variable, its value and the fix."""
    monkeypatch.setenv("TRUNKLINE_KEY_FILE", str(tmp_path / "absent"))
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_KEY_FILE=.*absent.*readable file"):
        load(Example)


@pytest.mark.requirement("settings.named")
def test_a_bad_value_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault is one line."""
    monkeypatch.setenv("TRUNKLINE_SIZE", "0")
    with pytest.raises(ConfigurationError, match=r"^TRUNKLINE_SIZE='0': Input should be greater"):
        load(Example)


def test_a_bad_secret_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable is named, its value is not."""
    monkeypatch.setenv("TRUNKLINE_KEY", "abc")
    with pytest.raises(ConfigurationError) as caught:
        load(Example)
    assert "abc" not in str(caught.value)
    assert "TRUNKLINE_KEY=(secret)" in str(caught.value)


def test_a_renamed_field_is_known_by_its_variable() -> None:
    """Messages and generated docs name what the user sets."""
    assert variable_name(Example, "host") == "JIRA_HOST"
    assert variable_name(Example, "JIRA_HOST") == "JIRA_HOST"
    assert variable_name(Example, "size") == "TRUNKLINE_SIZE"


@pytest.mark.requirement("serve.mesh-key")
@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "example.org"])  # noqa: S104 - the refused value
def test_a_service_beyond_loopback_needs_a_mesh_key(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """No service is ever open to a network by accident."""
    monkeypatch.setenv("TRUNKLINE_SERVICE_HOST", host)
    with pytest.raises(ConfigurationError, match="set TRUNKLINE_MESH_KEY"):
        load(ServeSettings)
    monkeypatch.setenv("TRUNKLINE_MESH_KEY", "k")
    assert load(ServeSettings).service_host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_needs_no_mesh_key(host: str) -> None:
    """A laptop starts without any configuration."""
    assert ServeSettings(service_host=host).on_loopback
