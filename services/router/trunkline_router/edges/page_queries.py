"""What somebody asks for behind a page's question mark."""

from http import HTTPStatus

from aiohttp import web

from trunkline_router.wire.refusal import Refused


def number_of(http: web.BaseRequest, name: str, default: int, most: int) -> int:
    """Return a whole number from 1 to `most`. Raises Refused, HTTP 400."""
    given = http.query.get(name, "")
    if not given:
        return default
    if given.isascii() and given.isdigit() and len(given) < len(str(most)) + 1:
        number = int(given)
        if 1 <= number <= most:
            return number
    raise Refused(
        0,
        f"{name}={given[:100]!r} must be a whole number from 1 to {most}.",
        status=HTTPStatus.BAD_REQUEST,
    )
