"""Which part of the mesh a request sees."""

from dataclasses import dataclass, field

from trunkline_router.context import NOTHING, Context
from trunkline_router.rights import EVERYTHING, Rights


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One server or all of them, what calls are bound to, and what the caller may call.

    `searches` says that tools are found by searching, and not all of them listed. `holds` are the
    caller's scopes, None means every one.
    """

    scope: str | None = None
    context: Context = NOTHING
    rights: Rights = EVERYTHING
    searches: bool = False
    holds: frozenset[str] | None = None
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # What is made for views is looked up by them in every call.
        told = (self.scope, self.context, self.rights, self.searches, self.holds)
        object.__setattr__(self, "_hash", hash(told))

    def __hash__(self) -> int:
        return self._hash

    @property
    def is_narrowed(self) -> bool:
        """Whether it shows less than all that its scope holds."""
        bounded = self.rights is not EVERYTHING or self.holds is not None
        return bool(self.context) or bounded or self.searches


WHOLE = View()
