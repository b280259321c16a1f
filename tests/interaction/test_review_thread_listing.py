"""Listing the threads of a pull request, of which GitHub's REST knows nothing."""

from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import World, world
from trunkline_shared import meta
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.github.threads import reply

pytestmark = pytest.mark.anyio

TOOL = "list_review_threads"


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("threads.listing")
async def test_open_threads_are_listed_with_where_they_stand_and_how_they_began(
    here: World,
) -> None:
    """One with a reply, one outdated, one of a deleted account; the resolved one is counted."""
    asked = here.pull.add_review_comment("Wh\u202ey?", here.stranger, path="src/app.py", line=5)
    reply(asked, "Because.", here.me)
    outdated = here.pull.add_review_comment("Hm.", None, path="src/app.py", line=6)
    outdated.line = None
    done = here.pull.add_review_comment("Done?", here.me, path="notes.md", line=1)
    here.pull.resolved[done.id] = here.me
    found = await here.call(TOOL)
    assert (found["total"], found["unresolved"], found["has_more"]) == (3, 2, False)
    assert found["threads"] == [
        IsPartialDict(
            path="src/app.py", line=5, is_resolved=False, is_outdated=False, comments=2,
            comment_id=asked.id, author="mallory", body="Why?",
        ),
        IsPartialDict(line=None, is_outdated=True, author=None, comments=1),
    ]  # fmt: skip
    assert found["threads"][0]["html_url"].endswith(f"/pull/2#discussion_r{asked.id}")
    everything = await here.call(TOOL, include_resolved=True)
    assert [one["is_resolved"] for one in everything["threads"]] == [False, False, True]
    await here.call("resolve_thread", thread_id=found["threads"][0]["thread_id"])
    assert (await here.call(TOOL))["unresolved"] == 1


@pytest.mark.requirement("threads.listing")
async def test_hundreds_of_threads_are_listed_to_the_end(here: World) -> None:
    """GitHub sends a hundred at a time, an agent reads pages of its own."""
    for number in range(1, 251):
        here.pull.add_review_comment(f"{number}?", here.stranger, path="src/app.py", line=5)
    found = await here.call(TOOL, page=3, per_page=100, fields=["body"])
    assert (found["total"], found["page_info"]["total_count"]) == (250, 250)
    assert [one["body"] for one in found["threads"]] == [f"{n}?" for n in range(201, 251)]
    assert set(found["threads"][0]) == {"body"}
    assert not found["has_more"]
    first = await here.call(TOOL, per_page=100)
    assert first["page_info"]["next_page"] == 2


@pytest.mark.requirement("threads.listing", "threads.binding")
async def test_threads_of_what_is_no_pull_request_or_another_are_refused(here: World) -> None:
    """NOT_FOUND for an issue, and nothing of another one than the context's."""
    none = await here.refused(TOOL, pr_number=1)
    other = await here.refused(TOOL, meta={meta.BIND: {"pr_number": 1}})
    assert (none["error_code"], other["error_code"]) == ("NOT_FOUND", "BLOCKED_BY_POLICY")
