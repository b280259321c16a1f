"""Opening and changing pull requests, and asking for reviews of them."""

from trunkline_shared.testing.github.access import at_least, repository_of, require_write
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import Issue, Pull
from trunkline_shared.testing.github.payloads.issues import listed_pull, pull_request
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.pull_lists import LIST, head_label
from trunkline_shared.testing.github.routes.pulls import ONE, pull_of

LONGEST_TITLE, LONGEST_BODY = 256, 65_536


def create_pull(call: Call) -> Answer:
    """Open a pull request; the same head and base have one open at most."""
    home = repository_of(call)
    token = require_write(call, home, ("pull_requests",))
    title, body = _text(call, "title", LONGEST_TITLE), _text(call, "body", LONGEST_BODY)
    if not title.strip():
        raise _invalid("title", "missing_field")
    base = str(call.body["base"])
    if not home.has_branch(base):
        raise _invalid("base", "invalid")
    source, head = _head(call, home)
    if not at_least(call, source, "write"):
        raise Refusal(403, "You must have push access to the head repository.")
    draft = call.body.get("draft") is True
    if draft and not home.drafts:
        raise Refusal(422, "Draft pull requests are not supported in this repository.")
    _require_new(home, source, head, base)
    made = home.add_pull(title, token.user, head=head, body=body, files=source.branches[head])
    assert made.pull is not None
    made.pull.base_ref = base
    made.pull.draft = draft
    made.pull.head_owner = None if source is home else source.owner
    made.pull.maintainer_can_modify = call.body.get("maintainer_can_modify") is True
    location = call.urls.pull(home, made)
    shown = pull_request(made, made.pull, home, call.urls)
    return Answer(status=201, json=shown, headers={"location": location})


def _head(call: Call, home: Repository) -> tuple[Repository, str]:
    """Return the repository and the branch of the head."""
    owner, _, name = str(call.body["head"]).rpartition(":")
    source: Repository | None = home
    if "head_repo" in call.body:
        source = call.state.repository_named(str(call.body["head_repo"]))
    elif owner and owner.lower() != home.owner.login.lower():
        source = call.state.repository_named(f"{owner}/{home.name}")
    if source is None or not source.has_branch(name):
        raise _invalid("head", "invalid")
    source.branches.setdefault(name, [])
    return source, name


def _require_new(home: Repository, source: Repository, head: str, base: str) -> None:
    label = f"{source.owner.login}:{head}"
    for one in home.issues.values():
        pull = one.pull
        if pull is None or one.state == "closed" or pull.base_ref != base:
            continue
        if head_label(home, pull) == label:
            raise _custom(f"A pull request already exists for {label}.")
    if not source.branches[head]:
        raise _custom(f"No commits between {base} and {head}")


def update_pull(call: Call) -> Answer:
    """Change what the body names."""
    home, found, pull = _writable(call)
    base = str(call.body.get("base", pull.base_ref))
    if not home.has_branch(base):
        raise _invalid("base", "invalid")
    pull.base_ref = base
    if "title" in call.body:
        found.title = _text(call, "title", LONGEST_TITLE)
    if "body" in call.body:
        found.body = _text(call, "body", LONGEST_BODY)
    _set_state(found, pull, call.body.get("state"))
    found.updated_at = call.state.ledger.now()
    return Answer(json=pull_request(found, pull, home, call.urls))


def _set_state(found: Issue, pull: Pull, wanted: object) -> None:
    if wanted == "closed" and found.state == "open":
        found.close()
    if wanted == "open" and found.state == "closed":
        if pull.merged_at is not None:
            raise _custom("Cannot change state: the pull request was merged.")
        found.reopen()


def request_reviewers(call: Call) -> Answer:
    """Ask people and teams for a review; one that cannot be asked refuses all."""
    home, found, pull = _writable(call)
    people = [_collaborator(call, home, found, one) for one in _names(call, "reviewers")]
    teams = _names(call, "team_reviewers")
    if not home.teams.issuperset(teams):
        raise _not_collaborators(home)
    pull.reviewers += [one for one in people if one not in pull.reviewers]
    pull.teams += [one for one in teams if one not in pull.teams]
    return Answer(status=201, json=listed_pull(found, pull, home, call.urls))


def _collaborator(call: Call, home: Repository, issue: Issue, login: str) -> User:
    found = call.state.users.get(login.lower())
    if found is None or (found.id not in home.roles and found is not home.owner):
        raise _not_collaborators(home)
    if found is issue.author:
        raise Refusal(422, "Review cannot be requested from pull request author.")
    return found


def _not_collaborators(home: Repository) -> Refusal:
    return Refusal(
        422,
        "Reviews may only be requested from collaborators. One or more of the users or teams you "
        f"specified is not a collaborator of the {home.full_name} repository.",
    )


def _writable(call: Call) -> tuple[Repository, Issue, Pull]:
    home = repository_of(call)
    token = require_write(call, home, ("pull_requests",))
    found, pull = pull_of(call, home)
    if found.author is not token.user and not at_least(call, home, "write"):
        raise Refusal(403, "Must have admin rights to Repository.")
    return home, found, pull


def _text(call: Call, name: str, longest: int) -> str:
    text = str(call.body.get(name) or "")
    if len(text) > longest:
        message = f"{name} is too long (maximum is {longest} characters)"
        raise _invalid(name, "custom", message)
    return text


def _names(call: Call, field: str) -> list[str]:
    given = call.body.get(field)
    return [str(one) for one in given] if isinstance(given, list) else []


def _custom(message: str) -> Refusal:
    error = {"resource": "PullRequest", "code": "custom", "message": message}
    return Refusal(422, "Validation Failed", errors=[error])


def _invalid(field: str, code: str, message: str = "") -> Refusal:
    error = {"resource": "PullRequest", "field": field, "code": code}
    if message:
        error["message"] = message
    return Refusal(422, "Validation Failed", errors=[error])


ROUTES = (
    Route(method="POST", path=LIST, handle=create_pull),
    Route(method="PATCH", path=ONE, handle=update_pull),
    Route(method="POST", path=ONE + "/requested_reviewers", handle=request_reviewers),
)
