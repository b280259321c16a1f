"""What the present call may ask of the mesh in its caller's name, as the router says in `_meta`.

Only the servers that are marked for it are ever told; the token is a secret.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeGuard

NOT_OFFERED = "not_offered"
"""`data.reason` of the router's refusal of a tool that the context leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegated:
    """Where the router is, and the token that stands for the caller for as long as the call.

    `caller` tells callers apart and says nothing of who they are. `depth` counts the servers that
    ask in the caller's name, one for another: 1 for the one that it called itself.
    """

    url: str
    token: str = field(repr=False)
    caller: str = ""
    depth: int = 1


_delegated: ContextVar[Delegated | None] = ContextVar("trunkline_delegated", default=None)


@contextmanager
def delegated_by(given: object) -> Iterator[None]:
    """Hold the delegation of one call, `_meta["dev.trunkline/delegation"]`, for the block."""
    token = _delegated.set(_read(given))
    try:
        yield
    finally:
        _delegated.reset(token)


def delegated() -> Delegated | None:
    """Return what the present call may use, or None where nobody has delegated anything."""
    return _delegated.get()


def _read(given: object) -> Delegated | None:
    if not _is_object(given):
        return None
    url, token = given.get("url"), given.get("token")
    if not isinstance(url, str) or not isinstance(token, str):
        return None
    caller, depth = given.get("caller"), given.get("depth")
    return Delegated(
        url=url,
        token=token,
        caller=caller if isinstance(caller, str) else "",
        depth=depth if isinstance(depth, int) else 1,
    )


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)
