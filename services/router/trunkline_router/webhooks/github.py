"""GitHub's deliveries: signed over the body, one event each.

https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from trunkline_router.cache.hooks import Lesson
from trunkline_router.model import Json
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told
from trunkline_router.webhooks.github_events import SPOILS
from trunkline_router.webhooks.proof import prove_signed, signature_in
from trunkline_router.webhooks.shape import (
    full_name_in,
    inner,
    number_in,
    objects_in,
    sha_in,
    text_in,
    texts_in,
)

HEADER = "X-Hub-Signature-256"
_TARGET = "x-github-hook-installation-target-type"
_MEBIBYTE = 1024 * 1024
_WORD = re.compile(r"[a-z_]{1,100}")
_ID = re.compile(r"[A-Za-z0-9-]{1,100}")
_PLACEHOLDER = re.compile(r"\{(?!repo\})(\w+)\}")
_LOGIN = re.compile(r"[a-z0-9_-]{1,100}")
_GONE = frozenset({"deleted", "suspend"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHub:
    """Proves and reads them. GitHub sends 25 MB at most, so nothing that it sends is refused."""

    name: str = "github"
    variable: str = "TRUNKLINE_GITHUB_WEBHOOK_SECRET"
    most_bytes: int = 25 * _MEBIBYTE
    media: tuple[str, ...] = ("application/json", "application/x-www-form-urlencoded")

    def claims(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a delivery without a signature."""
        del secrets
        signature_in(arrived.headers.get(HEADER.lower()), HEADER)

    def prove(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a signature that is not the body's."""
        signature = signature_in(arrived.headers.get(HEADER.lower()), HEADER)
        prove_signed(arrived.body, signature, secrets, HEADER)

    def read(self, arrived: Arrived, content: Json) -> Told:
        """Return what is told. Raises Malformed for one without an event or an id."""
        event = arrived.headers.get("x-github-event", "")
        id_ = arrived.headers.get("x-github-delivery", "")
        if not _WORD.fullmatch(event) or not _ID.fullmatch(id_):
            raise Malformed("X-GitHub-Event and X-GitHub-Delivery must name the event and its id.")
        return Told(
            id=id_,
            event=event,
            tags=tuple(dict.fromkeys(_spoiled(event, content))),
            lessons=tuple(_lessons(event, content, _hook(arrived.headers))),
        )


class _Hook(NamedTuple):
    """The webhook that a delivery comes from; `of_all` is one of an organization."""

    id: str
    of_all: bool


def _hook(headers: Mapping[str, str]) -> _Hook:
    id_ = headers.get("x-github-hook-id", "")
    return _Hook(id_ if _ID.fullmatch(id_) else "", headers.get(_TARGET) == "organization")


def _spoiled(event: str, content: Json) -> Iterator[str]:
    action = text_in(content, "action")
    templates = SPOILS.get(f"{event}.{action}", SPOILS.get(event, ()))
    for repository in _repositories(event, content):
        for template in templates:
            yield from _filled(template, f"gh:{repository}", content)
    if event == "push" and content.get("forced") is True and _is_default(content):
        # What pull requests are compared with is another history now.
        yield f"gh:{_repository(content)}"


def _repository(content: Json) -> str:
    return full_name_in(inner(content, "repository"))


def _repositories(event: str, content: Json) -> Iterable[str]:
    """Yield each repository that an event is about, under its former name as well."""
    if event in {"installation", "installation_repositories"}:
        for name in ("repositories", "repositories_added", "repositories_removed"):
            yield from filter(None, map(full_name_in, objects_in(content, name)))
        return
    repository = _repository(content)
    if not repository:
        return
    yield repository
    if event == "repository":
        yield from _former(repository, inner(content, "changes"))


def _former(repository: str, changes: Json) -> Iterator[str]:
    owner, _, name = repository.partition("/")
    before = text_in(inner(changes, "repository", "name"), "from")
    was = inner(changes, "owner", "from")
    owners = [text_in(inner(was, kind), "login") for kind in ("user", "organization")]
    for former in (f"{owner}/{before}", *(f"{one}/{name}" for one in owners)):
        yield from filter(None, [full_name_in({"full_name": former})])


def _filled(template: str, repository: str, content: Json) -> Iterator[str]:
    """Yield the tags that a template stands for; where nothing fills it, all of the repository."""
    found = _PLACEHOLDER.search(template)
    if found is None:
        yield template.replace("{repo}", repository)
        return
    values = [str(value) for value in _VALUES[found[1]](content) if value]
    for value in values:
        yield template.replace("{repo}", repository).replace(found[0], value)
    if not values:
        yield repository


def _numbers(content: Json) -> Iterator[int | None]:
    for name in ("issue", "pull_request"):
        yield number_in(inner(content, name), "number")


def _shas(content: Json) -> Iterator[str]:
    for name in ("check_run", "check_suite", "workflow_run", "workflow_job"):
        yield sha_in(inner(content, name), "head_sha")
    yield sha_in(content, "sha")


def _checks(content: Json) -> Iterator[int | None]:
    # A job's check run has the job's number.
    for name in ("check_run", "workflow_job"):
        yield number_in(inner(content, name), "id")


def _runs(content: Json) -> Iterator[int | None]:
    yield number_in(inner(content, "workflow_run"), "id")
    yield number_in(inner(content, "workflow_job"), "run_id")


def _branches(content: Json) -> Iterator[str]:
    yield text_in(content, "ref").removeprefix("refs/heads/").removeprefix("refs/tags/")


_VALUES: Mapping[str, Callable[[Json], Iterable[object]]] = {
    "number": _numbers,
    "sha": _shas,
    "check": _checks,
    "run": _runs,
    "branch": _branches,
}


def _is_default(content: Json) -> bool:
    default = text_in(inner(content, "repository"), "default_branch")
    return bool(default) and text_in(content, "ref") == f"refs/heads/{default}"


def _lessons(event: str, content: Json, hook: _Hook) -> Iterator[Lesson]:
    """Yield what is known now of the deliveries to come."""
    owner = text_in(inner(content, "organization"), "login").lower()
    if _LOGIN.fullmatch(owner):
        yield from _of_organization(event, content, f"gh:{owner}", hook)
    if event in {"installation", "installation_repositories"}:
        yield from _of_installation(content)
        return
    repository = _repository(content)
    if not repository:
        return
    subject = f"gh:{repository}"
    if event == "ping":
        yield _of_ping(content, subject, hook.id)
    elif event == "meta" or (event == "repository" and text_in(content, "action") in _GONE):
        yield Lesson(subject=subject, over=True)
    elif not hook.of_all:
        # Else it would be known of the repository long after the organization's webhook is gone.
        yield Lesson(subject=subject, kinds=frozenset({event}), hook=hook.id)


def _of_organization(event: str, content: Json, subject: str, hook: _Hook) -> Iterator[Lesson]:
    """Yield that an organization's webhook tells of all its repositories, and still does."""
    if _repository(content) or event not in {"ping", "meta"}:
        kinds = frozenset({event} if hook.of_all else ())
        yield Lesson(subject=subject, kinds=kinds, hook=hook.id)
    elif event == "meta":
        yield Lesson(subject=subject, over=True)
    else:
        yield _of_ping(content, subject, hook.id)


def _of_ping(content: Json, subject: str, hook: str) -> Lesson:
    given = inner(content, "hook")
    return Lesson(
        subject=subject,
        kinds=frozenset(texts_in(given, "events")),
        hook=hook or str(number_in(content, "hook_id") or ""),
        whole=True,
        over=given.get("active") is False,
    )


def _of_installation(content: Json) -> Iterator[Lesson]:
    gone = list(objects_in(content, "repositories_removed"))
    if text_in(content, "action") in _GONE:
        gone += objects_in(content, "repositories")
    for name in filter(None, map(full_name_in, gone)):
        yield Lesson(subject=f"gh:{name}", over=True)
