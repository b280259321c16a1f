"""What is remembered of questions takes little room, however large they are."""

import tracemalloc
from typing import Any

import pytest

from trunkline_router.cache.footing import names_for
from trunkline_router.cache.questions import Question, Questions
from trunkline_router.model import Call, Caller, Era, Request, ToolSpec, Unheard
from trunkline_shared.contracts import Policy, Reads

CALLER = Caller(subject="a", scopes=frozenset())
TOOL = ToolSpec(
    exposed="read",
    name="read",
    server="github",
    definition={},
    policy=Policy(reads=Reads(ttl_s=15, tags=("doc:{id}",))),
    read_only=True,
    digest="digest",
)


def asked(questions: Questions, **params: Any) -> Question | None:
    """Return what a call with these params asks."""
    request = Request(
        id=1,
        method="tools/call",
        params={"name": "read", **params},
        era=Era.MODERN,
        channel=Unheard(),
        received=0,
    )
    call = Call(request=request, caller=CALLER, server="github", name="read", deadline=1, tool=TOOL)
    return questions.of(call)


@pytest.mark.requirement("cache.bounded")
def test_a_large_question_is_found_out_anew_each_time() -> None:
    """It is the same one all the same, and a small one is remembered."""
    questions = Questions(apart=lambda _: "")
    large = {"id": "1", "text": "x" * 100_000}
    one, other = asked(questions, arguments=large), asked(questions, arguments=large)
    assert one == other
    assert one is not other
    assert asked(questions, arguments={"id": "1"}) is asked(questions, arguments={"id": "1"})


@pytest.mark.requirement("cache.bounded")
def test_a_small_question_takes_no_more_room_than_it_needs() -> None:
    """orjson writes each into 4 kB: those are not what is remembered."""
    questions = Questions(apart=lambda _: "")
    asked(questions, arguments={"id": "first"})
    tracemalloc.start()
    try:
        for number in range(500):
            asked(questions, arguments={"id": str(number)})
        room, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert room < 500 * 2_000


@pytest.mark.requirement("cache.bounded")
def test_the_generations_of_tags_with_many_parts_are_not_remembered() -> None:
    """They take the square of the room that the tags take."""
    question = asked(Questions(apart=lambda _: ""), arguments={"id": "1"})
    assert question is not None
    long = (":".join("x" * 2_000),)
    assert names_for(question, long) == names_for(question, long)
    assert names_for(question, long)[0] is not names_for(question, long)[0]
    assert names_for(question, ("doc:1",))[0] is names_for(question, ("doc:1",))[0]


@pytest.mark.requirement("cache.never-continuations")
@pytest.mark.parametrize("more", ["inputResponses", "requestState", "task", "whatever"])
def test_a_call_that_says_more_than_its_arguments_is_asked_each_time(more: str) -> None:
    """One that wants a task is answered by one; nobody else must be."""
    questions = Questions(apart=lambda _: "")
    assert asked(questions, arguments={"id": "1"}, _meta={"progressToken": 1}) is not None
    assert asked(questions, arguments={"id": "1"}, **{more: {}}) is None
