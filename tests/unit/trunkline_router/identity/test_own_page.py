"""What a logged-in browser may be made to send by another page: nothing that changes anything."""

import pytest

from trunkline_router.identity.own_page import may_not_be_another, must_be_ours
from trunkline_router.wire.refusal import Refused

BASE = "https://mesh.example"
OWN = {"Host": "127.0.0.1:8470", "Origin": "http://127.0.0.1:8470"}
SAME = {"Host": "127.0.0.1:8470", "Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize(
    "headers",
    [
        OWN,
        SAME,
        OWN | SAME,
        {"Host": "LOCALHOST:8470", "Origin": "http://localhost:8470"},
        {"Host": "behind:1", "Origin": "https://mesh.example"},
        {"Host": "[::1]:8470", "Origin": "http://[::1]:8470"},
    ],
)
def test_the_own_page_may_change_things(headers: dict[str, str]) -> None:
    """By the name that it was asked by, or by the public URL behind a proxy."""
    must_be_ours("POST", headers, BASE)


@pytest.mark.requirement("seeing.own-page")
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "127.0.0.1:8470"},
        {"Host": "127.0.0.1:8470", "Sec-Fetch-Site": "none"},
        OWN | {"Sec-Fetch-Site": "cross-site"},
        OWN | {"Sec-Fetch-Site": "same-site"},
        SAME | {"Origin": "http://127.0.0.1:3000"},
        {"Host": "127.0.0.1:8470", "Origin": "http://127.0.0.1"},
        {"Host": "127.0.0.1:8470", "Origin": "null"},
        {"Host": "127.0.0.1:8470", "Origin": ""},
        {"Host": "mesh.example", "Origin": "https://mesh.example.evil.example"},
        {"Host": "mesh.example", "Origin": "https://sub.mesh.example"},
        {"Host": "x", "Origin": "file://x"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT", "PATCH", "MADE-UP"])
def test_another_page_may_change_nothing(headers: dict[str, str], method: str) -> None:
    """Another port of the same host is another page; silence about it is no proof either."""
    with pytest.raises(Refused, match="own page") as refused:
        must_be_ours(method, headers, BASE)
    assert refused.value.status == 403


@pytest.mark.parametrize("site", [None, "none", "same-origin"])
def test_reading_needs_no_proof(site: str | None) -> None:
    """An address that was typed in is read, and so is what says nothing of where it comes from."""
    headers = {"Host": "h"} | ({"Sec-Fetch-Site": site} if site else {})
    must_be_ours("GET", headers, BASE)
    may_not_be_another(headers, BASE)


@pytest.mark.parametrize(
    "headers",
    [{"Host": "h", "Sec-Fetch-Site": "cross-site"}, {"Host": "h", "Origin": "http://h:1"}],
)
def test_what_another_page_reads_is_refused(headers: dict[str, str]) -> None:
    """It could not see the answer anyway, and need not make the router work for it."""
    with pytest.raises(Refused):
        must_be_ours("GET", headers, BASE)
    with pytest.raises(Refused):
        may_not_be_another(headers, BASE)
