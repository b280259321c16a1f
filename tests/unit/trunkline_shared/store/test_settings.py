"""Where the store is: refused when it cannot be one, and never shown with its password."""

from pathlib import Path

import pytest

from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.settings import StoreSettings


@pytest.fixture(autouse=True)
def no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what the test's machine has configured."""
    monkeypatch.delenv("TRUNKLINE_REDIS_URL", raising=False)
    monkeypatch.delenv("TRUNKLINE_REDIS_URL_FILE", raising=False)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://redis", "redis://redis"),
        ("redis://anna:geheim@redis:6380/2", "redis://redis:6380/2"),
        ("rediss://:p%40ss@cache.example/0?ssl_cert_reqs=none", "rediss://cache.example/0"),
        ("redis://[::1]:6379", "redis://[::1]:6379"),
        ("unix:///run/redis.sock?db=1&password=geheim", "unix:///run/redis.sock"),
        ("  redis://redis\n", "redis://redis"),
        ("redis+sentinel://one/mesh", "redis+sentinel://one/mesh"),
        (
            "rediss+sentinel://anna:geheim@one:1,[::1]:2,three/mesh/3?sentinel_password=geheim",
            "rediss+sentinel://one:1,[::1]:2,three/mesh/3",
        ),
        ("redis+cluster://:geheim@one,two:7000/0", "redis+cluster://one,two:7000/0"),
        ("rediss+cluster://one", "rediss+cluster://one"),
    ],
)
def test_a_url_of_a_redis_is_taken_and_shown_without_its_secrets(url: str, shown: str) -> None:
    """Neither user nor password nor options are in what is shown."""
    settings = load(StoreSettings, {"redis_url": url})
    assert settings.shown == shown
    assert "geheim" not in repr(settings)


@pytest.mark.parametrize(
    "url",
    [
        "redis",
        "localhost:6379",
        "http://redis:6379",
        "redis://",
        "redis://:geheim@",
        "redis://:geheim/half@redis",
        "redis://:geheim#half@redis",
        "redis://redis:port",
        "redis://redis:70000",
        "redis://redis:0",
        "redis://redis/first",
        "unix://",
        "redis://[::1",
        "redis://re dis",
        "redis://one,two",
        "redis+sentinel://one",
        "redis+sentinel://one/",
        "redis+sentinel://:geheim@one/mesh/first",
        "redis+sentinel://one,/mesh",
        "redis+sentinel://one:0/mesh",
        "redis+cluster://one/1",
        "redis+cluster://one:port",
        "redis+cluster://one,,two",
        "redis+cluster://",
        "redis+unix:///socket",
        "unix+cluster:///socket",
        "redis+geheim://one",
    ],
)
def test_a_url_of_no_redis_is_refused_with_the_fix(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the variable and the forms, and repeats nothing of the URL."""
    monkeypatch.setenv("TRUNKLINE_REDIS_URL", url)
    with pytest.raises(ConfigurationError) as caught:
        load(StoreSettings)
    message = str(caught.value).replace("redis+geheim", "")
    assert message.startswith("TRUNKLINE_REDIS_URL=(secret): ")
    assert "write redis://" in message
    assert "leave it unset" in message
    assert "geheim" not in message


def test_without_a_url_the_process_keeps_for_itself() -> None:
    """An empty variable is no configuration, as Compose leaves it."""
    assert not load(StoreSettings).redis_url.get_secret_value()
    assert not load(StoreSettings, {"redis_url": " "}).redis_url.get_secret_value()


def test_the_url_may_stand_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For it may hold a password."""
    (tmp_path / "url").write_text("redis://:geheim@redis\n", encoding="utf-8")
    monkeypatch.setenv("TRUNKLINE_REDIS_URL_FILE", f"{tmp_path}/url")
    assert load(StoreSettings).redis_url.get_secret_value() == "redis://:geheim@redis"


@pytest.mark.parametrize(
    ("given", "xdg", "folder"),
    [
        ("", "", "~/.local/state/trunkline"),
        ("  ", "", "~/.local/state/trunkline"),
        ("", "/var/state", "/var/state/trunkline"),
        ("", "relative", "~/.local/state/trunkline"),
        ("/data/mesh", "/var/state", "/data/mesh"),
        ("~/mesh", "", "~/mesh"),
    ],
)
def test_what_outlives_a_process_has_its_directory(
    given: str, xdg: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable's, else the one of XDG_STATE_HOME, else the one that XDG says."""
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", given)
    monkeypatch.setenv("XDG_STATE_HOME", xdg)
    assert str(load(StoreSettings).state_folder) == folder
