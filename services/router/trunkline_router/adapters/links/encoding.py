"""Messages as bytes."""

import orjson

from trunkline_shared.errors import InvalidInput


def encoded(value: object, *, canonical: bool = False) -> bytes:
    """Return a value as JSON, `canonical` with its keys in order.

    Raises InvalidInput when a caller's part of it is nested too deeply.
    """
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS if canonical else None)
    except TypeError:
        raise InvalidInput("The params are nested too deeply.") from None
