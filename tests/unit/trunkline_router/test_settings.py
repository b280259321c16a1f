"""The router's settings say what is wrong, and how to mend it."""

import pytest

from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.open_door import must_know_callers
from trunkline_router.configuration.servers import servers_of
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.settings import ConfigurationError, load


def read(**given: object) -> RouterSettings:
    return load(RouterSettings, given)


def test_the_convention_of_containers_is_the_default() -> None:
    """Every built-in server under its container's name."""
    settings = RouterSettings()
    assert settings.urls["twig"] == "http://branch-context:8480/mcp"
    assert settings.urls["github_comment"] == "http://comment:8480/mcp"
    assert (settings.host, settings.port) == ("127.0.0.1", 8470)
    assert settings.local_defaults is False


def test_lists_are_read_from_variables() -> None:
    """`id=url` pairs, ids and origins, with blanks as people write them."""
    settings = read(
        server_urls=" a=http://h:1/mcp , b = https://h/x?y=z ",
        servers="b, a",
        allowed_origins="https://one.example, https://two.example",
    )
    assert settings.urls == {"a": "http://h:1/mcp", "b": "https://h/x?y=z"}
    assert settings.allowed_origins == ("https://one.example", "https://two.example")
    assert list(servers_of(read(servers="twig"), Configuration())) == ["twig"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"server_urls": "a"}, "a=http://HOST:PORT/mcp"),
        ({"server_urls": "a=ftp://x"}, "no HTTP URL"),
        ({"public_url": "mesh"}, "TRUNKLINE_PUBLIC_URL"),
        (
            {"internal_url": "router:8470"},
            "TRUNKLINE_INTERNAL_URL='router:8470': .*router:8470/mcp",
        ),
        ({"secret": "short"}, r"TRUNKLINE_SECRET=\(secret\)"),
        ({"github_repository": "widgets"}, "TRUNKLINE_GITHUB_REPOSITORY='widgets': must be OWNER/"),
        ({"port": 99999}, "TRUNKLINE_PORT=99999"),
    ],
)
def test_a_bad_value_is_named_with_its_fix(given: dict[str, object], said: str) -> None:
    """One line each."""
    with pytest.raises(ConfigurationError, match=said) as refused:
        read(**given)
    assert "\n" not in str(refused.value)


def test_an_unknown_server_is_refused_with_the_nearest() -> None:
    """Of the variables and of the file."""
    configured = Configuration.model_validate({"servers": {"wiki": {"url": "http://h/mcp"}}})
    with pytest.raises(ConfigurationError, match="did you mean 'twig'"):
        servers_of(read(servers="twigg"), configured)
    with pytest.raises(ConfigurationError, match="did you mean 'wiki'"):
        servers_of(read(servers="wikki"), configured)
    assert list(servers_of(read(servers="wiki"), configured)) == ["wiki"]


@pytest.mark.parametrize("host", ["0.0.0.0", "mesh.example"])  # noqa: S104 - what must be refused
def test_beyond_loopback_callers_must_be_known(host: str) -> None:
    """Without a key or an authorization server it does not start, and says what to do."""
    with pytest.raises(ConfigurationError, match=r"beyond loopback.*trunkline key create"):
        must_know_callers(read(host=host), Configuration())
    oauth = {"oauth": {"issuer": "https://login.example"}}
    must_know_callers(read(host=host), Configuration.model_validate(oauth))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost"])
def test_loopback_has_many_names(host: str) -> None:
    """All of them are fine without a key."""
    assert read(host=host).on_loopback


def test_no_servers_id_reads_as_another_ones_tools() -> None:
    """`mcp__a__*` is all of `a`: an id `a__b` would be part of it."""
    Configuration.model_validate({"servers": {"a_b": {"url": "http://h/mcp"}}})
    with pytest.raises(ValueError, match="two underscores in a row"):
        Configuration.model_validate({"servers": {"a__b": {"url": "http://h/mcp"}}})
