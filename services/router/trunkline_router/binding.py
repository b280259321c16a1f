"""A call under its context: bound arguments are set, and what contradicts them is refused."""

from dataclasses import replace

from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.context import Context, is_blank, key_of
from trunkline_router.model import Call, Json
from trunkline_router.wire.refusal import Refused
from trunkline_shared.errors import BlockedByPolicy

_SHOWN = 100


def bind(call: Call) -> Call:
    """Return a tool call with what its context sets, under the tool's own names.

    An equal value is fine in any spelling. Raises BlockedByPolicy for another one, in a prompt's
    arguments as well, and Refused for arguments that are no object.
    """
    context = call.request.context
    if not context:
        return call
    given = arguments_of(call)
    for name, value in given.items():
        _check(context, name, value)
    if call.tool is None:
        return call
    bound = call.tool.bound
    keys = {key_of(name) for name in bound}
    kept = {name: value for name, value in given.items() if key_of(name) not in keys - {None}}
    return replace(call, arguments={**kept, **bound})


def arguments_of(call: Call) -> Json:
    """Return the arguments of a call as they stand. Raises Refused when they are no object."""
    if call.arguments is not None:
        return call.arguments
    given = call.request.params.get("arguments")
    if given is not None and not isinstance(given, dict):
        raise Refused(INVALID_PARAMS, "params.arguments must be an object.")
    return given or {}


def _check(context: Context, name: str, value: object) -> None:
    key = key_of(name)
    if key is None or is_blank(value) or context.allows(key, value):
        return
    wanted = context.get(key)
    raise BlockedByPolicy(
        f"{name[:_SHOWN]} is {_shown(value)}, and this context is bound to {key} {wanted}.",
        hint=f"Leave {name[:_SHOWN]} out; another one needs a URL with another context.",
        details={"reason": "outside_binding", "bound": {key: wanted}},
    )


def _shown(value: object) -> str:
    """Return a value for the message; one that nests is not written out."""
    if isinstance(value, str):
        return repr(value[:_SHOWN])
    return str(value) if isinstance(value, int | float) else "a list or an object"
