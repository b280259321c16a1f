"""Opening and changing issues; a pull request is changed as an issue too."""

from trunkline_shared.testing.github.access import at_least, issue_of, repository_of, require_write
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import Issue, StateReason
from trunkline_shared.testing.github.payloads.issues import issue
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.issue_lists import LIST
from trunkline_shared.testing.github.routes.labels import labels_named

ONE = LIST + "/{issue_number}"
LONGEST_TITLE, LONGEST_BODY = 256, 65_536
REASONS: dict[object, StateReason] = {"not_planned": "not_planned", "duplicate": "duplicate"}


def create_issue(call: Call) -> Answer:
    """Open an issue; what only those who may triage can set is left out for others, silently."""
    home = repository_of(call)
    token = require_write(call, home, ("issues",))
    if not home.has_issues:
        raise Refusal(410, "Issues are disabled for this repo")
    title, body = _title(call), _body(call)
    triages = at_least(call, home, "triage")
    chosen = _Chosen(call, home) if triages else None
    made = home.add_issue(title, token.user, body=body)
    if chosen is not None:
        chosen.apply(made)
    location = call.urls.issue(home, made)
    shown = issue(made, home, call.urls)
    return Answer(status=201, json=shown, headers={"location": location})


def update_issue(call: Call) -> Answer:
    """Change what the body names, and nothing when a part of it is invalid."""
    home = repository_of(call)
    token = require_write(call, home)
    found = issue_of(call, home)
    if found.author is not token.user and not at_least(call, home, "triage"):
        raise Refusal(403, "Must have admin rights to Repository.")
    title = _title(call) if call.body.get("title") is not None else found.title
    body = _body(call) if "body" in call.body else found.body
    duplicate_of = _duplicate_of(call, home)
    _Chosen(call, home).apply(found)
    found.title, found.body = title, body
    _set_state(call, found, token.user, duplicate_of)
    found.updated_at = call.state.ledger.now()
    return Answer(json=issue(found, home, call.urls))


class _Chosen:
    """Labels, assignees, milestone and type that a body names, looked up before any is set."""

    def __init__(self, call: Call, home: Repository) -> None:
        body = call.body
        self.given = body
        self.labels = labels_named(call, home, body.get("labels"))
        self.assignees = [_user(call, one) for one in _list(body.get("assignees"))]
        number = body.get("milestone")
        self.milestone = home.tracker.milestones.get(int(str(number))) if number else None
        if number and self.milestone is None:
            raise _invalid("milestone", "invalid")

    def apply(self, to: Issue) -> None:
        if "labels" in self.given:
            to.labels = self.labels
        if "assignees" in self.given:
            to.assignees = self.assignees
        if "milestone" in self.given:
            to.milestone = self.milestone
        if "type" in self.given:
            to.type = str(self.given["type"]) if self.given["type"] else None


def _set_state(call: Call, found: Issue, by: User, duplicate_of: Issue | None) -> None:
    wanted = call.body.get("state")
    if wanted == "open" and found.state == "closed":
        found.reopen()
    if wanted == "closed" and found.state == "open":
        found.close(by=by, reason=REASONS.get(call.body.get("state_reason"), "completed"))
        found.duplicate_of = duplicate_of


def _duplicate_of(call: Call, home: Repository) -> Issue | None:
    wanted = call.body.get("duplicate_issue_id")
    if wanted is None:
        return None
    for one in home.issues.values():
        if one.id == wanted:
            return one
    raise _invalid("duplicate_issue_id", "invalid")


def _title(call: Call) -> str:
    title = call.body.get("title")
    if title is None or not str(title).strip():
        raise _invalid("title", "missing_field")
    if len(str(title)) > LONGEST_TITLE:
        raise _invalid(
            "title", "custom", f"title is too long (maximum is {LONGEST_TITLE} characters)"
        )
    return str(title)


def _body(call: Call) -> str | None:
    body = call.body.get("body")
    if isinstance(body, str) and len(body) > LONGEST_BODY:
        raise _invalid("body", "custom", f"body is too long (maximum is {LONGEST_BODY} characters)")
    return body if isinstance(body, str) else None


def _user(call: Call, login: object) -> User:
    user = call.state.users.get(str(login).lower())
    if user is None:
        raise _invalid("assignees", "invalid")
    return user


def _list(given: object) -> list[object]:
    return list(given) if isinstance(given, list) else []


def _invalid(field: str, code: str, message: str = "") -> Refusal:
    error = {"resource": "Issue", "field": field, "code": code}
    return Refusal(
        422, "Validation Failed", errors=[error | ({"message": message} if message else {})]
    )


ROUTES = (
    Route(method="POST", path=LIST, handle=create_issue),
    Route(method="PATCH", path=ONE, handle=update_issue),
)
