"""Reading message boards and messages."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared import meta
from trunkline_shared.testing.basecamp.people import Kind

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


@pytest.mark.requirement("basecamp.no-inner-ids")
async def test_messages_are_listed_without_the_id_of_the_board(here: Reading) -> None:
    """The board is found in the dock; the title is the subject, the content Markdown."""
    news = here.account.add_category("Announcement", "📢")
    message = here.post("Kickoff", "<div>Hello <strong>all</strong></div>", category=news)
    here.account.add_comment(message, here.me, "<div>Great</div>")
    answer = await here.call("list_messages", project_id=here.project.id)
    assert answer["message_board_id"] == here.project.tool("message_board").id
    assert answer["items"] == [
        {
            "id": message.id,
            "title": "Kickoff",
            "author": {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"},
            "created_at": "2023-11-14T22:13:21Z",
            "updated_at": "2023-11-14T22:13:21Z",
            "url": (
                f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
                f"/messages/{message.id}"
            ),
            "content": "Hello **all**",
            "comments_count": 1,
            "category": "Announcement",
        }
    ]


async def test_the_order_is_asked_of_basecamp(here: Reading) -> None:
    """Newest first unless the caller wants otherwise."""
    for subject in ("one", "two"):
        here.post(subject)

    async def titles(**arguments: object) -> list[str]:
        answer = await here.call("list_messages", project_id=here.project.id, **arguments)
        return [one["title"] for one in answer["items"]]

    assert await titles() == ["two", "one"]
    assert await titles(direction="asc", sort="updated_at") == ["one", "two"]
    last = here.asked("/message_boards/*")[-1]
    assert dict(last.query) == {"direction": "asc", "sort": "updated_at"}


async def test_a_body_is_full_an_excerpt_or_left_out(here: Reading) -> None:
    """An excerpt is plain text; without the field nothing is converted at all."""
    here.post("Long", "<div>" + "<b>word</b> " * 200 + "</div>")

    async def entry(**arguments: object) -> dict[str, object]:
        answer = await here.call("list_messages", project_id=here.project.id, **arguments)
        first: dict[str, object] = answer["items"][0]
        return first

    excerpt = str((await entry(body="excerpt"))["content"])
    assert excerpt.startswith("word word")
    assert excerpt.endswith("…")
    assert len(excerpt) <= 280
    assert len(str((await entry())["content"])) > 1000
    assert (await entry(body="none"))["content"] is None
    assert await entry(fields=["title"]) == {"title": "Long"}


@pytest.mark.requirement("basecamp.dock")
async def test_of_several_boards_any_can_be_named(here: Reading) -> None:
    """The first enabled one is meant otherwise."""
    second = here.account.add_tool(here.project, "message_board", "Second")
    here.account.add_message(second, "On the second", here.ann)
    by_default = await here.call("list_messages", project_id=here.project.id)
    assert by_default["items"] == []
    named = await here.call("list_messages", project_id=here.project.id, message_board_id=second.id)
    assert [one["title"] for one in named["items"]] == ["On the second"]
    error = await here.refused("list_messages", project_id=here.project.id, message_board_id=7)
    assert error["error_code"] == "NOT_FOUND"
    assert error["details"]["reason"] == "not_in_dock"


@pytest.mark.requirement("basecamp.dock")
async def test_a_board_that_is_disabled_or_absent_is_told(here: Reading) -> None:
    """With the names of what is enabled."""
    here.project.tool("message_board").disable()
    error = await here.refused("list_messages", project_id=here.project.id)
    assert error["error_code"] == "TOOL_NOT_ENABLED"
    assert error["details"]["reason"] == "disabled"
    assert error["details"]["enabled"] == ["todoset", "vault", "chat", "schedule"]
    here.project.without("message_board")
    error = await here.refused("list_messages", project_id=here.project.id)
    assert error["error_code"] == "TOOL_NOT_ENABLED"
    assert error["details"]["reason"] == "absent"


async def test_a_message_is_read_in_full(here: Reading) -> None:
    """Markdown, the files of the structured list, and who is mentioned."""
    file = here.account.attachment("plan.pdf", byte_size=12_300)
    message = here.post(
        "Plan",
        "<div>Ask "
        '<bc-attachment sgid="m" content-type="application/vnd.basecamp.mention">'
        "<figure><img><figcaption>Robin</figcaption></figure></bc-attachment></div>"
        f'<bc-attachment sgid="sgid-{file.id}" content-type="application/pdf"></bc-attachment>',
    )
    message.attachments.append(file)
    answer = await here.call("get_message", project_id=here.project.id, message_id=message.id)
    assert answer["title"] == "Plan"
    assert "Ask @Robin" in answer["content"]
    assert "[plan.pdf](" in answer["content"]
    assert "(12.3 kB)" in answer["content"]
    assert answer["mentions"] == ["Robin"]
    assert [(one["filename"], one["byte_size"]) for one in answer["attachments"]] == [
        ("plan.pdf", 12_300)
    ]
    assert answer["comments"] is None
    assert not here.asked("/recordings/*")


async def test_comments_come_with_a_message_when_asked_for(here: Reading) -> None:
    """Oldest first, in Markdown."""
    message = here.post("Plan")
    for text in ("<div>first</div>", "<ul><li>second</li></ul>"):
        here.account.add_comment(message, here.me, text)
    answer = await here.call(
        "get_message", project_id=here.project.id, message_id=message.id, include_comments=True
    )
    assert [one["content"] for one in answer["comments"]] == ["first", "- second"]
    assert answer["comments"][0]["author"]["name"] == "Robin Reader"
    assert answer["comments_page"]["has_more"] is False


@pytest.mark.requirement("basecamp.paging")
async def test_a_long_discussion_is_cut_and_goes_on_where_comments_are_listed(
    here: Reading,
) -> None:
    """The cursor of the hundredth comment is good for list_recording_comments."""
    message = here.post("Debate")
    for number in range(160):
        here.account.add_comment(message, here.me, f"<div>{number}</div>")
    answer = await here.call(
        "get_message", project_id=here.project.id, message_id=message.id, include_comments=True
    )
    assert len(answer["comments"]) == 100
    assert answer["comments_page"]["total_count"] == 160
    rest = await here.everything_from(
        "list_recording_comments",
        answer["comments_page"]["next_cursor"],
        recording_id=message.id,
    )
    said = [one["content"] for one in answer["comments"] + rest]
    assert said == [str(number) for number in range(160)]


@pytest.mark.requirement("basecamp.nulls")
async def test_a_message_without_text_author_and_category_is_read(here: Reading) -> None:
    """All three are null, or not there at all."""
    board = here.project.tool("message_board")
    message = here.account.add_message(board, "Only a subject", None)
    listed = await here.call("list_messages", project_id=here.project.id)
    alone = await here.call("get_message", project_id=here.project.id, message_id=message.id)
    for answer in (listed["items"][0], alone):
        assert (answer["content"], answer["author"], answer["category"]) == ("", None, None)


@pytest.mark.requirement("basecamp.people")
@pytest.mark.parametrize("kind", ["Integration", "Tombstone", "LocalPerson", "Client"])
async def test_whoever_wrote_it_is_somebody(here: Reading, kind: Kind) -> None:
    """Bots and people who left have no e-mail address; Basecamp itself has no number either."""
    writer = here.account.add_person("Somebody", kind=kind)
    board = here.project.tool("message_board")
    message = here.account.add_message(board, "Hello", writer)
    answer = await here.call("get_message", project_id=here.project.id, message_id=message.id)
    assert answer["author"] == {
        "id": None if kind == "LocalPerson" else writer.id,
        "name": "Somebody",
        "email": "somebody@example.com" if kind == "Client" else None,
    }


@pytest.mark.requirement("basecamp.people")
async def test_a_client_sees_what_is_visible_to_clients(here: Reading) -> None:
    """What is not is not found, and the list leaves it out."""
    here.me.kind = "Client"
    hidden, shown = here.post("Internal"), here.post("Public")
    hidden.visible_to_clients = False
    listed = await here.call("list_messages", project_id=here.project.id)
    assert [one["id"] for one in listed["items"]] == [shown.id]
    error = await here.refused("get_message", project_id=here.project.id, message_id=hidden.id)
    assert error["error_code"] == "NOT_FOUND"


@pytest.mark.requirement("basecamp.moments")
async def test_times_with_an_offset_are_told_in_utc(here: Reading) -> None:
    """Comments come with an offset, messages with Z; both are one kind of time here."""
    message = here.post("Plan")
    here.account.add_comment(message, here.me, "<div>ok</div>")
    answer = await here.call(
        "get_message", project_id=here.project.id, message_id=message.id, include_comments=True
    )
    assert answer["created_at"] == "2023-11-14T22:13:21Z"
    assert answer["comments"][0]["created_at"] == "2023-11-14T22:13:22Z"


@pytest.mark.requirement("basecamp.moved")
async def test_a_message_of_another_project_is_not_found_and_where_it_lies_is_told(
    here: Reading,
) -> None:
    """Its address would find it in any project; a bound context learns nothing of the other."""
    other = here.account.add_project("Elsewhere")
    board = other.tool("message_board")
    message = here.account.add_message(board, "Moved", here.ann)
    arguments = {"project_id": here.project.id, "message_id": message.id}
    error = await here.refused("get_message", **arguments)
    assert error["error_code"] == "NOT_FOUND"
    assert error["details"]["reason"] == "other_project"
    assert error["details"]["found_in"] == {"project_id": other.id, "project_name": "Elsewhere"}
    bound = await here.refused("get_message", meta=bound_to(here.project), **arguments)
    assert bound["details"]["reason"] == "other_project"
    assert "Elsewhere" not in str(bound)
    assert str(other.id) not in str(bound)


@pytest.mark.requirement("basecamp.bound")
@pytest.mark.parametrize("tool", ["list_messages", "get_message"])
async def test_a_context_of_one_project_reaches_no_other(here: Reading, tool: str) -> None:
    """Nothing is even asked."""
    other = here.account.add_project("Elsewhere")
    arguments = {"project_id": other.id} | ({"message_id": 5} if tool == "get_message" else {})
    error = await here.refused(tool, meta=bound_to(here.project), **arguments)
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert not len(here.basecamp.requests)


async def test_a_trashed_message_is_not_listed_and_can_still_be_read(here: Reading) -> None:
    """Its status says what it is."""
    message = here.post("Old")
    message.status = "trashed"
    assert (await here.call("list_messages", project_id=here.project.id))["items"] == []
    answer = await here.call("get_message", project_id=here.project.id, message_id=message.id)
    assert answer["status"] == "trashed"


async def test_a_large_body_is_read(here: Reading) -> None:
    """Beside the event loop, so that other calls go on."""
    message = here.post("Large", "<div>" + "<p>a line of text</p>" * 15_000 + "</div>")
    answer = await here.call("get_message", project_id=here.project.id, message_id=message.id)
    assert answer["content"].count("a line of text") == 15_000


async def test_a_result_names_what_would_spoil_it(here: Reading) -> None:
    """The account is known only now, so the tags come with the result."""
    message = here.post("Plan")
    account, project = here.account.id, here.project.id
    board = here.project.tool("message_board").id
    for tool, arguments, tag in (
        ("list_projects", {}, f"bc:{account}"),
        ("get_project_tools", {"project_id": project}, f"bc:{account}:{project}"),
        ("list_messages", {"project_id": project}, f"bc:{account}:{project}:{board}"),
        (
            "get_message",
            {"project_id": project, "message_id": message.id},
            f"bc:{account}:{project}:{message.id}",
        ),
    ):
        result = await here.raw(tool, **arguments)
        assert (result.meta or {})[meta.REUSE] == {"tags": [tag]}
