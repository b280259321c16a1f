"""Which tools a caller may see and call: globs over `mcp__{server}__{tool}`, and toolsets."""

from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from trunkline_router.configuration.tool_globs import may_begin

DEFAULT_TOOLSET = "default"


@dataclass(frozen=True, slots=True)
class Rights:
    """Every layer of `allow` must have a glob that matches, and no glob of `deny` may.

    A layer is added whenever a token narrows what another one allowed. `toolsets` are those whose
    tools are there; None are all of them.
    """

    allow: tuple[tuple[str, ...], ...] = ()
    deny: tuple[str, ...] = ()
    toolsets: frozenset[str] | None = None
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Views are looked up by it several times in every call; a key may have many globs.
        object.__setattr__(self, "_hash", hash((self.allow, self.deny, self.toolsets)))

    def __hash__(self) -> int:
        return self._hash

    def permit(self, server: str, tool: str, toolset: str = DEFAULT_TOOLSET) -> bool:
        """Say whether a server's tool, by its own name, may be seen and called."""
        if self.toolsets is not None and toolset not in self.toolsets:
            return False
        name = f"mcp__{server}__{tool}"
        return all(_matches(name, layer) for layer in self.allow) and not _matches(name, self.deny)

    def reach(self, server: str) -> bool:
        """Say whether a server, whose tools need not be known, may have one that is permitted."""
        prefix = f"mcp__{server}__"
        if any(glob.endswith("*") and fnmatchcase(prefix, glob) for glob in self.deny):
            return False
        return all(any(may_begin(glob, prefix) for glob in layer) for layer in self.allow)

    def narrowed(self, globs: tuple[str, ...]) -> "Rights":
        """Return the rights that allow only what `globs` allow as well."""
        return Rights(allow=(*self.allow, globs), deny=self.deny, toolsets=self.toolsets)

    def within(self, other: "Rights") -> "Rights":
        """Return the rights that permit what both do."""
        if self in (EVERYTHING, other):
            return other
        layers = (*other.allow, *(layer for layer in self.allow if layer not in other.allow))
        deny = (*other.deny, *(glob for glob in self.deny if glob not in other.deny))
        return Rights(allow=layers, deny=deny, toolsets=_shared(self.toolsets, other.toolsets))


def _shared(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return one if other is None else other
    return one & other


def _matches(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


EVERYTHING = Rights()
