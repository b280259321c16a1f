"""Declared tags with gaps: which changes concern what was declared so."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_PARTS = re.compile(r"([:#@/])")
_ANYTHING = ""


@dataclass(frozen=True, slots=True)
class TagPattern:
    """A declared tag with the values that are known; an empty part stands for any."""

    parts: tuple[str, ...]

    @classmethod
    def of(cls, template: str, values: Mapping[str, str]) -> "TagPattern":
        """Fill a declared tag; `values` are spelled as tags have them."""
        filled = _PLACEHOLDER.sub(lambda found: values.get(found[1], _ANYTHING), template)
        return cls(tuple(_PARTS.split(filled)))

    def concerns(self, tag: str) -> bool:
        """Say whether a change under a tag may be one of this: it is the same, above or beneath."""
        parts = _PARTS.split(tag)
        return all(
            mine in {_ANYTHING, theirs} for mine, theirs in zip(self.parts, parts, strict=False)
        )
