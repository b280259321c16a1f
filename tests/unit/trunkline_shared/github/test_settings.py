"""GitHub's variables, and what is refused at start."""

import pytest

from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import ConfigurationError, load


def test_the_defaults_are_github_com_without_any_repository() -> None:
    """Nothing needs to be configured to start."""
    settings = GitHubSettings()
    assert settings.github_api_url == "https://api.github.com"
    assert (settings.github_repository, settings.allowed_repos) == ("", "")
    assert settings.github_write_interval_s == 1


def test_the_address_is_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever form it was given in."""
    monkeypatch.setenv("TRUNKLINE_GITHUB_API_URL", "https://ghes.example/")
    assert load(GitHubSettings).github_api_url == "https://ghes.example/api/v3"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TRUNKLINE_GITHUB_API_URL", "ftp://x"),
        ("TRUNKLINE_GITHUB_API_VERSION", "v3"),
        ("TRUNKLINE_GITHUB_REPOSITORY", "widgets"),
        ("TRUNKLINE_GITHUB_REPOSITORY", "a/b/c"),
        ("TRUNKLINE_GITHUB_WRITE_INTERVAL_S", "-1"),
        ("TRUNKLINE_GITHUB_CONCURRENCY", "0"),
    ],
)
def test_an_unusable_value_is_named_at_start(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    """The variable and its value, in one line."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError, match=f"{variable}='{value}'"):
        load(GitHubSettings)
