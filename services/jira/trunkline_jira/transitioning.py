"""Moving an issue to another status: which ways there are, and taking one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from trunkline_jira.change_endpoints import (
    SentTransition,
    list_transitions,
    make_transition,
)
from trunkline_jira.change_models import (
    JiraTransitions,
    Transitioned,
)
from trunkline_jira.comment_text import written_comment
from trunkline_jira.commenting import Commenting
from trunkline_jira.endpoints import get_issue
from trunkline_jira.keys import IssueKey
from trunkline_jira.sent import SentStatus
from trunkline_jira.shapes import category_of, name_of
from trunkline_jira.site.client import Jira
from trunkline_jira.site.flavour import Deployment
from trunkline_jira.transition_screen import shown_transition, values_on
from trunkline_shared.errors import Conflict, InvalidInput, TrunklineError
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.doubtful_write import DoubtfulWrite, with_time_to_look


async def browse_transitions(jira: Jira, key: IssueKey) -> JiraTransitions:
    """Return what may be done with an issue now. Raises a TrunklineError."""
    flavour = (await jira.deployment()).flavour
    found = await jira.fetch(list_transitions(flavour, key))
    return JiraTransitions(
        key=str(key), transitions=[shown_transition(one) for one in found.transitions]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Transitioning:
    """One step of one issue; `wanted` is a transition's id or name, or the status it leads to."""

    jira: Jira
    key: IssueKey
    wanted: str
    fields: Mapping[str, JsonValue] = field(default_factory=dict)
    comment: str = ""

    async def make(self) -> Transitioned:
        """Make it. Raises a TrunklineError; UpstreamTimeout when it may have been made."""
        began = self.jira.clock.now()
        deployment = await self.jira.deployment()
        comment = await self._comment(deployment)
        found = await self.jira.fetch(list_transitions(deployment.flavour, self.key))
        chosen = self._chosen(found.transitions)
        if chosen is None:
            return await self._already_there(deployment, found.transitions)
        endpoint = make_transition(
            deployment.flavour,
            self.key,
            chosen.id,
            fields=values_on(chosen.fields or {}, self.fields),
            comment=comment,
        )

        async def send() -> SentStatus | None:
            await self.jira.fetch(with_time_to_look(endpoint))
            return chosen.to

        async def look() -> SentStatus | None:
            now = await self._status(deployment)
            arrived = now is not None and chosen.to is not None and now.id == chosen.to.id
            return now if arrived else None

        write = DoubtfulWrite(
            send=send,
            look=look,
            repeatable=False,
            how_to_look=f"look with get_jira_issue(issue_key={str(self.key)!r})",
        )
        made = self._told(deployment, await write.perform(), changed=True)
        return await self._with_comment(made, began) if self.comment else made

    async def _with_comment(self, made: Transitioned, began: float) -> Transitioned:
        """Add the comment where Jira has not taken it along.

        Without a comment field on its screen a transition drops it and says nothing
        (https://github.com/sooperset/mcp-atlassian/issues/1623).
        """
        commenting = Commenting(jira=self.jira, key=self.key, markdown=self.comment)
        try:
            await commenting.ensure(began)
        except TrunklineError as error:
            said = f"The issue has moved, its comment is not there: {error.message}"
            return made.model_copy(update={"comment_problem": said})
        return made.model_copy(update={"comment_added": True})

    async def _comment(self, deployment: Deployment) -> object | None:
        if not self.comment:
            return None
        return await written_comment(deployment.flavour, self.comment, "comment")

    def _chosen(self, transitions: Sequence[SentTransition]) -> SentTransition | None:
        """Return the one transition that is meant: by id, else by name, else by its status."""
        wanted = self.wanted.strip().casefold()
        for names in (_by_id, _by_name, _by_status):
            found = [one for one in transitions if names(one) == wanted]
            if len(found) > 1:
                raise _unclear(self.wanted, found)
            if found:
                return found[0]
        return None

    async def _already_there(
        self, deployment: Deployment, transitions: Sequence[SentTransition]
    ) -> Transitioned:
        """Tell that nothing is to do, when the issue is in the status that was named."""
        now = await self._status(deployment)
        if now is not None and now.name.casefold() == self.wanted.strip().casefold():
            return self._told(deployment, now, changed=False)
        raise _unknown(self.wanted, self.key, now, transitions)

    async def _status(self, deployment: Deployment) -> SentStatus | None:
        asked = get_issue(deployment.flavour, self.key, ["status"])
        return (await self.jira.fetch(asked)).fields.status

    def _told(
        self, deployment: Deployment, status: SentStatus | None, *, changed: bool
    ) -> Transitioned:
        return Transitioned(
            key=str(self.key),
            status=name_of(status),
            status_category=category_of(status),
            changed=changed,
            comment_added=False,
            url=deployment.page(str(self.key)),
        )


def _by_id(transition: SentTransition) -> str:
    return transition.id.casefold()


def _by_name(transition: SentTransition) -> str:
    return transition.name.casefold()


def _by_status(transition: SentTransition) -> str:
    return transition.to.name.casefold() if transition.to is not None else ""


def _unclear(wanted: str, found: Sequence[SentTransition]) -> InvalidInput:
    return InvalidInput(
        f"transition {wanted[:80]!r} means several.",
        hint=f"Pass one of these ids: {_listed(found)}.",
        details={"field_errors": [{"field": "transition", "problem": "means several"}]},
    )


def _unknown(
    wanted: str, key: IssueKey, now: SentStatus | None, transitions: Sequence[SentTransition]
) -> Conflict:
    return Conflict(
        f"{key} has no transition {wanted[:80]!r} out of its status {name_of(now) or '(unknown)'}.",
        hint=f"It has: {_listed(transitions) or 'none for this account'}.",
        details={"reason": "no_such_transition", "status": name_of(now)},
    )


def _listed(transitions: Sequence[SentTransition]) -> str:
    return ", ".join(
        f"{one.id} ({sanitize(one.name)} to {name_of(one.to) or '?'})" for one in transitions
    )
