"""Links to Basecamp's to-dos."""

import pytest

from trunkline_bridge.work.links import TodoLink, todo_link

LINK = TodoLink(account_id=1, project_id=22, todo_id=333)


@pytest.mark.requirement("bridge.work-links")
@pytest.mark.parametrize(
    "text",
    [
        "See https://3.basecamp.com/1/buckets/22/todos/333.",
        "[to-do](https://3.basecamp.com/1/buckets/22/todos/333#__recording_4)",
        "https://3.basecampapi.com/1/buckets/22/todos/333.json",
        "https://3.basecamp.com/1/buckets/22/todos/333 https://3.basecamp.com/1/buckets/22/todos/4",
    ],
)
def test_the_first_address_of_a_to_do_is_found(text: str) -> None:
    """As people copy it, and as the API tells it."""
    assert todo_link(text) == LINK


@pytest.mark.requirement("bridge.work-links")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://3.basecamp.com.evil.example/1/buckets/22/todos/333",
        "http://3.basecamp.com/1/buckets/22/todos/333",
        "https://3.basecamp.com/1/buckets/22/messages/333",
        "https://3.basecamp.com/1/buckets/0/todos/333",
        "https://3.basecamp.com/1/buckets/22/todos/" + "9" * 40,
    ],
)
def test_other_addresses_are_no_links(text: str) -> None:
    """Another host, another kind, numbers that no to-do has."""
    assert todo_link(text) is None


@pytest.mark.requirement("bridge.work-links")
def test_a_link_leads_to_its_own_account_only() -> None:
    """The same numbers may mean another to-do elsewhere."""
    assert LINK.leads_to("https://3.basecamp.com/1/buckets/22/todos/333")
    assert not LINK.leads_to("https://3.basecamp.com/12/buckets/22/todos/333")
