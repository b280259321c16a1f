"""What a check found."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of `trunkline doctor`; `mend` says what to do unless all is well."""

    about: str
    level: Level
    text: str
    mend: str = ""
