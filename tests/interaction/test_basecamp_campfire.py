"""Reading what was said in a campfire."""

from collections.abc import AsyncIterator
from datetime import timedelta

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared.testing.basecamp.campfire import Line, LineKind, add_line
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


def say(here: Reading, content: str | None, kind: LineKind = "RichText") -> Line:
    """Say something in the project's campfire, as Ann."""
    return add_line(here.account, here.project.tool("chat"), here.ann, content, kind)


async def texts(here: Reading, **arguments: object) -> list[str]:
    """Return what is read of the campfire."""
    answer = await here.call("list_campfire_lines", project_id=here.project.id, **arguments)
    return [one["text"] for one in answer["items"]]


@pytest.mark.requirement("basecamp.no-inner-ids")
async def test_lines_come_without_the_id_of_the_chat_newest_first(here: Reading) -> None:
    """The chat is found in the dock."""
    say(here, "<div>Hello</div>")
    line = say(here, "Good <strong>morning</strong>")
    answer = await here.call("list_campfire_lines", project_id=here.project.id)
    chat = here.project.tool("chat")
    assert answer["chat_id"] == chat.id
    assert [one["text"] for one in answer["items"]] == ["Good **morning**", "Hello"]
    assert answer["items"][0] == {
        "id": line.id,
        "author": {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"},
        "created_at": "2023-11-14T22:13:22Z",
        "text": "Good **morning**",
        "attachments": [],
        "url": (
            f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
            f"/chats/{chat.id}@{line.id}"
        ),
    }
    assert dict(here.asked("/chats/*")[-1].query) == {"sort": "created_at", "direction": "desc"}


@pytest.mark.requirement("basecamp.campfire-paging")
@pytest.mark.parametrize("limit", [1, 15, 16, 50, 150, 500])
async def test_a_limit_above_a_page_is_followed(here: Reading, limit: int) -> None:
    """Basecamp's first page holds fifteen, whatever is wanted."""
    said = [str(number) for number in range(160)]
    for text in said:
        say(here, text)
    answer = await here.call("list_campfire_lines", project_id=here.project.id, limit=limit)
    assert [one["text"] for one in answer["items"]] == said[::-1][:limit]
    assert answer["has_more"] is (limit < 160)
    assert answer["page_info"]["total_count"] == 160


@pytest.mark.requirement("basecamp.campfire-paging", "basecamp.paging")
async def test_a_long_history_is_read_whole_by_its_cursors(here: Reading) -> None:
    """Fifty lines at a time unless another number is wanted, each once."""
    said = [str(number) for number in range(160)]
    for text in said:
        say(here, text)
    found = await here.everything("list_campfire_lines", project_id=here.project.id)
    assert [one["text"] for one in found] == said[::-1]
    found = await here.everything("list_campfire_lines", project_id=here.project.id, limit=33)
    assert [one["text"] for one in found] == said[::-1]


@pytest.mark.requirement("basecamp.campfire-paging", "basecamp.filters-honest")
@pytest.mark.parametrize(
    ("new", "limit", "given", "has_more"),
    [
        (3, 50, 3, False),
        (15, 50, 15, False),
        (40, 50, 40, False),
        (40, 40, 40, True),
        (40, 10, 10, True),
        (40, 20, 20, True),
        (159, 500, 159, False),
    ],
)
async def test_only_what_was_said_since_a_moment_is_given(
    here: Reading, new: int, limit: int, given: int, *, has_more: bool
) -> None:
    """The list ends there, and nothing older is counted."""
    lines = [say(here, str(number)) for number in range(160)]
    since = lines[-new].created_at
    answer = await here.call(
        "list_campfire_lines", project_id=here.project.id, since=since.isoformat(), limit=limit
    )
    wanted = [line.content for line in lines[::-1]]
    assert [one["text"] for one in answer["items"]] == wanted[:given]
    assert answer["page_info"]["returned"] == given
    assert answer["page_info"]["total_count"] is None
    if new == limit:
        cursor = answer["page_info"]["next_cursor"]
        answer = await here.call(
            "list_campfire_lines", project_id=here.project.id, since=since.isoformat(),
            limit=limit, cursor=cursor,
        )  # fmt: skip
        assert (answer["items"], answer["has_more"]) == ([], False)
    else:
        assert answer["has_more"] is has_more


async def test_who_asks_for_what_is_new_asks_for_one_page(here: Reading) -> None:
    """However long the history is; in any zone."""
    lines = [say(here, str(number)) for number in range(160)]
    since = (lines[-2].created_at + timedelta(hours=3)).strftime("%Y-%m-%dT%H:%M:%S+03:00")
    assert await texts(here, since=since) == ["159", "158"]
    assert len(here.asked("/chats/*")) == 1
    wrong = await here.refused(
        "list_campfire_lines", project_id=here.project.id, since="2026-01-01T00:00:00"
    )
    assert wrong["details"]["field_errors"][0]["field"] == "since"


@pytest.mark.requirement("basecamp.attachments")
async def test_files_that_are_shown_are_told(here: Reading) -> None:
    """Such a line has no words."""
    line = say(here, None, "Upload")
    line.attachments = [here.account.attachment("report.pdf", byte_size=1048576)]
    answer = await here.call("list_campfire_lines", project_id=here.project.id)
    (entry,) = answer["items"]
    assert entry["text"] == ""
    (file,) = entry["attachments"]
    assert (file["filename"], file["byte_size"]) == ("report.pdf", 1048576)
    assert file["download_url"].endswith("/download/report.pdf")


@pytest.mark.requirement("basecamp.html")
async def test_plain_lines_and_code_lose_nothing(here: Reading) -> None:
    """A `<` in them is one; in others it begins a tag, and what looks like one is."""
    say(here, "if a<b and c>d: *stop*\nor go", "Text")
    say(here, "x = a<b>c\nprint(x)", "Code")
    say(here, "<div>Some client's &lt;own&gt;</div>", "Text")
    say(here, "", "Text")
    assert await texts(here) == [
        "",
        r"Some client's \<own>",
        "```\nx = a<b>c\nprint(x)\n```",
        "if a\\<b and c>d: \\*stop\\*\\\nor go",
    ]


@pytest.mark.requirement("basecamp.nulls")
async def test_a_line_of_nulls_is_read(here: Reading) -> None:
    """Whatever is null."""
    names = (
        "type",
        "title",
        "created_at",
        "app_url",
        "creator",
        "content",
        "attachments",
        "parent",
    )
    nulls = {**dict.fromkeys(names), "id": 7, "bucket": {"id": here.project.id, "name": None}}
    body = orjson.dumps([nulls]).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path="*/lines.json", times=2)
    assert await texts(here) == [""]
    assert await texts(here, since="2020-01-01T00:00:00Z") == [""]


@pytest.mark.requirement("basecamp.dock")
async def test_of_several_campfires_any_can_be_named(here: Reading) -> None:
    """The first enabled one unless one is; none at all is told."""
    second = here.account.add_tool(here.project, "chat", "Lunch")
    say(here, "work")
    add_line(here.account, second, here.me, "pizza")
    assert await texts(here) == ["work"]
    assert await texts(here, chat_id=second.id) == ["pizza"]
    here.project.tool("chat").disable()
    assert await texts(here) == ["pizza"]
    second.disable()
    refused = await here.refused("list_campfire_lines", project_id=here.project.id)
    assert refused["error_code"] == "TOOL_NOT_ENABLED"


@pytest.mark.requirement("basecamp.bound")
async def test_a_campfire_of_another_project_is_out_of_reach(here: Reading) -> None:
    """By its project, and by its own id."""
    other = here.account.add_project("Other")
    refused = await here.refused(
        "list_campfire_lines", meta=bound_to(here.project), project_id=other.id
    )
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    smuggled = await here.refused(
        "list_campfire_lines",
        meta=bound_to(here.project),
        project_id=here.project.id,
        chat_id=other.tool("chat").id,
    )
    assert smuggled["error_code"] == "NOT_FOUND"
    assert not here.asked("/chats/*")
