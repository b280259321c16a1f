"""Nobody stands beyond loopback without saying who may come in."""

from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.settings import ConfigurationError


def must_know_callers(settings: RouterSettings, configuration: Configuration) -> None:
    """Raise ConfigurationError where a router without keys would let everybody in."""
    if settings.on_loopback or configuration.authenticates:
        return
    raise ConfigurationError(
        f"TRUNKLINE_HOST={settings.host} is beyond loopback, where a router without keys would let "
        "everybody in: make a key with `trunkline key create NAME`, configure `oauth` in "
        "trunkline.yaml, or set TRUNKLINE_HOST=127.0.0.1."
    )
