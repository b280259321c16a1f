"""What servers left out of their answers: noted on each, for whoever is given it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import ValidationError

from trunkline_router.model import Call, Outcome
from trunkline_router.pipeline import Next
from trunkline_shared import meta
from trunkline_shared.trimming import TrimNote


@dataclass(frozen=True, slots=True, kw_only=True)
class Trimmings:
    """Reads the notes of the servers whose word is believed, as `owned` says; no agent sees one."""

    owned: Callable[[str], bool]

    async def stage(self, call: Call, onward: Next) -> Outcome:
        """Pass a call on, and take in what its server has noted on the answer."""
        outcome = await onward(call)
        given = outcome.result.get("_meta")
        if not isinstance(given, dict) or meta.TRIMMED not in given:
            return outcome
        note = _believed(given[meta.TRIMMED]) if self.owned(outcome.server) else None
        if note is None or outcome.is_error:
            return outcome
        return replace(outcome, left_out=_together(note, outcome.left_out))


def _together(one: TrimNote, other: TrimNote | None) -> TrimNote:
    if other is None:
        return one
    return TrimNote(
        fields=one.fields + other.fields,
        truncation=one.truncation + other.truncation,
        logs=one.logs + other.logs,
    )


def _believed(given: object) -> TrimNote | None:
    try:
        return TrimNote.model_validate(given)
    except ValidationError:
        return None
