"""The command that the suite runs as its client: passes what it is told to the waiting test.

Run as `asked.py PORT URL`; ends with the code that the test answers.
"""

import json
import os
import socket
import sys

_SAID = ("MCP_CONFORMANCE_SCENARIO", "MCP_CONFORMANCE_CONTEXT", "MCP_CONFORMANCE_PROTOCOL_VERSION")


def main(port: str, url: str) -> None:
    """Ask, wait, and end."""
    told = {name: os.environ.get(name, "") for name in _SAID}  # noqa: TID251 - the suite's own way to say it
    with socket.create_connection(("127.0.0.1", int(port))) as asked:
        asked.sendall(json.dumps({"url": url, **told}).encode() + b"\n")
        sys.exit(int(asked.recv(8) or b"1"))


if __name__ == "__main__":
    main(*sys.argv[1:])
