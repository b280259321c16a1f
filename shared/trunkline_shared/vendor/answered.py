"""What was read together with the answer that it came in, and where that answer came from."""

from datetime import UTC, datetime
from typing import TypeVar

from trunkline_shared.exchange import Endpoint, Response
from trunkline_shared.listing import Source

T = TypeVar("T")


def with_response(endpoint: Endpoint[T]) -> Endpoint[tuple[T, Response]]:
    """Return the endpoint that also hands on the answer itself."""

    def read(response: Response) -> tuple[T, Response]:
        return endpoint.read(response), response

    return Endpoint(
        request=endpoint.request,
        read=read,
        repeatable=endpoint.repeatable,
        timeout_s=endpoint.timeout_s,
        body_cap=endpoint.body_cap,
    )


def source_of(response: Response) -> Source:
    """Return where an answer comes from, and how fresh it is."""
    moment = datetime.fromtimestamp(response.received_at, UTC)
    return Source(
        etag=response.headers.get("etag"),
        fetched_at=moment.isoformat(timespec="seconds"),
        cached=response.confirmed,
        moved_to=response.moved_to,
    )
