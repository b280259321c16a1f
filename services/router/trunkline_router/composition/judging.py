"""Whether a configuration can be used with its settings: at the start, and whenever it changes."""

from collections.abc import Mapping

from trunkline_router.access.key_credentials import must_have_credentials
from trunkline_router.configuration.entries import Configuration, ServerEntry
from trunkline_router.configuration.open_door import must_know_callers
from trunkline_router.configuration.servers import servers_of
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.share import Share


def usable_servers(
    settings: RouterSettings, configuration: Configuration, share: Share
) -> Mapping[str, ServerEntry]:
    """Return every server by its id, with one worker's part of its slots.

    Raises ConfigurationError for what cannot be used.
    """
    must_know_callers(settings, configuration)
    must_have_credentials(configuration)
    return share.of_servers(servers_of(settings, configuration))
