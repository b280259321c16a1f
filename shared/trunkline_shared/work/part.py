"""One part of what several servers know: there, or missing with the reason."""

from collections.abc import Awaitable
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from trunkline_shared.errors import TrunklineError

DataT = TypeVar("DataT", bound=BaseModel)


class Part(BaseModel, Generic[DataT]):
    """What another server knows, or why it is missing; text in `data` is from strangers."""

    model_config = ConfigDict(frozen=True)

    available: bool = False
    data: DataT | None = None
    error_code: str | None = None
    message: str | None = None
    hint: str | None = None
    retryable: bool = False

    @classmethod
    def having(cls, data: DataT) -> "Part[DataT]":
        """Return a part that is there."""
        return cls(available=True, data=data)

    @classmethod
    def without(cls, error: TrunklineError) -> "Part[DataT]":
        """Return a part that is missing, with what an agent may do about it."""
        return cls(
            error_code=error.code,
            message=error.message,
            hint=error.hint,
            retryable=error.retryable,
        )


async def part_of(reading: Awaitable[DataT]) -> Part[DataT]:
    """Return what is read as a part: a failure costs nothing but this one."""
    try:
        return Part.having(await reading)
    except TrunklineError as error:
        return Part.without(error)
