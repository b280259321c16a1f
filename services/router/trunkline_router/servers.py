"""Which servers the router has, from its variables and its file together."""

import difflib
from collections.abc import Mapping

from trunkline_router.configuration import Configuration, ServerEntry
from trunkline_router.settings import RouterSettings
from trunkline_shared.settings import ConfigurationError


def servers_of(settings: RouterSettings, configuration: Configuration) -> Mapping[str, ServerEntry]:
    """Return every server by its id: those of the variables, then those of the file.

    An entry of the file under a known id takes its place. Raises ConfigurationError when
    TRUNKLINE_SERVERS names a server that is neither's.
    """
    known = {id_: ServerEntry(url=url) for id_, url in settings.urls.items()}
    known |= configuration.servers
    for server in settings.servers:
        if server not in known:
            raise ConfigurationError(_stranger(server, known))
    return {id_: entry for id_, entry in known.items() if id_ in (settings.servers or known)}


def _stranger(server: str, known: Mapping[str, ServerEntry]) -> str:
    nearest = difflib.get_close_matches(server, known, n=1) or sorted(known)
    return (
        f"TRUNKLINE_SERVERS names {server!r}, which is no server of this mesh; "
        f"did you mean {nearest[0]!r}? Known: {', '.join(sorted(known))}."
    )
