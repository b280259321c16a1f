"""Where Basecamp's tokens are renewed: an address to which secrets may be sent."""

import pytest

from trunkline_project_reader.tokens.accounts import authorization_address
from trunkline_project_reader.tokens.settings import LAUNCHPAD, BasecampTokenSettings
from trunkline_shared.settings import ConfigurationError, load


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what the test's machine has configured."""
    for name in ("URL", "RESOURCE"):
        monkeypatch.delenv(f"TRUNKLINE_BASECAMP_TOKEN_{name}", raising=False)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("", LAUNCHPAD),
        (" https://issuer.example/oauth/token\n", "https://issuer.example/oauth/token"),
        ("http://127.0.0.1:8480/authorization/token", "http://127.0.0.1:8480/authorization/token"),
        ("http://localhost/token", "http://localhost/token"),
        ("http://[::1]:1/token", "http://[::1]:1/token"),
    ],
)
def test_an_address_that_keeps_secrets_is_taken(given: str, url: str) -> None:
    """HTTPS anywhere, plain HTTP on this machine only; Launchpad when nothing is said."""
    settings = load(BasecampTokenSettings, {"basecamp_token_url": given})
    assert settings.basecamp_token_url == url
    assert load(BasecampTokenSettings).basecamp_token_url == LAUNCHPAD


@pytest.mark.parametrize(
    "given",
    [
        "launchpad.37signals.com",
        "http://launchpad.37signals.com/authorization/token",
        "ftp://launchpad.37signals.com/token",
        "https://",
        "https://anna:geheim@issuer.example/token",
        "https://issuer.example/token?client_secret=geheim",
        "https://issuer.example/token#here",
    ],
)
def test_an_address_that_would_give_secrets_away_is_refused(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable is named, with an address that is right."""
    monkeypatch.setenv("TRUNKLINE_BASECAMP_TOKEN_URL", given)
    with pytest.raises(ConfigurationError, match="TRUNKLINE_BASECAMP_TOKEN_URL=") as caught:
        load(BasecampTokenSettings)
    assert LAUNCHPAD in str(caught.value)


def test_the_accounts_are_asked_for_where_the_tokens_are_renewed() -> None:
    """At the same origin, so that no token goes anywhere else."""
    assert authorization_address(LAUNCHPAD).base == "https://launchpad.37signals.com"
    assert authorization_address("http://[::1]:1/a/b").base == "http://[::1]:1"
