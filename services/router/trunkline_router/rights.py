"""Which tools a caller may see and call: globs over `mcp__{server}__{tool}`."""

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, slots=True)
class Rights:
    """Every layer of `allow` must have a glob that matches, and no glob of `deny` may.

    A layer is added whenever a token narrows what another one allowed.
    """

    allow: tuple[tuple[str, ...], ...] = ()
    deny: tuple[str, ...] = ()

    def permit(self, server: str, tool: str) -> bool:
        """Say whether a server's tool, by its own name, may be seen and called."""
        name = f"mcp__{server}__{tool}"
        return all(_matches(name, layer) for layer in self.allow) and not _matches(name, self.deny)

    def narrowed(self, globs: tuple[str, ...]) -> "Rights":
        """Return the rights that allow only what `globs` allow as well."""
        return Rights(allow=(*self.allow, globs), deny=self.deny)


def _matches(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, glob) for glob in globs)


EVERYTHING = Rights()
