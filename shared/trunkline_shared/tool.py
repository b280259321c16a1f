"""A tool: a typed async method, its effect and its policy, as the SDK's `Tool`."""

from collections.abc import Callable
from typing import Any, TypeVar

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations

from trunkline_shared.contracts import Effect, Policy
from trunkline_shared.offer import OfferSettings, is_offered
from trunkline_shared.reuse import with_reuse_in_meta

FunctionT = TypeVar("FunctionT", bound=Callable[..., object])

_DECLARED = "__trunkline_tool__"
_KNOWN = "__trunkline_schemas__"


def tool(
    title: str, effect: Effect, policy: Policy, *, open_world: bool = True
) -> Callable[[FunctionT], FunctionT]:
    """Mark a method as a tool; its docstring is what the model reads.

    `title` is what people see; `open_world` says that the tool reaches beyond this machine.
    """

    def mark(function: FunctionT) -> FunctionT:
        annotations = ToolAnnotations(
            title=title,
            read_only_hint=effect.read_only,
            destructive_hint=effect.destructive,
            idempotent_hint=effect.idempotent,
            open_world_hint=open_world,
        )
        setattr(function, _DECLARED, (annotations, policy))
        return function

    return mark


def tools_of(*holders: object, offer: OfferSettings | None = None) -> list[Tool]:
    """Return the marked methods of each holder as tools, in the order they are written.

    With `offer` only those that it asks for: the schemas of the others, which are half of them,
    are not built.
    """
    return [
        _of(function, getattr(holder, name), *declared)
        for holder in holders
        for name, function in vars(type(holder)).items()
        if (declared := getattr(function, _DECLARED, None)) is not None
        and (offer is None or is_offered(offer, *declared))
    ]


def _of(
    function: object, method: Callable[..., object], annotations: ToolAnnotations, policy: Policy
) -> Tool:
    """Return a holder's method as a tool; its schemas are those of its function, and built once.

    They are the costly part of a server's start, and a process may open a server many times.
    """
    answering = with_reuse_in_meta(method)
    known: Tool | None = getattr(function, _KNOWN, None)
    if known is None:
        known = _built(answering, annotations, policy)
        # Without the method, which would keep the first holder for as long as the function lives.
        setattr(function, _KNOWN, known.model_copy(update={"fn": function}))
    return known.model_copy(update={"fn": answering})


def _built(method: Callable[..., object], annotations: ToolAnnotations, policy: Policy) -> Tool:
    built = Tool.from_function(
        method,
        title=annotations.title,
        description=_one_line(method.__doc__ or ""),
        annotations=annotations,
        meta=policy.to_meta(),
    )
    built.parameters = _lean(built.parameters)
    if built.fn_metadata.output_schema is None:
        raise TypeError(f"tool {built.name!r} must return a model, so that it has an output schema")
    built.fn_metadata.output_schema = _lean(built.fn_metadata.output_schema)
    return built


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _lean(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop the titles that pydantic adds: every agent pays for them in every turn."""

    def visit(node: object, *, names: bool) -> object:
        if isinstance(node, dict):
            return {
                key: visit(value, names=key in {"properties", "$defs"} and not names)
                for key, value in node.items()
                if names or key != "title" or not isinstance(value, str)
            }
        return [visit(item, names=False) for item in node] if isinstance(node, list) else node

    lean = visit(schema, names=False)
    assert isinstance(lean, dict)
    return lean
