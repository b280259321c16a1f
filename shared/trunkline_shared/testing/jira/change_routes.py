"""Changing issues: adding comments, making transitions."""

from collections.abc import Mapping

from trunkline_shared.testing.jira.access import Access
from trunkline_shared.testing.jira.answers import refused
from trunkline_shared.testing.jira.issue_routes import issue_at
from trunkline_shared.testing.jira.issues import Issue, ScreenField, Transition
from trunkline_shared.testing.jira.payloads import Payload, comment_payload, status_payload
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Answer, Call, Route

LONGEST = 32_767
_ILLEGAL = "It seems that you have tried to perform an illegal workflow operation."
_TOO_LONG = f"The entered text is too long. It exceeds the allowed limit of {LONGEST} characters."


def change_routes(state: State) -> list[Route]:
    """Return the routes of this module."""

    def add_comment(call: Call) -> Answer:
        issue = issue_at(state, call)
        body = _object(call).get("body")
        _check_text(state, body, "comment")
        comment = state.add_comment(issue, body, Access(state).asker(call))
        return Answer(status=201, json=comment_payload(state, issue, comment))

    def list_transitions(call: Call) -> Answer:
        issue = issue_at(state, call)
        shown = "transitions.fields" in call.query.get("expand", "").split(",")
        ways = [_way(one, fields=shown) for one in state.transitions if one.out_of(issue)]
        return Answer(json={"expand": "transitions", "transitions": ways})

    def make_transition(call: Call) -> Answer:
        issue = issue_at(state, call)
        body = _object(call)
        named = body.get("transition")
        wanted = named.get("id") if isinstance(named, dict) else None
        way = next((one for one in state.transitions if one.id == wanted), None)
        if way is None or not way.out_of(issue):
            raise refused(400, [_ILLEGAL])
        given = body.get("fields")
        _apply(issue, way, given if isinstance(given, dict) else {})
        # Without a screen Jira drops the comment and answers the same.
        for text in _comments(body) if way.fields else ():
            _check_text(state, text, "comment")
            state.add_comment(issue, text, Access(state).asker(call))
        issue.status, issue.updated = way.to, state.now()
        return Answer(status=204)

    issue = f"{state.api}/issue/{{key}}"
    return [
        Route(method="POST", path=f"{issue}/comment", handle=add_comment),
        Route(method="GET", path=f"{issue}/transitions", handle=list_transitions),
        Route(method="POST", path=f"{issue}/transitions", handle=make_transition),
    ]


def _apply(issue: Issue, way: Transition, given: Mapping[str, object]) -> None:
    lacking = [one.id for one in way.fields if one.required and one.id not in given]
    if lacking:
        raise refused(400, errors={name: f"{name} is required." for name in lacking})
    known = {one.id: one for one in way.fields}
    if unknown := [name for name in given if name not in known]:
        problem = "Field cannot be set. It is not on the appropriate screen, or unknown."
        raise refused(400, errors=dict.fromkeys(unknown, problem))
    chosen = {name: _choice(known[name], value) for name, value in given.items()}
    issue.resolution = chosen.get("resolution") or issue.resolution


def _choice(field: ScreenField, given: object) -> str | None:
    """Return which of a field's choices is meant; Jira takes it as an object only."""
    if not field.allowed:
        return None
    if not isinstance(given, dict):
        raise refused(400, errors={field.id: "expected Object"})
    by_id = {choice_id(field, name): name for name in field.allowed}
    name = by_id.get(str(given.get("id")), given.get("name"))
    if name not in field.allowed:
        raise refused(400, errors={field.id: f"Could not find a valid id or name in {given}."})
    return str(name)


def choice_id(field: ScreenField, name: str) -> str:
    """Return the id of one of a field's choices."""
    return str(10_000 + field.allowed.index(name))


def _way(transition: Transition, *, fields: bool) -> Payload:
    payload: Payload = {
        "id": transition.id,
        "name": transition.name,
        "to": status_payload(transition.to),
    }
    if fields:
        payload["fields"] = {
            one.id: {
                "required": one.required,
                "name": one.name,
                "schema": {"type": one.kind},
                "hasDefaultValue": False,
                "allowedValues": [
                    {"id": choice_id(one, name), "name": name} for name in one.allowed
                ],
            }
            for one in transition.fields
        }
    return payload


def _comments(body: Mapping[str, object]) -> list[object]:
    update = body.get("update")
    added = update.get("comment", []) if isinstance(update, dict) else []
    return [one["add"]["body"] for one in added]


def _check_text(state: State, body: object, field: str) -> None:
    """Refuse a text that is not in the flavour's form, empty, or too long."""
    fits = isinstance(body, dict) if state.is_cloud else isinstance(body, str)
    if not fits:
        said = "Comment body is not valid!" if state.is_cloud else "Comment body can not be empty!"
        raise refused(400, errors={field: said})
    if isinstance(body, str) and len(body) > LONGEST:
        raise refused(400, errors={field: _TOO_LONG})


def _object(call: Call) -> Mapping[str, object]:
    body = call.received.json
    if not isinstance(body, dict):
        raise refused(400, ["Invalid request payload. Refer to the REST API documentation."])
    return body
