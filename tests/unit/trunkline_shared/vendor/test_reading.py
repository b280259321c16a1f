"""From an answer to a value, or to the failure that it is."""

import pytest

from trunkline_shared.errors import NotFound, Unsupported, UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.vendor.reading import MALFORMED, Reading


def refuse(response: Response) -> None:
    """Find a success out that is none."""
    if "x-login-failed" in response.headers:
        raise Unsupported("nobody was asked")


READING = Reading(
    vendor="Acme",
    failure=lambda response: NotFound(f"{response.status}"),
    facts=lambda _: {"upstream": "acme"},
    check=refuse,
)
read = READING.one(dict[str, str])


def answer(body: bytes, status: int = 200, **headers: str) -> Response:
    return Response(status=status, headers=headers, body=body, url="https://acme.test/x")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b'{"a": "\\ud83d"}', "\ufffd"),
        (b'{"a": "cut \\ud83d here"}', "cut \ufffd here"),
        (b'{"a": "\\ude00\\ud83d"}', "\ufffd\ufffd"),
        (b'{"a": "\\ud83d\\ude00"}', "\U0001f600"),
        (b'{"a": "\\\\ud83d"}', "\\ud83d"),
        (b'{"a": "\xf0\x9f"}', "\ufffd"),
    ],
)
def test_half_a_character_does_not_cost_the_whole_answer(body: bytes, shown: str) -> None:
    """A title that somebody's code cut through an emoji is read, with a mark in its place."""
    assert read(answer(body)) == {"a": shown}


@pytest.mark.parametrize("body", [b"", b"{", b'{"a": "\\ud83d', b"[" * 100_000, b'{"a": 1}', b"[]"])
def test_what_is_no_such_value_is_malformed(body: bytes) -> None:
    """It is said where, and that trying again does not help."""
    with pytest.raises(UpstreamUnavailable, match="Acme answered 200") as malformed:
        read(answer(body))
    assert malformed.value.details == {"upstream": "acme", "reason": MALFORMED}
    assert malformed.value.retryable is False


def test_a_failure_and_a_success_that_is_none_are_told_as_what_they_are() -> None:
    """By the vendor's own mapping, and its own look at successes."""
    with pytest.raises(NotFound, match="404"):
        read(answer(b"{}", 404))
    with pytest.raises(Unsupported):
        read(answer(b"{}", 200, **{"x-login-failed": "1"}))
