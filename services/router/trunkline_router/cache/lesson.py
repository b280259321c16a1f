"""What a verified delivery shows about those that will come, and what is known from all of them."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trunkline_router.cache.needed_events import ALL, COMMENT, EVERY, ISSUE, RECORDING

KNOWN = EVERY | {ALL, COMMENT, ISSUE, RECORDING}
MOST_HOOKS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What a delivery shows.

    `subject` is whose changes are told, a tag. `kinds` are the kinds of events that come, "*" is
    all of them; with `whole` they are all that the webhook is set up for. `hook` names the webhook:
    as long as anything comes from it, all of that does. `over` says that no more comes at all.
    """

    subject: str
    kinds: frozenset[str] = frozenset()
    hook: str = ""
    whole: bool = False
    over: bool = False


class Known(BaseModel):
    """What is known of one subject: until when, in epoch seconds, events of each kind come.

    `hooks` are the webhooks that have said what they are set up for.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    until: Mapping[str, float] = Field(default_factory=dict)
    hooks: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def taught(self, lesson: Lesson, until: float) -> "Known":
        """Return what is known once a lesson is learnt, which holds until then."""
        hooks = dict(self.hooks)
        if lesson.whole and lesson.hook:
            hooks.pop(lesson.hook, None)
            hooks[lesson.hook] = tuple(sorted(lesson.kinds & KNOWN))
            hooks = dict(list(hooks.items())[-MOST_HOOKS:])
        kinds = (lesson.kinds & KNOWN) | frozenset(hooks.get(lesson.hook, ()))
        return Known(until={**self.until, **dict.fromkeys(kinds, until)}, hooks=hooks)

    def teaches(self, lesson: Lesson, until: float) -> bool:
        """Say whether a lesson tells something that would not be known until then anyway."""
        if lesson.whole:
            return self.hooks.get(lesson.hook) != tuple(sorted(lesson.kinds & KNOWN)) or any(
                self.until.get(kind, 0) < until for kind in lesson.kinds & KNOWN
            )
        kinds = (lesson.kinds & KNOWN) | frozenset(self.hooks.get(lesson.hook, ()))
        return any(self.until.get(kind, 0) < until for kind in kinds)

    def lasts(self, kinds: Iterable[str]) -> float:
        """Return until when all of these come; epoch seconds, 0 where one does not."""
        of_all = self.until.get(ALL, 0.0)
        return min((max(self.until.get(kind, 0.0), of_all) for kind in kinds), default=math.inf)

    def to_bytes(self) -> bytes:
        return self.model_dump_json().encode()


NOTHING = Known()


def read_known(raw: bytes | None) -> Known:
    """Return what a store had; nothing for what is not ours."""
    try:
        return Known.model_validate_json(raw) if raw else NOTHING
    except ValidationError:
        return NOTHING
