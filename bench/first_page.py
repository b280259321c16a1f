"""The first page of a list, as a client gets it."""

import http.client

import orjson

from bench.operations import Operation


def first_page(port: int, listed: Operation) -> tuple[int, int]:
    """Return how many tools are on it, and how many bytes the answer has."""
    head, _, body = listed.to_bytes(port).partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", listed.path, body=body, headers=headers)
    answer = connection.getresponse().read()
    connection.close()
    return len(orjson.loads(answer)["result"]["tools"]), len(answer)
