"""The directories of this moment: one of all servers together, and one of each alone."""

from collections.abc import Mapping

from trunkline_router.adapters.known import Known
from trunkline_router.catalogue.directory import Directory, merge
from trunkline_router.catalogue.naming import Prefix
from trunkline_router.fleet import Fleet


def merged(fleet: Fleet, known: Mapping[str, Known], prefix: Prefix) -> dict[str | None, Directory]:
    """Return the directory of every scope; None is all of them."""
    missing = {
        server
        for server, member in fleet.items()
        if server not in known or known[server].is_missing(available=member.vitals.available)
    }
    listings = [
        listing
        for server in fleet
        if server in known and (listing := known[server].listing) is not None
    ]
    own = frozenset(server for server in fleet if fleet.owns(server))
    alone = {one.server: [one] for one in listings}
    return {None: merge(listings, missing, own, prefix)} | {
        server: merge(alone.get(server, []), missing & {server}, own) for server in fleet
    }
