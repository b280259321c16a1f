"""The block of text that tells a model which servers there are and which are disabled.

Its shape is that of the orchestrators that read it first; descriptions are texts of strangers.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from trunkline_shared.untrusted import sanitize

LONGEST_DESCRIPTION = 240
_READ = 4096
_NO_MARKUP = str.maketrans("[]<>`", "()()'")
"""A description can neither state how its server stands nor open or close anything around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One server; `failures` is how many in a row have disabled it, None while it is there."""

    name: str
    description: str = ""
    failures: int | None = None


def capability_lines(capabilities: Iterable[Capability]) -> list[str]:
    """Return a line for each server, in the order given."""
    return [_line(one) for one in capabilities]


def _line(one: Capability) -> str:
    state = "available" if one.failures is None else f"DISABLED ({one.failures} failures)"
    return f"- {one.name}: {summary(one.description)} [{state}]"


def summary(text: str) -> str:
    """Return a description in one bounded line, cut at a sentence where there is one.

    Of a text that is much longer only the beginning is looked at.
    """
    return _summary(text[:_READ])


# The same few texts are told to every client that comes.
@lru_cache(maxsize=256)
def _summary(text: str) -> str:
    one_line = plain_line(text)
    if len(one_line) <= LONGEST_DESCRIPTION:
        return one_line or "(no description)"
    cut = one_line[:LONGEST_DESCRIPTION].rpartition(". ")[0]
    cut = cut or one_line[: LONGEST_DESCRIPTION - 1] + "…"
    return cut + "." if not cut.endswith(("…", ".")) else cut


def plain_line(text: str) -> str:
    """Return text of strangers as one line that cannot pass for anything but text."""
    seen = " ".join(sanitize(text).split()).translate(_NO_MARKUP)
    return "".join(one for one in seen if unicodedata.category(one) not in {"Cc", "Cs"})
