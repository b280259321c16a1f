"""What an authorization server may answer, read from its bytes alone."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_project_reader.tokens.answers import Renewed, read_renewed
from trunkline_shared.errors import TokenExpired, TrunklineError, UpstreamUnavailable
from trunkline_shared.exchange import Response


def answer(body: object, status: int = 200) -> Response:
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return Response(status=status, headers={}, body=raw, url="https://issuer.example/token")


@pytest.mark.parametrize(
    ("body", "refresh_token", "expires_in"),
    [
        ({"access_token": "a", "refresh_token": "r", "expires_in": 1209600}, "r", 1209600),
        ({"access_token": "a", "expires_in": "1209600"}, None, 1209600),
        ({"access_token": "a", "refresh_token": None, "expires_in": None}, None, None),
        ({"access_token": "a", "token_type": "bearer", "scope": ["x"]}, None, None),
        ({"access_token": "a", "error": None}, None, None),
    ],
)
def test_the_next_tokens_are_read_in_every_shape(
    body: object, refresh_token: str | None, expires_in: float | None
) -> None:
    """Launchpad's, those of RFC 6749, and with what nobody asked for."""
    renewed = read_renewed(answer(body))
    assert renewed == Renewed(access_token="a", refresh_token=refresh_token, expires_in=expires_in)
    assert "'a'" not in repr(renewed)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        [],
        {},
        {"access_token": None},
        {"access_token": ""},
        {"access_token": "line\nbreak"},
        {"access_token": "a", "expires_in": -1},
        {"access_token": "a", "expires_in": "soon"},
        {"access_token": "a", "refresh_token": 7},
    ],
)
def test_a_success_without_usable_tokens_is_none(body: object) -> None:
    """UPSTREAM_UNAVAILABLE, which repeats nothing of the answer."""
    with pytest.raises(UpstreamUnavailable) as caught:
        read_renewed(answer(body))
    assert caught.value.details["reason"] == "malformed_answer"


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (400, {"error": "invalid_grant"}, "invalid_grant"),
        (401, {"error": "invalid_client"}, "invalid_client"),
        (403, {"error": "unauthorized_client"}, "unauthorized_client"),
        (400, {"error": "The refresh token r-123 is gone"}, None),
        (401, b"Unauthorized", None),
        (400, {"error": {"code": "invalid_grant"}}, None),
    ],
)
def test_a_refusal_is_told_by_its_code_alone(status: int, body: object, code: str | None) -> None:
    """Or by its status, when the code is none that a standard could have."""
    with pytest.raises(TokenExpired) as caught:
        read_renewed(answer(body, status))
    assert caught.value.details["oauth_error"] == code
    assert (code or str(status)) in caught.value.message
    assert "r-123" not in f"{caught.value.message}{caught.value.hint}{caught.value.details}"


@given(
    status=st.integers(100, 599),
    body=st.binary(max_size=80)
    | st.dictionaries(st.sampled_from(["error", "access_token"]), st.text(max_size=9)).map(
        orjson.dumps
    ),
)
def test_every_answer_is_tokens_or_one_of_our_failures(status: int, body: bytes) -> None:
    """No answer, however odd, is a bug of ours."""
    try:
        renewed = read_renewed(answer(body, status))
    except TrunklineError as error:
        assert error.details["http_status"] == status  # noqa: PT017 - tokens are as good
    else:
        assert renewed.access_token
