"""What the model is told of the mesh: which servers are there, and which are disabled."""

from typing import Protocol

from trunkline_router.catalogue.directory import Directory, Listing
from trunkline_router.catalogue.search_definitions import SEARCH, USE
from trunkline_shared.capabilities import Capability, capability_lines, summary


class Health(Protocol):
    """Knows at each moment what calls to a server would meet."""

    def admits(self, server: str) -> bool:
        """Say whether a call would be let through now."""

    def failures(self, server: str) -> int:
        """Return how many calls in a row the server has failed."""


def instructions_of(directory: Directory, scope: str | None, health: Health) -> str:
    """Return the server's own text for one server, a short line for each otherwise.

    The lines come in the order of their ids, which never changes with how the servers are doing.
    """
    if scope is not None:
        lines = [next((one.instructions for one in directory.listings), ""), _bound(directory)]
        lines.append(_away(directory, health))
    else:
        lines = ["Tools of several servers behind one URL."]
        lines += capability_lines(_capabilities(directory, health))
        lines.append(_bound(directory))
    if directory.searches:
        lines.append(f"Find tools with {SEARCH}, then call one with {USE}.")
    return "\n".join(line for line in lines if line)


def servers_of(directory: Directory) -> dict[str, str]:
    """Return what each server that the directory shows says of itself, in the order of their ids.

    A server that a context leaves none of its tools is not among them.
    """
    texts = dict.fromkeys(directory.missing, "")
    for one in directory.listings:
        if not _is_emptied(one, directory):
            texts[one.server] = summary(one.instructions) if one.instructions else ""
        else:
            texts.pop(one.server, None)
    return dict(sorted(texts.items()))


def disabled(directory: Directory, health: Health) -> frozenset[str]:
    """Return the servers that calls would not reach: away, or shut by their breaker."""
    shut = {one.server for one in directory.listings if not health.admits(one.server)}
    return directory.missing | shut


def _capabilities(directory: Directory, health: Health) -> list[Capability]:
    off = disabled(directory, health)
    return [
        Capability(
            name=server,
            description=text,
            failures=health.failures(server) if server in off else None,
        )
        for server, text in servers_of(directory).items()
    ]


def _is_emptied(listing: Listing, directory: Directory) -> bool:
    """Say whether the directory's context leaves a server none of its tools."""
    if not directory.withheld or not listing.tools:
        return False
    return all(spec.server != listing.server for spec in directory.tools.values())


def _bound(directory: Directory) -> str:
    if not directory.context:
        return ""
    text = f"Every call here is bound to {directory.context}."
    if not directory.tools and directory.withheld:
        reasons = sorted(set(directory.withheld.values()))
        text += f" No tool is offered in this context: {'; '.join(reasons)}."
    return text


def _away(directory: Directory, health: Health) -> str:
    servers = sorted(disabled(directory, health))
    return f"Not available at the moment: {', '.join(servers)}." if servers else ""
