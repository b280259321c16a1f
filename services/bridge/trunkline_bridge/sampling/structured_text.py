"""JSON in what a model has said, though it may have put it in a fence or a sentence before it."""

import re
from typing import Any

import orjson

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)


def structured_of(text: str) -> Any:
    """Return the JSON value that a text is, or that its last fence holds; None without one."""
    for part in (text, *reversed(_FENCED.findall(text))):
        try:
            return orjson.loads(part.strip())
        except orjson.JSONDecodeError:
            continue
    return None
