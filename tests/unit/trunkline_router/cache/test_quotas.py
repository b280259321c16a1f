"""What is known of quotas: from notes that are believed, until each is renewed."""

from dataclasses import replace

import pytest

from tests.unit.trunkline_router.cache.samples import question
from trunkline_router.cache.questions import Question
from trunkline_router.cache.quotas import KnownQuotas
from trunkline_router.model import Call, Caller, Era, Json, Outcome, Request, Unheard
from trunkline_shared import meta
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

SERVER, TOOL = question().server, question().tool


def call(tool: str = TOOL, audience: str = "mesh") -> Call:
    request = Request(
        id=1,
        method="tools/call",
        params={"name": tool},
        era=Era.MODERN,
        channel=Unheard(),
        received=0,
    )
    caller = Caller(subject="me", scopes=frozenset())
    return Call(
        request=request, caller=caller, server=SERVER, name=tool, deadline=60, audience=audience
    )


def note(remaining: object, limit: int | None = 5000, **more: object) -> Json:
    left = {"remaining": remaining, "limit": limit, "resets_in_s": 600}
    return {"credential": "cred", "spent": 1, "resources": {"core": left | more}}


class Quotas:
    """Known quotas, and what a test asks of them."""

    def __init__(self, *, owned: bool = True) -> None:
        self.clock = FakeClock()
        self.known = KnownQuotas(clock=self.clock, owned=lambda _: owned)

    async def hear(self, told: object, by: Call | None = None, **result: object) -> Outcome:
        """Let an answer pass that has a note on it."""
        given = {"content": [], "_meta": {meta.QUOTA: told, "other": 1}, **result}

        async def onward(call: Call) -> Outcome:
            return Outcome(server=call.server, result=given)

        return await self.known.stage(by or call(), onward)

    def spares(self, asked: Question | None = None) -> bool:
        return self.known.spares(asked or question())


@pytest.mark.parametrize(
    ("remaining", "limit", "spares"),
    [
        (501, 5000, False),
        (500, 5000, True),
        (0, 5000, True),
        (4, 30, False),
        (3, 30, True),
        (101, None, False),
        (100, None, True),
    ],
)
@pytest.mark.requirement("cache.quota-spared")
async def test_a_tenth_that_is_left_is_spared(
    remaining: int, limit: int | None, *, spares: bool
) -> None:
    """Or a hundred, where nobody has told how much there is."""
    quotas = Quotas()
    assert not quotas.spares()
    await quotas.hear(note(remaining, limit))
    assert quotas.spares() is spares


async def test_what_is_renewed_is_no_longer_spared() -> None:
    """Until the moment that the vendor has told."""
    quotas = Quotas()
    await quotas.hear(note(1))
    quotas.clock.advance(599)
    assert quotas.spares()
    quotas.clock.advance(2)
    assert not quotas.spares()
    assert quotas.known.to_json() == []


async def test_only_what_needs_the_quota_is_spared() -> None:
    """Another tool's questions are asked, and those of callers with a credential of their own."""
    quotas = Quotas()
    await quotas.hear(note(1))
    assert not quotas.spares(replace(question(), tool="another"))
    assert not quotas.spares(replace(question(), audience="somebody's"))
    assert not quotas.spares(replace(question(), server="another"))


async def test_a_tool_that_never_was_short_hears_from_others_of_the_same_quota() -> None:
    """What one tool learns of a credential holds for all that count against it."""
    quotas = Quotas()
    await quotas.hear(note(4000))
    await quotas.hear(note(10), call("another"))
    assert quotas.spares()


async def test_answers_that_overtake_each_other_leave_the_lowest() -> None:
    """Of the same hour; the next one begins anew, and the last one's stragglers do not count."""
    quotas = Quotas()
    await quotas.hear(note(400))
    await quotas.hear(note(900))
    assert quotas.spares()
    await quotas.hear(note(5000, resets_in_s=3600))
    assert not quotas.spares()
    await quotas.hear(note(1, resets_in_s=600))
    assert not quotas.spares()


async def test_a_renewed_credential_is_not_held_to_the_one_before() -> None:
    """An App's next token has an hour of its own."""
    quotas = Quotas()
    await quotas.hear(note(1))
    await quotas.hear(note(4000) | {"credential": "next"})
    assert not quotas.spares()


@pytest.mark.parametrize(
    "told", [note(-1), note("many"), note(1, resets_in_s=1e400), [], "x", None, {}]
)
async def test_a_note_that_is_none_is_taken_off_all_the_same(told: object) -> None:
    """Nothing is learnt from it."""
    quotas = Quotas()
    outcome = await quotas.hear(told)
    assert outcome.result["_meta"] == {"other": 1}
    assert outcome.spent == 0
    assert quotas.known.to_json() == []


@pytest.mark.requirement("cache.quota-noted")
async def test_another_servers_note_is_taken_off_and_not_believed() -> None:
    """Whoever speaks of quotas could have others' reads served stale."""
    quotas = Quotas(owned=False)
    outcome = await quotas.hear(note(1))
    assert outcome.result == {"content": [], "_meta": {"other": 1}}
    assert not quotas.spares()


async def test_an_answer_says_what_it_has_cost() -> None:
    """Its hits count that as saved."""
    quotas = Quotas()
    outcome = await quotas.hear(note(4000) | {"spent": 3, "confirmed": 2})
    assert outcome.spent == 3
    assert outcome.result["_meta"] == {"other": 1}


async def test_a_failure_tells_of_quotas_too() -> None:
    """It has been paid for."""
    quotas = Quotas()
    outcome = await quotas.hear(note(1), isError=True)
    assert outcome.is_error
    assert quotas.spares()


async def test_operators_see_what_is_left_and_what_is_exhausted_once() -> None:
    """By fingerprint; of one that is refused nothing is left, whatever an answer told before."""
    quotas = Quotas()
    await quotas.hear(note(7))
    quotas.clock.advance(100)
    known = {
        "credential": "cred",
        "resource": "core",
        "limit": 5000,
        "remaining": 7,
        "resets_in_s": 500.0,
        "tools": [f"{SERVER}.{TOOL}"],
    }
    assert quotas.known.to_json() == [known]
    closed: Json = {"credential": "cred", "resource": "core", "resets_in_s": 30, "tools": []}
    other: Json = {"credential": "cred", "resource": "*", "resets_in_s": 30, "tools": []}
    assert quotas.known.to_json([closed, other]) == [
        known | closed | {"remaining": 0},
        other,
    ]
