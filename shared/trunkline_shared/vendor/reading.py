"""From an answer of a vendor to a typed value, or to the failure that it is.

Readers are built once, at import: pydantic's preparation costs more than a reading.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from trunkline_shared.errors import TrunklineError, UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.vendor.page import Page, links

T = TypeVar("T")

MALFORMED = "malformed_answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Makes the readers of one vendor's endpoints.

    `failure` tells what an answer that is no success failed with, `facts` what the details of
    every failure hold. `check` may raise for a success that is none.
    """

    vendor: str
    failure: Callable[[Response], TrunklineError]
    facts: Callable[[Response], Mapping[str, object]]
    check: Callable[[Response], None] = lambda _: None

    def one(self, kind: type[T]) -> Callable[[Response], T]:
        """Return a reader of one object."""
        adapter = TypeAdapter(kind)

        def read(response: Response) -> T:
            return self.parsed(self.checked(response), adapter)

        return read

    def page(
        self, kind: type[T], total: Callable[[Response], int | None] = lambda _: None
    ) -> Callable[[Response], Page[T]]:
        """Return a reader of one page of a list; `total` finds how many there are on all."""
        adapter: TypeAdapter[tuple[T, ...]] = TypeAdapter(tuple[kind, ...])  # type: ignore[valid-type] # built at run time

        def read(response: Response) -> Page[T]:
            items = self.parsed(self.checked(response), adapter)
            relations = links(response.headers)
            return Page(
                items=items,
                next_url=relations.get("next"),
                last_url=relations.get("last"),
                total_count=total(response),
            )

        return read

    def checked(self, response: Response) -> Response:
        """Return the response when it is a success; raises what it failed with otherwise."""
        if not 200 <= response.status < 300:  # noqa: PLR2004 - the HTTP class of successes
            raise self.failure(response)
        self.check(response)
        return response

    def parsed(self, response: Response, adapter: TypeAdapter[T]) -> T:
        """Return the body as `adapter` reads it. Raises UpstreamUnavailable when it does not."""
        try:
            return _validated(response.body, adapter)
        except ValidationError as error:
            raise self.malformed(response, _where(error)) from None

    def malformed(self, response: Response, what: str) -> UpstreamUnavailable:
        """Return the failure of a success whose body is not what it should be."""
        return UpstreamUnavailable(
            f"{self.vendor} answered {response.status} unexpectedly ({what}).",
            retryable=False,
            details={**self.facts(response), "reason": MALFORMED},
        )


def _validated(body: bytes, adapter: TypeAdapter[T]) -> T:
    """Read a body; one with half of a character in it as if U+FFFD stood there.

    Vendors cut texts at a number of UTF-16 units, through the middle of an emoji, and pydantic
    then refuses the whole body.
    """
    try:
        return adapter.validate_json(body)
    except ValidationError as error:
        is_broken = error.errors(include_url=False)[0]["type"] == "json_invalid"
        mended = _with_whole_characters(body) if is_broken else None
        if mended is None:
            raise
    return adapter.validate_json(mended)


def _with_whole_characters(body: bytes) -> str | None:
    try:
        text = json.dumps(json.loads(body.decode(errors="replace")), ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _where(error: ValidationError) -> str:
    first: Mapping[str, Any] = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "the body"
    return f"{place}: {first['type']}"
