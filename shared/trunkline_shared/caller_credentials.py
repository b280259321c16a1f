"""The credential that a caller brings for one call, as the router says it in `_meta`.

The router sends one to the servers of its vendor alone; it is a secret.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeGuard

_NOTHING: Mapping[str, object] = {}
_given: ContextVar[Mapping[str, object]] = ContextVar("trunkline_credentials", default=_NOTHING)


@contextmanager
def credentials_given(given: object) -> Iterator[None]:
    """Hold the credentials of one call, `_meta["dev.trunkline/credentials"]`, for the block."""
    token = _given.set(given if _is_object(given) else _NOTHING)
    try:
        yield
    finally:
        _given.reset(token)


def given_credential(vendor: str) -> str | None:
    """Return what the present caller brings for a vendor, or None where that is the mesh's."""
    value = _given.get().get(vendor)
    return value if isinstance(value, str) and value else None


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)
