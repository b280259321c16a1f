"""What routers tell each other of the servers' health: small, dated, read without trust."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

Kind = Literal["failed", "passed", "opened", "closed"]


class _News(BaseModel):
    """`origin` is the router that tells, `number` counts what it tells; `at` is epoch seconds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    origin: str
    number: int = 0
    at: float


class BreakerNews(_News):
    """What has happened to a server's breaker, and how it stands since; `left_s` is seconds."""

    about: Literal["breaker"] = "breaker"
    server: str
    kind: Kind
    failures: Annotated[int, Field(ge=0)]
    cause: Literal["connection", "answer"] = "answer"
    left_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0
    last_failure: float = 0
    opened_at: float | None = None


class WindowNews(_News):
    """A quota that is exhausted for `left_s` seconds more, and the tools that have met it."""

    about: Literal["window"] = "window"
    credential: str
    resource: str
    left_s: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    tools: tuple[tuple[str, str, str], ...] = ()


News = Annotated[BreakerNews | WindowNews, Field(discriminator="about")]
_ONE: TypeAdapter[BreakerNews | WindowNews] = TypeAdapter(News)


def read_news(raw: bytes) -> BreakerNews | WindowNews | None:
    """Return what another router tells; None for what this version does not know."""
    try:
        return _ONE.validate_json(raw)
    except ValidationError:
        return None
