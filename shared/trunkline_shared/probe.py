"""`python -m trunkline_shared.probe URL`: whether a server of this container answers with 200.

Sockets alone: it is started every few seconds, and an HTTP library takes longer to import.
"""

import socket
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

_TIMEOUT_S = 2.5


def status_of(url: str) -> str:
    """Return the status line that an `http` URL is answered with. Raises OSError."""
    parts = urlsplit(url)
    request = f"GET {parts.path or '/'} HTTP/1.0\r\nHost: {parts.netloc}\r\n\r\n"
    address = parts.hostname or "", parts.port or 80
    with socket.create_connection(address, timeout=_TIMEOUT_S) as connection:
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
