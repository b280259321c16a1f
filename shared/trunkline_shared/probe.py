"""`python -m trunkline_shared.probe URL`: whether a server of this container answers with 200.

Sockets alone: every container starts it every few seconds, and imports are what it costs.
"""

import socket
import sys
from collections.abc import Sequence

_TIMEOUT_S = 2.5


def status_of(url: str) -> str:
    """Return the status line that an `http` URL is answered with. Raises OSError."""
    place, _, path = url.removeprefix("http://").partition("/")
    host, _, port = place.partition(":")
    request = f"GET /{path} HTTP/1.0\r\nHost: {place}\r\n\r\n"
    with socket.create_connection((host, int(port or 80)), timeout=_TIMEOUT_S) as connection:
        connection.sendall(request.encode())
        with connection.makefile("rb") as answer:
            return answer.readline(200).decode("latin-1").strip()


def main(argv: Sequence[str] | None = None) -> None:
    """End with 0 for a 200, else with 1 and what was there instead."""
    (url,) = sys.argv[1:] if argv is None else argv
    try:
        answered = status_of(url)
    except OSError as error:
        sys.exit(f"{url}: {error}")
    if answered.split()[1:2] != ["200"]:
        sys.exit(f"{url}: {answered or 'no answer'}")


if __name__ == "__main__":
    main()
