"""What the model is told of the mesh: which servers are there, and which are not."""

from collections.abc import Iterable

from trunkline_router.directory import Directory

_SUMMARY = 240


def instructions_of(directory: Directory, scope: str | None) -> str:
    """Return the server's own text for one server, a short line for each otherwise."""
    if scope is not None:
        own = next((one.instructions for one in directory.listings), "")
        return own if scope not in directory.missing else f"{own}\n{_missing([scope])}".strip()
    lines = ["Tools of several servers behind one URL."]
    lines += [
        f"- {one.server}: {_summary(one.instructions)}"
        for one in directory.listings
        if one.server not in directory.missing
    ]
    if directory.missing:
        lines.append(_missing(directory.missing))
    return "\n".join(lines)


def _summary(text: str) -> str:
    one_line = " ".join(text.split())
    if len(one_line) <= _SUMMARY:
        return one_line or "(no description)"
    cut = one_line[:_SUMMARY].rpartition(". ")[0] or one_line[: _SUMMARY - 1] + "…"
    return cut + "." if not cut.endswith(("…", ".")) else cut


def _missing(servers: Iterable[str]) -> str:
    return f"Not available at the moment: {', '.join(sorted(servers))}."
