"""The breaker's states, over any history of calls."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from trunkline_router.configuration.entries import BreakerTerms
from trunkline_router.protection.breaker import JITTER, Breaker, Cause, Permit, State

TERMS = BreakerTerms()
COOLDOWN_S = TERMS.cooldown_s


def exact(seconds: float) -> float:
    return seconds


def opened() -> Breaker:
    """Return a breaker that three failures at second 0 have opened."""
    breaker = Breaker(cooldown=exact)
    for _ in range(3):
        breaker.failed(breaker.permit, TERMS, Cause.ANSWER, 0.0)
    return breaker


def test_three_failures_in_a_row_open_it() -> None:
    """Two do not, and a success between them begins the count anew."""
    breaker = Breaker(cooldown=exact)
    for _ in range(2):
        breaker.failed(breaker.permit, TERMS, Cause.ANSWER, 0.0)
    assert breaker.passed(breaker.permit) is True
    for _ in range(2):
        breaker.failed(breaker.permit, TERMS, Cause.ANSWER, 0.0)
    assert breaker.failures == 2
    breaker.failed(breaker.permit, TERMS, Cause.ANSWER, 0.0)
    assert breaker.state is State.OPEN


def test_a_healthy_server_changes_nothing() -> None:
    """So that its successes need not be told to anybody."""
    breaker = Breaker()
    assert breaker.passed(breaker.permit) is False


def test_it_stays_open_for_its_cool_down() -> None:
    """Not a second less."""
    breaker = opened()
    assert breaker.may_probe(COOLDOWN_S - 0.001) is False
    assert breaker.left_s(100) == COOLDOWN_S - 100
    assert breaker.may_probe(COOLDOWN_S) is True


def test_the_cool_down_varies_by_a_tenth() -> None:
    """Routers that have opened together do not come back together."""
    seen = set()
    for _ in range(50):
        breaker = Breaker()
        for _ in range(3):
            breaker.failed(breaker.permit, TERMS, Cause.ANSWER, 0.0)
        assert COOLDOWN_S * (1 - JITTER) <= breaker.reopens <= COOLDOWN_S * (1 + JITTER)
        seen.add(breaker.reopens)
    assert len(seen) > 1


def test_one_call_finds_out_and_closes_it() -> None:
    """The second that comes meanwhile may not; seed: half-open let every waiting call through."""
    breaker = opened()
    probe = breaker.begin_probe(COOLDOWN_S + 30)
    assert breaker.may_probe(COOLDOWN_S + 1) is False
    breaker.passed(probe)
    assert (breaker.state, breaker.failures) == (State.CLOSED, 0)


def test_a_probe_that_fails_opens_it_for_another_cool_down() -> None:
    """One failure is enough then."""
    breaker = opened()
    probe = breaker.begin_probe(COOLDOWN_S + 30)
    breaker.failed(probe, TERMS, Cause.ANSWER, COOLDOWN_S + 5)
    assert breaker.left_s(COOLDOWN_S + 5) == COOLDOWN_S


def test_a_probe_that_tells_nothing_leaves_it_to_the_next() -> None:
    """A caller that goes away neither closes nor opens it."""
    breaker = opened()
    breaker.abandoned(breaker.begin_probe(COOLDOWN_S + 30))
    assert breaker.may_probe(COOLDOWN_S) is True


def test_a_probe_that_nobody_hears_of_is_given_up() -> None:
    """A breaker is never half-open for ever."""
    breaker = opened()
    lost = breaker.begin_probe(COOLDOWN_S + 30)
    assert breaker.may_probe(COOLDOWN_S + 30) is True
    breaker.begin_probe(COOLDOWN_S + 60)
    assert breaker.passed(lost) is False
    assert breaker.state is State.HALF_OPEN


def test_calls_from_before_it_opened_do_not_count() -> None:
    """Neither their success closes it, nor their failure prolongs it."""
    breaker = Breaker(cooldown=exact)
    before = breaker.permit
    for _ in range(3):
        breaker.failed(before, TERMS, Cause.ANSWER, 0.0)
    assert breaker.passed(before) is False
    assert breaker.failed(before, TERMS, Cause.ANSWER, 200.0) is False
    probe = breaker.begin_probe(COOLDOWN_S + 30)
    assert breaker.failed(before, TERMS, Cause.ANSWER, COOLDOWN_S + 1) is False
    assert breaker.passed(probe) is True


class Histories(RuleBasedStateMachine):
    """Calls that begin, end in any way and any order, while time passes."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.breaker = Breaker(cooldown=exact)
        self.calls: list[Permit] = []
        self.probing: Permit | None = None
        self.opened_at: float | None = None

    @rule()
    def begin(self) -> None:
        """Begin a call if it is let through."""
        if self.breaker.state is State.CLOSED:
            self.calls.append(self.breaker.permit)
            return
        if self.breaker.may_probe(self.now):
            if self.breaker.state is State.OPEN:
                assert self.opened_at is not None
                assert self.now >= self.opened_at + COOLDOWN_S
            self.probing = self.breaker.begin_probe(self.now + 30)
            self.calls.append(self.probing)

    @precondition(lambda self: self.calls)
    @rule(data=st.data(), end=st.sampled_from(["passed", "failed", "abandoned"]))
    def end(self, data: st.DataObject, end: str) -> None:
        """End any call in any way."""
        call = self.calls.pop(data.draw(st.integers(0, len(self.calls) - 1)))
        was, failures = self.breaker.state, self.breaker.failures
        if end == "passed":
            self.breaker.passed(call)
        elif end == "failed":
            self.breaker.failed(call, TERMS, Cause.ANSWER, self.now)
        else:
            self.breaker.abandoned(call)
        if self.breaker.state is not was:
            self._moved(was, failures, call, end)

    @rule(seconds=st.sampled_from([1.0, 29.0, 150.0, COOLDOWN_S]))
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    @invariant()
    def counts_below_the_bound(self) -> None:
        """A closed breaker has fewer failures than open it."""
        if self.breaker.state is State.CLOSED:
            assert self.breaker.failures < TERMS.failures

    def _moved(self, was: State, failures: int, call: Permit, end: str) -> None:
        now = self.breaker.state
        if was is State.CLOSED:
            assert (now, end, failures) == (State.OPEN, "failed", TERMS.failures - 1)
            self.opened_at = self.now
            return
        assert was is State.HALF_OPEN
        assert call == self.probing
        assert now is (State.CLOSED if end == "passed" else State.OPEN)
        if end == "failed":
            self.opened_at = self.now


TestHistories = Histories.TestCase
