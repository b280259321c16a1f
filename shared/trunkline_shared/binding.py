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


def bound(name: str) -> str | int | None:
    """Return what the context is bound to by `name`, or None where it leaves that open."""
    wanted = _bound.get().get(name)
    return wanted if isinstance(wanted, str | int) else None


def require_bound(what: str, actual: str | int, *names: str) -> None:
    """Check that `what` is the one that the context is bound to by any of `names`.

    Texts are compared without regard to case, except branches: git tells them apart by it. Raises
    BlockedByPolicy.
    """
    for name in names:
        wanted = _bound.get().get(name)
        if wanted is not None and _folded(name, wanted) != _folded(name, actual):
            raise outside_binding(f"{what} is {actual}", name)


def _folded(name: str, value: object) -> str:
    return str(value) if name == "branch" else str(value).casefold()


def outside_binding(said: str, name: str) -> BlockedByPolicy:
    """Return the refusal of what `said` tells, by a context that is bound by `name`."""
    wanted = _bound.get().get(name)
    return BlockedByPolicy(
        f"{said}, and this context is bound to {name} {wanted}.",
        hint="Use a context that is bound to it, or none.",
        details={"reason": "outside_binding", "bound": {name: wanted}},
    )


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, Mapping)
