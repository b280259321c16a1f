"""A delivery before it is believed, and what it tells once it is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from trunkline_router.cache.hooks import Lesson
from trunkline_router.model import Json


class Unproven(Exception):
    """Nothing shows that a delivery comes from whom it says; the text holds no secret."""


class Malformed(Exception):
    """A delivery that is proven makes no sense; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """A request as it came. Header names are in lower case.

    `rest` is what stands in the path after the vendor, `path` all of it and `query` what follows:
    any of them may hold a secret.
    """

    headers: Mapping[str, str] = field(repr=False)
    rest: str = field(default="", repr=False)
    path: str = field(default="", repr=False)
    query: str = field(default="", repr=False)
    body: bytes = field(default=b"", repr=False)

    @property
    def media(self) -> str:
        """The type of the content, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a delivery comes to: `id` names it, `event` its kind, `tags` are what it spoils."""

    id: str
    event: str
    tags: tuple[str, ...] = ()
    lessons: tuple[Lesson, ...] = ()

    @property
    def is_ping(self) -> bool:
        return self.event == "ping"


class Vendor(Protocol):
    """How one vendor's deliveries are proven and read."""

    @property
    def name(self) -> str:
        """The part of the path that is its own."""

    @property
    def variable(self) -> str:
        """The environment variable with its secrets."""

    @property
    def most_bytes(self) -> int:
        """How large a delivery can be."""

    @property
    def media(self) -> tuple[str, ...]:
        """The types of content that it sends."""

    def claims(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Look at what came before the body. Raises Unproven where that cannot become proof."""

    def prove(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a delivery that none of the secrets proves."""

    def read(self, arrived: Arrived, content: Json) -> Told:
        """Return what a proven delivery tells. Raises Malformed."""
