"""What the model is told of the mesh: which servers are there, and which are not."""

from collections.abc import Iterable

from trunkline_router.catalogue.directory import Directory, Listing
from trunkline_router.catalogue.search_definitions import SEARCH, USE

_SUMMARY = 240


def instructions_of(directory: Directory, scope: str | None) -> str:
    """Return the server's own text for one server, a short line for each otherwise."""
    if scope is not None:
        lines = [next((one.instructions for one in directory.listings), "")]
    else:
        lines = ["Tools of several servers behind one URL."]
        lines += [
            f"- {one.server}: {_summary(one.instructions)}"
            for one in directory.listings
            if one.server not in directory.missing and not _is_emptied(one, directory)
        ]
    lines.append(_bound(directory))
    if directory.searches:
        lines.append(f"Find tools with {SEARCH}, then call one with {USE}.")
    if directory.missing:
        lines.append(_missing(directory.missing))
    return "\n".join(line for line in lines if line)


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


def _summary(text: str) -> str:
    one_line = " ".join(text.split())
    if len(one_line) <= _SUMMARY:
        return one_line or "(no description)"
    cut = one_line[:_SUMMARY].rpartition(". ")[0] or one_line[: _SUMMARY - 1] + "…"
    return cut + "." if not cut.endswith(("…", ".")) else cut


def _missing(servers: Iterable[str]) -> str:
    return f"Not available at the moment: {', '.join(sorted(servers))}."
