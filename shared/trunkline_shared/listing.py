"""What all lists have in common: where they end, where they come from, and choosing fields."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from trunkline_shared.errors import InvalidInput

Fields = Annotated[
    tuple[str, ...], Field(description="Fields of each entry to return; empty: all", max_length=64)
]


class PageInfo(BaseModel):
    """Where a list ends: a cap must never look like the end of the data."""

    model_config = ConfigDict(frozen=True)

    has_more: bool
    next_page: int | None = None
    next_cursor: str | None = None
    total_count: int | None = None
    returned: int
    truncated: bool = False


class Source(BaseModel):
    """Where a list comes from, and how fresh it is.

    `cached` says that a stored copy was confirmed as unchanged; `moved_to` where a renamed
    repository or transferred issue answered from.
    """

    model_config = ConfigDict(frozen=True)

    etag: str | None = None
    fetched_at: str
    cached: bool = False
    head_sha: str | None = None
    moved_to: str | None = None


class Entry(BaseModel):
    """An entry of a list that may be answered with a part of its fields.

    Every field of a subclass needs a default, so that the output schema requires none of them.
    """

    model_config = ConfigDict(frozen=True)

    _only: frozenset[str] = PrivateAttr(default=frozenset())

    @model_serializer(mode="wrap")
    def _chosen(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        whole: dict[str, Any] = serialize(self)
        return {key: whole[key] for key in whole if key in self._only} if self._only else whole


EntryT = TypeVar("EntryT", bound=Entry)


def choose(entries: Iterable[EntryT], fields: Sequence[str], kind: type[EntryT]) -> list[EntryT]:
    """Return the entries, each with `fields` only; all of them when none is named.

    Raises InvalidInput for a field that `kind` does not have.
    """
    for name in fields:
        if name not in kind.model_fields:
            raise _unknown_field(name, kind)
    return [_narrowed(entry, frozenset(fields)) for entry in entries]


def _narrowed(entry: EntryT, only: frozenset[str]) -> EntryT:
    narrowed = entry.model_copy()
    narrowed._only = only  # noqa: SLF001 - the choice is the entry's own, made here for it
    return narrowed


def _unknown_field(name: str, kind: type[Entry]) -> InvalidInput:
    nearest = difflib.get_close_matches(name, kind.model_fields, n=1)
    known = ", ".join(kind.model_fields)
    return InvalidInput(
        f"fields: {name!r} is not a field of this list.",
        hint=f"Did you mean {nearest[0]!r}?" if nearest else f"Its fields: {known}.",
        details={"field_errors": [{"field": "fields", "problem": f"{name!r} is unknown"}]},
    )
