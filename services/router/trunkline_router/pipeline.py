"""The fold: stages around the relay, outermost first."""

from collections.abc import Awaitable, Callable, Sequence

from trunkline_router.model import Call, Outcome

Next = Callable[[Call], Awaitable[Outcome]]
Stage = Callable[[Call, Next], Awaitable[Outcome]]


def compose(stages: Sequence[Stage], last: Next) -> Next:
    """Return one callable that runs `stages` in order and ends in `last`."""
    onward = last
    for stage in reversed(stages):
        onward = _link(stage, onward)
    return onward


def _link(stage: Stage, onward: Next) -> Next:
    # No coroutine of its own: each of them would cost every call.
    def step(call: Call) -> Awaitable[Outcome]:
        return stage(call, onward)

    return step
