"""Hosts and origins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.identity.address_check import AddressCheck
from trunkline_router.wire.refusal import Refused

CHECK = AddressCheck.of("127.0.0.1", "https://mesh.example:444/x", ["https://app.example/"])


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "127.0.0.1:8470"},
        {"Host": "LOCALHOST"},
        {"Host": "[::1]:8470"},
        {"Host": "mesh.example"},
        {"Host": "localhost", "Origin": "https://app.example"},
        {"Host": "localhost", "Origin": "https://mesh.example:444"},
        {"Host": "localhost", "Origin": "http://[::1]:5173"},
    ],
)
def test_our_own_names_are_let_in(headers: dict[str, str]) -> None:
    """Loopback in every spelling, the public name, and the origins that are named."""
    CHECK.check(headers)


def test_the_name_that_servers_use_is_ours_and_no_origin() -> None:
    """A page of that name is a stranger's all the same."""
    check = AddressCheck.of("127.0.0.1", None, [], "http://Router:8470/mcp")
    check.check({"Host": "router:8470"})
    with pytest.raises(Refused):
        check.check({"Host": "router:8470", "Origin": "http://router:8470"})


@pytest.mark.parametrize("host", ["10.0.3.7:8470", "192.0.2.1", "[fd00::7]:8470"])
def test_an_address_is_let_in_since_no_page_can_bind_it_anew(host: str) -> None:
    """Probes and scrapers know each replica by its address alone; a page there is a stranger's."""
    CHECK.check({"Host": host})
    with pytest.raises(Refused) as refused:
        CHECK.check({"Host": host, "Origin": f"http://{host}"})
    assert refused.value.status == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 421),
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example"}, 421),
        ({"Host": "10.0.3.7.evil.example"}, 421),
        ({"Host": "10.0.3"}, 421),
        ({"Host": "localhost", "Origin": "https://evil.example"}, 403),
        ({"Host": "localhost", "Origin": "https://mesh.example"}, 403),
        ({"Host": "localhost", "Origin": "ftp://localhost"}, 403),
        ({"Host": "localhost", "Origin": "http://localhost.evil.example"}, 403),
        ({"Host": "localhost", "Origin": ""}, 403),
    ],
)
def test_others_are_not(headers: dict[str, str], status: int) -> None:
    """421 for a wrong host, 403 for a wrong origin."""
    with pytest.raises(Refused) as refused:
        CHECK.check(headers)
    assert refused.value.status == status


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_header_breaks_the_check(host: str, origin: str) -> None:
    """Any value is let in or refused."""
    status: int | None = None
    try:
        CHECK.check({"Host": host, "Origin": origin})
    except Refused as refused:
        status = refused.status
    assert status in {None, 403, 421}
