"""Where the API is, for each kind of GitHub."""

import pytest

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Request
from trunkline_shared.github.base_url import DEFAULT_VERSION, Api, normalised


@pytest.mark.requirement("github.bases")
@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("https://api.github.com", "https://api.github.com"),
        ("https://api.github.com/", "https://api.github.com"),
        ("github.com", "https://api.github.com"),
        ("https://www.github.com/", "https://api.github.com"),
        ("https://ghes.example", "https://ghes.example/api/v3"),
        ("https://GHES.example/", "https://ghes.example/api/v3"),
        ("https://ghes.example/api/v3/", "https://ghes.example/api/v3"),
        ("https://ghes.example:8443/api/v3", "https://ghes.example:8443/api/v3"),
        ("https://notghe.company.com", "https://notghe.company.com/api/v3"),
        ("https://acme.ghe.com", "https://api.acme.ghe.com"),
        ("https://api.acme.ghe.com/", "https://api.acme.ghe.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/api/v3/", "http://127.0.0.1:8080/api/v3"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_address_is_completed_to_its_api(given: str, base: str) -> None:
    """github.com, Enterprise Server and data residency, told apart by host suffix."""
    assert normalised(given) == base
    assert normalised(base) == base


@pytest.mark.parametrize(
    "given", ["", "ftp://x.example", "https://", "https://x.example?a=b", "https://x.example#a"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    """At start, not at the first call."""
    with pytest.raises(ValueError, match="must be the URL"):
        normalised(given)


def test_a_password_in_the_address_is_refused() -> None:
    """It would end in logs."""
    with pytest.raises(ValueError, match="set GITHUB_TOKEN"):
        normalised("https://me:secret@ghes.example")


@pytest.mark.requirement("github.bases")
@pytest.mark.parametrize(
    ("url", "configured", "version"),
    [
        ("https://api.github.com", "", DEFAULT_VERSION),
        ("https://acme.ghe.com", "", DEFAULT_VERSION),
        ("https://ghes.example", "", ""),
        ("https://ghes.example", "2022-11-28", "2022-11-28"),
        ("https://api.github.com", "2026-03-10", "2026-03-10"),
    ],
)
def test_enterprise_server_gets_no_version_unless_configured(
    url: str, configured: str, version: str
) -> None:
    """It knows only the versions of its release."""
    assert Api.at(url, configured).version == version


@pytest.mark.parametrize(
    ("url", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://acme.ghe.com", "https://api.acme.ghe.com/graphql"),
        ("https://ghes.example", "https://ghes.example/api/graphql"),
    ],
)
def test_graphql_has_its_own_place(url: str, graphql: str) -> None:
    """On Enterprise Server it is beside /v3, not below it."""
    assert Api.at(url).url(Request(method="POST", path="/graphql")) == graphql


def test_a_path_is_put_below_the_base() -> None:
    """The prefix of Enterprise Server stays."""
    api = Api.at("https://ghes.example")
    assert api.url(Request(method="GET", path="/user")) == "https://ghes.example/api/v3/user"
    assert api.host == "ghes.example"


def test_a_link_below_the_base_is_followed() -> None:
    """Page links come as full URLs."""
    link = "https://ghes.example/api/v3/repositories/1/issues?page=2"
    assert Api.at("https://ghes.example").url(Request(method="GET", path=link)) == link


@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/api/v3/x",
        "http://ghes.example/api/v3/x",
        "https://ghes.example:444/api/v3/x",
        "https://ghes.example.evil.example/api/v3/x",
        "https://ghes.example@evil.example/api/v3/x",
        "https://ghes.example/api/v3evil/x",
        "https://ghes.example/other",
        "https://ghes.example/api/v3/../../other",
    ],
)
def test_a_link_elsewhere_is_refused(link: str) -> None:
    """The token must not follow it."""
    with pytest.raises(UpstreamUnavailable, match="must not leave") as caught:
        Api.at("https://ghes.example").url(Request(method="GET", path=link))
    assert not caught.value.retryable
