"""What each server notes on its results: how much of what vendors sent it leaves out, and why."""

import pytest
from mcp_types import CallToolResult

from tests.interaction.asking import text_of
from tests.interaction.ci_logs import numbered
from tests.interaction.ci_logs import world as reading_logs
from tests.interaction.issue_tracking import tracking
from tests.interaction.project_reading import reading as reading_basecamp
from tests.interaction.pull_reading import edited, pulling
from trunkline_shared import meta
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.trimming import TrimNote

pytestmark = pytest.mark.anyio


def note_on(result: CallToolResult) -> TrimNote:
    """Return what is noted on a result that is no failure."""
    assert not result.is_error, text_of(result)
    return TrimNote.model_validate((result.meta or {}).get(meta.TRIMMED, {}))


@pytest.mark.requirement("seeing.trimmed")
async def test_fields_that_a_tool_does_not_pass_on_are_noted(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All bytes of the vendor's JSON less the text of the result; confirmed ones count as well."""
    async with tracking(github, monkeypatch) as here:
        first = await here.raw("github_get_issue", issue_number=1, include_comments=0)
        again = await here.raw("github_get_issue", issue_number=1, include_comments=0)
    assert note_on(first).fields > len(text_of(first))
    assert note_on(again).fields == pytest.approx(note_on(first).fields, abs=50)
    assert (note_on(first).truncation, note_on(first).logs) == (0, 0)


@pytest.mark.requirement("seeing.trimmed")
async def test_what_is_cut_off_a_body_is_noted_apart(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is no part of the fields."""
    async with tracking(github, monkeypatch) as here:
        here.issue.body = "é" * 5_000
        whole = note_on(await here.raw("github_get_issue", issue_number=1, max_body=6_000))
        cut = note_on(await here.raw("github_get_issue", issue_number=1, max_body=1_000))
    assert (whole.truncation, cut.truncation) == (0, 8_000)
    assert cut.fields == pytest.approx(whole.fields, abs=50)


@pytest.mark.requirement("seeing.trimmed")
async def test_the_lines_of_a_log_that_are_not_shown_are_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A log is no JSON: what is shown of it does not lessen the fields."""
    log = numbered(4_000)
    async with reading_logs(monkeypatch) as here:
        job = here.job(log)
        some = await here.raw("get_job_log", job_id=job.id, tail_lines=10)
        more = await here.raw("get_job_log", job_id=job.id, tail_lines=1_000)
    assert len(log) > note_on(some).logs > note_on(more).logs > 0
    assert note_on(some).fields == pytest.approx(note_on(more).fields, abs=50)


@pytest.mark.requirement("seeing.trimmed")
async def test_the_rest_of_a_diff_is_noted_as_truncated(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As much as stands on the pages that follow."""
    async with pulling(github, monkeypatch) as here:
        here.pull.files = [edited(f"src/{n}.py") for n in range(40)]
        result = await here.raw("github_get_pr_diff", pr_number=2, max_size=4_096)
    assert result.structured_content is not None
    answer = result.structured_content
    left = answer["original_size_bytes"] - len(answer["diff"])
    assert note_on(result).truncation == left > 0


@pytest.mark.requirement("seeing.trimmed")
async def test_what_an_excerpt_leaves_out_is_noted_as_truncated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Basecamp sends the whole text in every list."""
    async with reading_basecamp(monkeypatch) as here:
        here.post("Long", f"<p>{'word ' * 2_000}</p>")
        result = await here.raw("list_messages", project_id=here.project.id, body="excerpt")
    assert note_on(result).truncation > 8_000


@pytest.mark.requirement("seeing.trimmed")
async def test_a_failure_saves_nobody_anything(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither does a call that asks no vendor."""
    async with tracking(github, monkeypatch) as here:
        missing = await here.raw("github_get_issue", issue_number=77)
    assert missing.is_error
    assert meta.TRIMMED not in (missing.meta or {})
