"""What was left out of what vendors sent, counted per call."""

import asyncio

from pydantic import BaseModel

from trunkline_shared import trimming
from trunkline_shared.trimming import TrimNote, trimmed


class Entry(BaseModel):
    """An entry of a list."""

    name: str


def test_fields_are_what_is_neither_shown_nor_truncated() -> None:
    """A text that is cut is not counted twice."""
    with trimmed() as call:
        trimming.received(1_000)
        trimming.cut("é" * 100, "é" * 50)
    assert call.note(300) == TrimNote(fields=600, truncation=100)


def test_a_result_may_be_longer_than_what_was_sent() -> None:
    """Nothing is left out of less than nothing."""
    with trimmed() as call:
        trimming.received(10)
        trimming.cut("short", "rather longer")
    assert call.note(300) is None


def test_a_log_lessens_no_fields() -> None:
    """Its part of the result is made of no JSON of a vendor's."""
    with trimmed() as call:
        trimming.received(500)
        trimming.streamed("logs", 10_000, 'a\n"b"')
    # Line feed and quotation marks take a byte more each in a result.
    assert call.note(108) == TrimNote(fields=400, logs=9_995)


def test_entries_beyond_the_most_are_truncated() -> None:
    """As they would stand in a list."""
    with trimmed() as call:
        trimming.received(100)
        trimming.cut_entries([Entry(name="one"), Entry(name="two")])
    assert call.note(0) == TrimNote(fields=72, truncation=28)


def test_calls_at_once_are_counted_apart() -> None:
    """Also where each asks for several things at once; outside of a call nothing is counted."""

    async def one(size: int) -> TrimNote | None:
        with trimmed() as call:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(3):
                    tasks.create_task(asyncio.to_thread(trimming.received, size))
        return call.note(0)

    async def both() -> list[TrimNote | None]:
        return list(await asyncio.gather(one(1), one(100)))

    trimming.received(7)
    trimming.cut_entries([Entry(name="one")])
    trimming.streamed("truncation", 7, "")
    assert asyncio.run(both()) == [TrimNote(fields=3), TrimNote(fields=300)]


def test_the_note_names_what_was_left_out_and_nothing_else() -> None:
    """In the entry that routers look for."""
    note = TrimNote(logs=5).to_meta()
    assert note == {"dev.trunkline/trimmed": {"logs": 5}}
    assert TrimNote.model_validate(note["dev.trunkline/trimmed"]) == TrimNote(logs=5)
