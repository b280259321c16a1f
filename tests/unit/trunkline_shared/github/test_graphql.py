"""GraphQL: failures inside a 200, and what is asked through it."""

import pytest

from tests.unit.trunkline_shared.github.answers import NOW, answer
from trunkline_shared.errors import TrunklineError
from trunkline_shared.github import graphql
from trunkline_shared.github.minimized import MOST, minimizables
from trunkline_shared.github.viewer import Viewer, authenticated_user, viewer


def refused(*errors: object, **headers: object) -> TrunklineError:
    with pytest.raises(TrunklineError) as caught:
        viewer().read(answer(200, {"data": None, "errors": list(errors)}, **headers))
    return caught.value


def test_a_query_asks_and_changes_nothing() -> None:
    """A POST that may be repeated and needs no turn to write."""
    endpoint = viewer()
    assert (endpoint.request.method, endpoint.request.path) == ("POST", "/graphql")
    assert endpoint.repeatable
    assert not endpoint.request.writes


def test_the_viewer_is_read() -> None:
    """Apps and workflows too."""
    body = {"data": {"viewer": {"login": "trunkline[bot]"}}}
    assert viewer().read(answer(200, body)).viewer.login == "trunkline[bot]"


def test_a_persons_account_is_read_by_rest() -> None:
    """`GET /user`."""
    endpoint = authenticated_user()
    assert endpoint.request.path == "/user"
    assert endpoint.read(answer(200, {"login": "octocat", "id": 1})).login == "octocat"


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("NOT_FOUND", "NOT_FOUND"),
        ("FORBIDDEN", "PERMISSION_DENIED"),
        ("INSUFFICIENT_SCOPES", "PERMISSION_DENIED"),
        ("UNPROCESSABLE", "INVALID_INPUT"),
        ("", "UPSTREAM_UNAVAILABLE"),
    ],
)
def test_an_error_without_data_has_its_code(kind: str, code: str) -> None:
    """By type."""
    error = refused({"type": kind, "message": "no"})
    assert (error.code, error.retryable) == (code, False)
    assert "no" in error.message


def test_a_limit_inside_a_success_is_a_rate_limit() -> None:
    """With the wait of its headers."""
    error = refused(
        {"type": "RATE_LIMITED", "message": "API rate limit exceeded"},
        x_ratelimit_remaining=0,
        x_ratelimit_reset=int(NOW) + 50,
        x_ratelimit_resource="graphql",
    )
    assert (error.code, error.retry_after, error.retryable) == ("RATE_LIMITED", 50, True)
    assert error.details["throttle"] == {
        "resource": "graphql",
        "kind": "primary",
        "announced": True,
    }


def test_a_limit_inside_a_success_without_headers_is_a_minute() -> None:
    """Secondary, as nothing says otherwise."""
    assert refused({"type": "RATE_LIMITED", "message": "slow"}).retry_after == 60


def test_neither_data_nor_error_is_the_vendors_failure() -> None:
    """Nothing is made up."""
    assert refused().code == "UPSTREAM_UNAVAILABLE"


def test_an_http_failure_is_read_as_everywhere() -> None:
    """401 is 401."""
    with pytest.raises(TrunklineError) as caught:
        viewer().read(answer(401, {"message": "Bad credentials"}))
    assert caught.value.code == "AUTH_ERROR"


def test_hidden_comments_are_told_apart_and_missing_ones_skipped() -> None:
    """A node that is gone is null beside an error."""
    body = {
        "data": {
            "nodes": [
                {"id": "a", "isMinimized": True, "minimizedReason": "outdated"},
                None,
                {"id": "b", "isMinimized": False, "minimizedReason": None},
                {"id": "c"},
            ]
        },
        "errors": [{"type": "NOT_FOUND", "message": "Could not resolve"}],
    }
    read = minimizables(["a", "x", "b", "c"]).read(answer(200, body))
    assert [(n.id, n.is_minimized, n.reason) for n in read.nodes] == [
        ("a", True, "outdated"),
        ("b", False, None),
        ("c", False, None),
    ]


def test_no_more_nodes_are_asked_than_github_takes() -> None:
    """A hundred."""
    asked = minimizables([str(n) for n in range(150)]).request.json
    assert isinstance(asked, dict)
    assert len(asked["variables"]["ids"]) == MOST


def test_a_mutation_writes_and_any_error_of_it_is_raised() -> None:
    """Its failure comes beside a null, in a 200."""
    endpoint = graphql.mutation("mutation { x }", {}, Viewer, repeatable=True)
    assert endpoint.request.writes
    done = {"data": {"viewer": {"login": "octocat"}}}
    assert endpoint.read(answer(200, done)).viewer.login == "octocat"
    refusal = {"type": "FORBIDDEN", "path": ["viewer"], "message": "not yours"}
    with pytest.raises(TrunklineError) as caught:
        endpoint.read(answer(200, {"data": {"viewer": None}, "errors": [refusal]}))
    assert caught.value.code == "PERMISSION_DENIED"
    with pytest.raises(TrunklineError):
        endpoint.read(answer(200, {"data": None}))
