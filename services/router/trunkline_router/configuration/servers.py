"""Which servers the router has, from its variables and its file together."""

import difflib
from collections.abc import Mapping

from trunkline_router.configuration.entries import Configuration, OwnEntry, ServerEntry
from trunkline_router.configuration.settings import BUILT_IN, RouterSettings
from trunkline_shared.settings import ConfigurationError


def servers_of(settings: RouterSettings, configuration: Configuration) -> Mapping[str, ServerEntry]:
    """Return every server by its id: those of the variables, then those of the file.

    An entry of the file under a known id takes its place; one that names no place of its own says
    more of the server at the variables' place. Raises ConfigurationError when TRUNKLINE_SERVERS
    names a server that is neither's, and for an entry without any place.
    """
    known = {id_: _plain(id_, url) for id_, url in settings.urls.items()}
    for id_, entry in configuration.servers.items():
        known[id_] = _placed(id_, entry, known)
    for server in settings.servers:
        if server not in known:
            raise ConfigurationError(_stranger(server, known))
    return {id_: entry for id_, entry in known.items() if id_ in (settings.servers or known)}


def _plain(server: str, url: str) -> ServerEntry:
    return OwnEntry(url=url) if server in BUILT_IN else ServerEntry(url=url)


def _placed(server: str, entry: ServerEntry, known: Mapping[str, ServerEntry]) -> ServerEntry:
    if entry.addresses or entry.command:
        return entry
    place = known.get(server)
    if place is None:
        raise ConfigurationError(f"servers.{server}: needs exactly one of url, urls and command")
    given = {name: getattr(entry, name) for name in entry.model_fields_set}
    return place.model_copy(update=given)


def _stranger(server: str, known: Mapping[str, ServerEntry]) -> str:
    nearest = difflib.get_close_matches(server, known, n=1) or sorted(known)
    return (
        f"TRUNKLINE_SERVERS names {server!r}, which is no server of this mesh; "
        f"did you mean {nearest[0]!r}? Known: {', '.join(sorted(known))}."
    )
