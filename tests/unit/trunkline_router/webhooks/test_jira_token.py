"""The token of a Jira site: signed by it, for this request, at this time."""

import hashlib

import jwt
import pytest

from trunkline_router.webhooks.delivery import Arrived, Unproven
from trunkline_router.webhooks.jira import Jira
from trunkline_router.webhooks.jira_token import request_hash
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.requirement("webhook.proof")

SECRET = b"the-secret-of-the-webhook-of-jira"
NOW = 1_700_000_000.0
PATH, QUERY = "/webhooks/jira", "user_id=admin&user_key=admin"


def proven(
    *, key: bytes = SECRET, algorithm: str = "HS256", query: str = QUERY, **claims: object
) -> None:
    """Prove a delivery with a token of these claims."""
    whole = {
        "iss": "jira",
        "iat": NOW,
        "exp": NOW + 180,
        "qsh": request_hash("POST", PATH, QUERY),
        **claims,
    }
    told = {name: value for name, value in whole.items() if value is not None}
    token = jwt.encode(told, key if algorithm != "none" else "", algorithm=algorithm)
    headers = {"authorization": f"JWT {token}"}
    arrived = Arrived(headers=headers, path=PATH, query=query, body=b"{}")
    Jira(clock=FakeClock(NOW), sites=tuple).prove(
        arrived, (b"a-new-secret-that-is-not-used-yet!", SECRET)
    )


def test_a_token_for_this_request_proves_it() -> None:
    """With the newest secret or one before it."""
    proven()


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": b"somebody-else-s-secret-of-32-bytes"},
        {"algorithm": "none"},
        {"algorithm": "HS384"},
        {"query": ""},
        {"query": QUERY + "&more=1"},
        {"qsh": "context-qsh"},
        {"qsh": None},
        {"qsh": 7},
        {"qsh": request_hash("GET", PATH, QUERY)},
        {"qsh": request_hash("POST", "/other", QUERY)},
        {"exp": NOW - 60},
        {"exp": None},
        {"exp": "later"},
        {"exp": NOW + 86_400},
        {"iat": NOW + 120},
        {"iat": None},
        {"iat": 10**400},
        {"exp": 10**400},
        {"exp": True},
        {"qsh": "\ud800"},
    ],
    ids=[
        *("secret", "none", "hs384", "no-query", "more-query", "context", "no-hash", "odd-hash"),
        *("method", "path", "over", "endless", "odd-end", "long", "early", "no-begin"),
        *("far-begin", "far-end", "true", "half-a-character"),
    ],
)
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_any_other_token_proves_nothing(wrong: dict[str, object]) -> None:
    """Of another secret, algorithm, request or time."""
    with pytest.raises(Unproven):
        proven(**wrong)  # type: ignore[arg-type]  # each case changes one of them


@pytest.mark.parametrize("token", ["", "e30", "e30.e30.e30", "x" * 9000, "é.é.é"])
def test_what_is_no_token_proves_nothing(token: str) -> None:
    """However it is broken."""
    arrived = Arrived(headers={"authorization": f"JWT {token}"}, path=PATH)
    with pytest.raises(Unproven):
        Jira(clock=FakeClock(NOW), sites=tuple).claims(arrived, (SECRET,))


def test_a_short_secret_signs_no_token() -> None:
    """The algorithm wants 32 bytes; a signature over the body is still taken."""
    arrived = Arrived(headers={"authorization": "JWT e30.e30.e30"}, path=PATH)
    with pytest.raises(Unproven):
        Jira(clock=FakeClock(NOW), sites=tuple).claims(arrived, (b"sixteen-and-more",))


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("b=2&a=1", "a=1&b=2"),
        ("a=x%20y&jwt=token", "a=x+y"),
        ("a=2&a=1", "a=1&a=2"),
        ("a=%7e", "a=~"),
    ],
    ids=["order", "spaces", "repeated", "tilde"],
)
def test_the_same_request_has_one_canonical_form(query: str, same: str) -> None:
    """Parameters in order, encoded alike, without the token itself."""
    assert request_hash("POST", PATH, query) == request_hash("post", f"{PATH}/", same)


def test_the_hash_is_that_of_the_canonical_request() -> None:
    """As Atlassian's description says: method, path and query, joined by ampersands."""
    expected = hashlib.sha256(b"GET&/path/to/service&param=value%2Cwith%2Ccommas&zee=1").hexdigest()
    assert request_hash("GET", "/path/to/service", "zee=1&param=value,with,commas") == expected
