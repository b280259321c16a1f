"""The graph of branches as a forest: one displayed parent each, however the state looks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trunkline_branch_context.state import RepoState


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """Which branch hangs under which.

    `parent` holds the displayed parent of each attached branch, `also` the other recorded ones.
    Every branch appears once, so walking `children` from `roots` ends.
    """

    roots: Sequence[str]
    parent: Mapping[str, str]
    children: Mapping[str, Sequence[str]]
    also: Mapping[str, Sequence[str]]
    orphans: frozenset[str]
    in_cycle: frozenset[str]


def grow(
    state: RepoState, local: Collection[str], current: str | None, *, include_orphans: bool = True
) -> Forest:
    """Return the forest of the branches that exist locally.

    An edge counts when both its ends exist; the first parent is the primary one. Branches
    without a parent hang under the default root as orphans; a cycle that no root breaks is
    broken at its first name, which becomes an orphan.
    """
    existing = frozenset(local)
    edges = {name: _parents(state, name, existing) for name in existing}
    primary = {name: parents[0] for name, parents in edges.items() if parents}
    roots = root_names(state, existing, current)
    cycles = list(_cycles(primary))
    orphans = _orphans(existing, primary, roots, cycles) if include_orphans else frozenset()
    cut = {*roots, *(min(cycle) for cycle in cycles if not cycle & set(roots))}
    parent = {child: above for child, above in primary.items() if child not in cut}
    if roots:
        parent |= dict.fromkeys(orphans, roots[0])
    return Forest(
        roots=roots,
        parent=parent,
        children=_children(parent),
        also={name: _others(parents, parent.get(name)) for name, parents in edges.items()},
        orphans=orphans,
        in_cycle=frozenset().union(*cycles, _self_parents(state, existing)),
    )


def root_names(state: RepoState, local: Collection[str], current: str | None) -> tuple[str, ...]:
    """Return the configured roots that exist, default first.

    Without any it is the current branch, and without that the first by name.
    """
    configured = sorted(state.roots, key=lambda root: not root.is_default)
    names = dict.fromkeys(root.branch for root in configured if root.branch in local)
    if names:
        return tuple(names)
    if current is not None and current in local:
        return (current,)
    return (min(local),) if local else ()


def _parents(state: RepoState, name: str, existing: frozenset[str]) -> tuple[str, ...]:
    return tuple(p for p in state.parents.get(name, ()) if p in existing and p != name)


def _self_parents(state: RepoState, existing: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in existing if name in state.parents.get(name, ()))


def _others(parents: Sequence[str], displayed: str | None) -> tuple[str, ...]:
    return tuple(name for name in parents if name != displayed)


def _children(parent: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    children: dict[str, list[str]] = {}
    for child in sorted(parent):
        children.setdefault(parent[child], []).append(child)
    return {name: tuple(below) for name, below in children.items()}


def _orphans(
    existing: frozenset[str],
    primary: Mapping[str, str],
    roots: Sequence[str],
    cycles: Sequence[frozenset[str]],
) -> frozenset[str]:
    """Branches to hang under the default root: not what the roots themselves stand on."""
    parentless = existing - primary.keys() - set(roots)
    broken = (min(cycle) for cycle in cycles if not cycle & set(roots))
    beneath = frozenset(name for root in roots for name in _ancestors(root, primary))
    return (parentless | frozenset(broken)) - beneath


def _ancestors(name: str, primary: Mapping[str, str]) -> Iterator[str]:
    seen = {name}
    while (above := primary.get(name)) is not None and above not in seen:
        seen.add(above)
        yield above
        name = above


def _cycles(primary: Mapping[str, str]) -> Iterator[frozenset[str]]:
    """Yield each cycle of primary parents once; every branch has at most one, so walks suffice."""
    finished: set[str] = set()
    for start in sorted(primary):
        path: dict[str, int] = {}
        name: str | None = start
        while name is not None and name not in finished and name not in path:
            path[name] = len(path)
            name = primary.get(name)
        if name is not None and name in path:
            yield frozenset(list(path)[path[name] :])
        finished.update(path)
