"""The unsigned context: what the query string of an endpoint's URL binds."""

from functools import lru_cache
from urllib.parse import parse_qsl

from trunkline_router.context import Context, InvalidContext
from trunkline_router.wire.refusal import invalid_request

_REMEMBERED = 256
_MOST_FIELDS = 32
_SEARCH = "tools=search"


def without_search(raw: str) -> tuple[str, bool]:
    """Return a query string without `tools=search`, and whether it asked for that."""
    if _SEARCH not in raw:
        return raw, False
    fields = raw.split("&")
    rest = [field for field in fields if field != _SEARCH]
    return "&".join(rest), len(rest) < len(fields)


@lru_cache(maxsize=_REMEMBERED)
def context_of_query(raw: str) -> Context:
    """Return the context that a query string, still percent-encoded, asks for. Raises Refused."""
    try:
        pairs = parse_qsl(raw, keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
        return Context.of(pairs)
    except InvalidContext as fault:
        raise invalid_request(str(fault)) from None
    except ValueError:
        raise invalid_request(
            f"The query string must be percent-encoded UTF-8 of {_MOST_FIELDS} fields at most."
        ) from None
