"""Endpoints that change an issue, and what they may be told.

https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/ and
https://docs.atlassian.com/software/jira/docs/api/REST/9.12.0/#api/2/issue
"""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field, JsonValue

from trunkline_jira.endpoints import issue_path
from trunkline_jira.keys import IssueKey
from trunkline_jira.sent import Sent, SentComment, SentStatus, Text, listed
from trunkline_jira.site.flavour import Flavour
from trunkline_jira.site.reading import done, one
from trunkline_shared.exchange import Endpoint, Request

_COMMENT = "/issue/{key}/comment"
_TRANSITIONS = "/issue/{key}/transitions"


class SentChoice(Sent):
    """A value that a field takes: versions and resolutions have names, options values."""

    id: str | None = None
    name: str | None = None
    value: str | None = None


class FieldSchema(Sent):
    """What kind of value a field takes; `items` is the kind of a list's entries."""

    type: Text = ""
    items: str | None = None


class TransitionField(Sent):
    """A field of a transition's screen."""

    required: bool = False
    name: Text = ""
    kind: FieldSchema | None = Field(default=None, alias="schema")
    hasDefaultValue: bool = False  # noqa: N815 - Jira's spelling
    allowedValues: Annotated[tuple[SentChoice, ...], BeforeValidator(listed)] = ()  # noqa: N815 - Jira's spelling


class SentTransition(Sent):
    """A way out of an issue's status; servers tell `fields` when asked for them."""

    id: str
    name: Text = ""
    to: SentStatus | None = None
    fields: dict[str, TransitionField] | None = None


class SentTransitions(Sent):
    """The transitions that the account may make of an issue now."""

    transitions: Annotated[tuple[SentTransition, ...], BeforeValidator(listed)] = ()


_read_transitions = one(SentTransitions)
_read_comment = one(SentComment)


def list_transitions(flavour: Flavour, key: IssueKey) -> Endpoint[SentTransitions]:
    """Read the transitions of an issue with the fields of their screens."""
    request = Request(
        method="GET",
        path=f"{issue_path(flavour, key)}/transitions",
        query=(("expand", "transitions.fields"),),
        template=flavour.api + _TRANSITIONS,
    )
    return Endpoint(request=request, read=_read_transitions, repeatable=True)


def add_comment(flavour: Flavour, key: IssueKey, body: object) -> Endpoint[SentComment]:
    """Add a comment; sent twice it is there twice."""
    request = Request(
        method="POST",
        path=f"{issue_path(flavour, key)}/comment",
        json={"body": body},
        template=flavour.api + _COMMENT,
    )
    return Endpoint(request=request, read=_read_comment, repeatable=False)


def make_transition(
    flavour: Flavour,
    key: IssueKey,
    transition: str,
    *,
    fields: Mapping[str, JsonValue],
    comment: object | None,
) -> Endpoint[None]:
    """Make a transition, given by its id, with values for its screen and a comment."""
    body: dict[str, object] = {"transition": {"id": transition}}
    if fields:
        body["fields"] = dict(fields)
    if comment is not None:
        body["update"] = {"comment": [{"add": {"body": comment}}]}
    request = Request(
        method="POST",
        path=f"{issue_path(flavour, key)}/transitions",
        json=body,
        template=flavour.api + _TRANSITIONS,
    )
    return Endpoint(request=request, read=done, repeatable=False)
