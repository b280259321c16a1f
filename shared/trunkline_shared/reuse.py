"""What one result says about its own reuse, beyond what its tool declares."""

import functools
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field, model_validator

from trunkline_shared import meta

ModelT = TypeVar("ModelT", bound=BaseModel)


class Reuse(BaseModel):
    """One of `ttl_s` (seconds), `immutable` and `no_store`, and tags beyond the declared ones.

    It travels in the result's `_meta["dev.trunkline/reuse"]`. An immutable result is one that
    cannot change: a finished attempt, a diff between two commits. A `ttl_s` below its tool's says
    that the result changes without any event, such as a log that grows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    ttl_s: Annotated[float, Field(ge=0)] | None = None
    immutable: bool = False
    no_store: bool = False
    tags: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_of(self) -> "Reuse":
        if (self.ttl_s is not None) + self.immutable + self.no_store > 1:
            raise ValueError("name one of ttl_s, immutable and no_store")
        return self

    def to_meta(self) -> dict[str, object]:
        return {meta.REUSE: self.model_dump(mode="json", exclude_defaults=True)}


@dataclass(frozen=True, slots=True)
class Reusable(Generic[ModelT]):
    """What a tool returns when the result itself says how long it may be used again."""

    result: ModelT
    reuse: Reuse


def with_reuse_in_meta(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return `method`; one that is declared to return `Reusable[Model]` as one of `Model`.

    The SDK then sees the model's schema, and the reuse goes out in the result's `_meta`.
    """
    signature = inspect.signature(method, eval_str=True)
    if get_origin(signature.return_annotation) is not Reusable:
        return method
    (model,) = get_args(signature.return_annotation)
    return _answering(method, signature.replace(return_annotation=Annotated[CallToolResult, model]))


def _answering(
    method: Callable[..., Awaitable[Reusable[Any]]], signature: inspect.Signature
) -> Callable[..., Awaitable[CallToolResult]]:
    @functools.wraps(method)
    async def answer(*args: object, **kwargs: object) -> CallToolResult:
        found = await method(*args, **kwargs)
        return CallToolResult(
            content=[],
            structured_content=found.result.model_dump(mode="json", by_alias=True),
            _meta=found.reuse.to_meta(),
        )

    shown = {one.name: one.annotation for one in signature.parameters.values()}
    answer.__annotations__ = {**shown, "return": signature.return_annotation}
    vars(answer)["__signature__"] = signature
    return answer
