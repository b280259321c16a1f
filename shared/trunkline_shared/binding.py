"""What the caller's execution context is bound to, as the router says it in the request's `_meta`.

An argument is bound by the router; an object that is addressed by its own id is checked here,
by the service that can look at it.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeGuard

from trunkline_shared.errors import BlockedByPolicy

_NOTHING: Mapping[str, object] = {}
_bound: ContextVar[Mapping[str, object]] = ContextVar("trunkline_bound", default=_NOTHING)


@contextmanager
def bound_to(given: object) -> Iterator[None]:
    """Hold the bindings of one call, `_meta["dev.trunkline/bind"]`, for the block."""
    token = _bound.set(given if _is_object(given) else _NOTHING)
    try:
        yield
    finally:
        _bound.reset(token)


def require_bound(what: str, actual: str | int, *names: str) -> None:
    """Check that `what` is the one that the context is bound to by any of `names`.

    Texts are compared without regard to case. Raises BlockedByPolicy.
    """
    bound = _bound.get()
    for name in names:
        wanted = bound.get(name)
        if wanted is not None and str(wanted).casefold() != str(actual).casefold():
            raise BlockedByPolicy(
                f"{what} is {actual}, and this context is bound to {name} {wanted}.",
                hint="Use a context that is bound to it, or none.",
                details={"reason": "outside_binding", "bound": {name: wanted}},
            )


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)
