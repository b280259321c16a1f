"""The screen of a transition: the fields it shows, and the values that it is given."""

from collections.abc import Mapping

from pydantic import JsonValue

from trunkline_jira.change_endpoints import SentTransition, TransitionField
from trunkline_jira.change_models import JiraTransition, ScreenField
from trunkline_jira.shapes import category_of, name_of
from trunkline_shared.errors import InvalidInput
from trunkline_shared.untrusted import sanitize

_MOST_ALLOWED = 30
_FILLED_BY_COMMENT = frozenset({"comment"})

Screen = Mapping[str, TransitionField]


def values_on(screen: Screen, given: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the values by the fields' ids; fields, and what they allow, may be given by name.

    Raises InvalidInput for a field that is not on the screen, and for one that lacks.
    """
    ids = {name.casefold(): id_ for id_, one in screen.items() for name in (id_, one.name)}
    values: dict[str, JsonValue] = {}
    for name, value in given.items():
        id_ = ids.get(name.casefold())
        if id_ is None:
            raise _no_field(name, screen)
        values[id_] = _value(screen[id_], value)
    _require_all(screen, values)
    return values


def _value(field: TransitionField, given: JsonValue) -> JsonValue:
    """Return a value as Jira takes it: of a choice its id, where the name was given."""
    if isinstance(given, list):
        return [_value(field, one) for one in given]
    if not isinstance(given, str):
        return given
    wanted = given.casefold()
    for one in field.allowedValues:
        if wanted in {said.casefold() for said in (one.name, one.value, one.id) if said}:
            return {"id": one.id} if one.id else {"name": one.name}
    return given


def shown_transition(sent: SentTransition) -> JiraTransition:
    """Return a transition as an agent reads it."""
    return JiraTransition(
        id=sent.id,
        name=sanitize(sent.name),
        to=name_of(sent.to),
        to_category=category_of(sent.to),
        fields=[_screen_field(id_, one) for id_, one in (sent.fields or {}).items()],
    )


def _screen_field(id_: str, sent: TransitionField) -> ScreenField:
    kind = sent.kind
    allowed = [one.name or one.value or one.id or "" for one in sent.allowedValues]
    return ScreenField(
        id=id_,
        name=sanitize(sent.name),
        required=sent.required and not sent.hasDefaultValue,
        type=f"{kind.type} of {kind.items}" if kind and kind.items else kind.type if kind else "",
        allowed=[sanitize(one) for one in allowed[:_MOST_ALLOWED]],
    )


def _require_all(screen: Screen, values: Mapping[str, JsonValue]) -> None:
    lacking = [
        one.name or id_
        for id_, one in screen.items()
        if one.required and not one.hasDefaultValue
        if id_ not in values and id_ not in _FILLED_BY_COMMENT
    ]
    if lacking:
        raise InvalidInput(
            f"This transition needs {', '.join(map(sanitize, lacking))}.",
            hint="Pass them in fields; get_jira_transitions tells what they take.",
            details={
                "field_errors": [
                    {"field": f"fields.{sanitize(name)}", "problem": "is required"}
                    for name in lacking
                ]
            },
        )


def _no_field(name: str, screen: Screen) -> InvalidInput:
    known = ", ".join(sanitize(one.name or id_) for id_, one in screen.items()) or "none"
    return InvalidInput(
        f"fields: {name[:80]!r} is not on the screen of this transition.",
        hint=f"Its fields: {known}.",
        details={"field_errors": [{"field": f"fields.{name[:80]}", "problem": "is unknown"}]},
    )
