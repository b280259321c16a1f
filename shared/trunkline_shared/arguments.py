"""The arguments that tools of several vendors share, as an agent sees them."""

from typing import Annotated

from pydantic import AwareDatetime, BeforeValidator, Field

_LARGEST = 2**63 - 1


def _plain_number(value: object) -> object:
    """Refuse true and false, which Python takes for 1 and 0, and what vendors have no room for.

    The largest number is not said in the schema: each agent would pay for it in each turn.
    """
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")  # noqa: TRY004 - pydantic turns a ValueError into a field error
    if isinstance(value, int) and value > _LARGEST:
        raise ValueError("must be at most 2**63 - 1")
    return value


PLAIN = BeforeValidator(_plain_number)

Number = Annotated[int, Field(ge=1), PLAIN]
OptionalNumber = Annotated[int, Field(ge=0), PLAIN]
UpToHundred = Annotated[int, Field(ge=0, le=100), PLAIN]
PerPage = Annotated[int, Field(ge=1, le=100), PLAIN]
Moment = AwareDatetime | None
