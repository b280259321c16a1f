"""An endpoint becomes a request on the wire."""

import pytest

from trunkline_shared.errors import InvalidInput
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.http.outgoing import Outgoing, outgoing


def built(request: Request, **headers: str) -> Outgoing:
    endpoint = Endpoint(request=request, read=lambda r: r.body, repeatable=True, timeout_s=7)
    return outgoing(endpoint, "https://api.example/x", headers, resend=1)


def test_query_parameters_are_encoded() -> None:
    """A value cannot add a parameter of its own."""
    request = Request(method="GET", path="/x", query=(("q", "a&b=c d"), ("p", "ü")))
    assert built(request).url == "https://api.example/x?q=a%26b%3Dc+d&p=%C3%BC"


def test_a_body_is_json_with_its_type() -> None:
    """UTF-8, and no body means no type."""
    sent = built(Request(method="POST", path="/x", json={"body": "ü🙂"}))
    assert sent.body == '{"body":"ü🙂"}'.encode()
    assert sent.headers["Content-Type"] == "application/json; charset=utf-8"
    assert "Content-Type" not in built(Request(method="GET", path="/x")).headers


def test_the_endpoints_own_headers_stand_over_the_usual() -> None:
    """A diff is asked for with its own media type."""
    request = Request(method="GET", path="/x", headers={"Accept": "diff"}, template="/{x}")
    sent = built(request, Accept="json", Agent="me")
    assert sent.headers == {"Accept": "diff", "Agent": "me"}
    assert (sent.template, sent.timeout_s, sent.resend) == ("/{x}", 7, 1)


@pytest.mark.parametrize(
    "request_",
    [
        Request(method="POST", path="/x", json={"body": "a\ud83d"}),
        Request(method="GET", path="/x", query=(("q", "a\ud83d"),)),
    ],
)
def test_half_a_surrogate_pair_is_the_callers_mistake(request_: Request) -> None:
    """It is no character, so no vendor could take it: neither in a body nor in a query."""
    with pytest.raises(InvalidInput, match="surrogate"):
        built(request_)
