"""What the HTTP status of a server that other people run says by itself."""

from http import HTTPStatus

from trunkline_shared.errors import AuthError, RateLimited, TrunklineError, UpstreamUnavailable

_LONGEST_PAUSE_S = 3600
_DIGITS = 9
"""A longer number is longer than any pause, and may be too long to be read."""
_REDIRECTS = int(HTTPStatus.MULTIPLE_CHOICES)


def failure(server: str, status: int, retry_after: str) -> TrunklineError | None:
    """Return what an HTTP status alone says about a server, None where its body has to.

    `retry_after` is the header of that name.
    """
    if status < _REDIRECTS:
        return None
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return AuthError(
            f"Server {server!r} does not accept the credential that the mesh has for it "
            f"(HTTP {status}).",
            hint=f"Whoever runs the mesh mends servers.{server}.headers in trunkline.yaml, or the "
            "variable that it names.",
        )
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        pause = (
            min(int(retry_after[:_DIGITS]), _LONGEST_PAUSE_S) if retry_after.isdecimal() else None
        )
        return RateLimited(f"Server {server!r} takes no more requests now.", retry_after=pause)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return UpstreamUnavailable(f"Server {server!r} failed with HTTP {status}.")
    if status < HTTPStatus.BAD_REQUEST:
        return UpstreamUnavailable(
            f"Server {server!r} is somewhere else (HTTP {status}); redirects are not followed.",
            hint=f"Whoever runs the mesh gives its final URL as servers.{server}.url.",
        )
    return None
