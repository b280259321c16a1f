"""What Basecamp's events spoil: what they are about, and what that hangs on."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from trunkline_router.cache.hooks import Lesson
from trunkline_router.webhooks.basecamp import Basecamp
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told, Unproven

PROJECT = "bc:195539477:2085958498"
MESSAGE = {
    "id": 9007199254741622,
    "type": "Message",
    "url": "https://3.basecampapi.com/195539477/buckets/2085958498/messages/9007199254741622.json",
    "parent": {"id": 9007199254741434, "type": "Message::Board"},
    "bucket": {"id": 2085958498, "name": "The Leto Laptop", "type": "Project"},
}
OWN, BOARD = f"{PROJECT}:9007199254741622", f"{PROJECT}:9007199254741434"


def told(content: Mapping[str, Any]) -> Told:
    """Return what a delivery comes to."""
    return Basecamp().read(Arrived(headers={}, body=orjson.dumps(dict(content))), dict(content))


@pytest.mark.requirement("webhook.spoils")
@pytest.mark.parametrize(
    ("kind", "tags"),
    [
        ("message_created", [OWN, BOARD]),
        ("message_title_updated", [OWN, BOARD]),
        ("message_content_updated", [OWN, BOARD]),
        ("message_subscribers_changed", [OWN, BOARD]),
        ("comment_created", [OWN, BOARD]),
        ("todo_completed", [OWN, BOARD]),
        ("todo_uncompleted", [OWN, BOARD]),
        ("question_paused", [OWN, BOARD]),
        ("message_active", [OWN, BOARD, PROJECT]),
        ("message_archived", [OWN, BOARD, PROJECT]),
        ("message_unarchived", [OWN, BOARD, PROJECT]),
        ("message_trashed", [OWN, BOARD, PROJECT]),
        ("message_untrashed", [OWN, BOARD, PROJECT]),
        ("message_deleted", [OWN, BOARD, PROJECT]),
        ("message_publicized", [OWN, BOARD, PROJECT]),
        ("message_inserted", [OWN, BOARD, PROJECT]),
        ("kanban::card_created", [OWN, BOARD]),
    ],
)
def test_an_event_spoils_the_recording_and_what_it_hangs_on(kind: str, tags: list[str]) -> None:
    """What becomes of a whole branch of recordings is told of its root alone."""
    assert list(told({"kind": kind, "recording": MESSAGE}).tags) == tags


def test_a_copy_is_spoiled_where_it_went() -> None:
    """Its own project is another one."""
    copy = {
        "id": 981721240,
        "url": "https://3.basecampapi.com/195539477/buckets/2085958499/todos/981721240.json",
        "bucket": {"id": 2085958499},
    }
    tags = told({"kind": "todo_copied", "recording": MESSAGE, "copy": copy}).tags
    assert "bc:195539477:2085958499:981721240" in tags
    assert {PROJECT, "bc:195539477:2085958499"} <= set(tags)


@pytest.mark.parametrize(
    "recording",
    [
        {},
        {**MESSAGE, "id": "12"},
        {**MESSAGE, "bucket": None},
        {**MESSAGE, "url": "https://3.basecampapi.com/buckets/1"},
        {**MESSAGE, "url": "javascript:/195539477/"},
        {**MESSAGE, "url": 12},
        {**MESSAGE, "url": "https://[3.basecampapi.com/195539477/"},
        {**MESSAGE, "url": "https://3.basecampapi.com?/195539477/"},
        None,
    ],
    ids=["none", "id", "bucket", "account", "scheme", "url", "bracket", "query", "null"],
)
def test_what_is_not_as_documented_spoils_nothing(recording: object) -> None:
    """It is taken all the same: Basecamp gives a webhook up after ten refusals."""
    assert told({"kind": "message_created", "recording": recording}).tags == ()


def test_a_delivery_without_a_kind_makes_no_sense() -> None:
    """Every event of Basecamp has one."""
    with pytest.raises(Malformed):
        told({"recording": MESSAGE})


def test_a_project_is_known_by_what_came_of_it() -> None:
    """Comments are a type of their own that a webhook may leave out."""
    (one,) = told({"kind": "comment_created", "recording": MESSAGE}).lessons
    (other,) = told({"kind": "todo_completed", "recording": MESSAGE}).lessons
    assert one == Lesson(subject=PROJECT, kinds=frozenset({"comment"}))
    assert other == Lesson(subject=PROJECT, kinds=frozenset({"recording"}))


@pytest.mark.requirement("webhook.proof")
@pytest.mark.parametrize("rest", ["", "secret", "the-secret-of-url/", "the-secret-of-ur", "\udce9"])
def test_another_url_proves_nothing(rest: str) -> None:
    """Neither a part of the secret, nor more than it, nor what is no text."""
    with pytest.raises(Unproven):
        Basecamp().prove(Arrived(headers={}, rest=rest), (b"the-secret-of-url",))
    Basecamp().prove(Arrived(headers={}, rest="the-secret-of-url"), (b"x", b"the-secret-of-url"))
