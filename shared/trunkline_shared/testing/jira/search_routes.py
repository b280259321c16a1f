"""Searching issues, people and projects; each flavour in its own way."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trunkline_shared.testing.jira.access import Access
from trunkline_shared.testing.jira.answers import refused
from trunkline_shared.testing.jira.browsing import visible_issues, visible_projects
from trunkline_shared.testing.jira.issues import Issue
from trunkline_shared.testing.jira.paging import page_of
from trunkline_shared.testing.jira.payloads import (
    issue_payload,
    names_payload,
    project_payload,
    user_payload,
)
from trunkline_shared.testing.jira.people import User
from trunkline_shared.testing.jira.query_language import query_of
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Answer, Call, Route

_LONGEST = {"cloud": 100, "data_center": 1000}
_PROJECTS = 50
_UNBOUNDED = (
    "Unbounded JQL queries are not allowed here. Please add a search restriction to your query."
)
_LOST = "The provided next page token is invalid or expired."


@dataclass(frozen=True, slots=True)
class Search:
    """The searches of a stand-in."""

    state: State

    def cloud(self, call: Call) -> Answer:
        """Answer `/search/jql`: no total, a token for what follows, ids unless fields are named."""
        body = _body(call)
        jql = str(body.get("jql", ""))
        start = self._start(body.get("nextPageToken"), jql)
        found = self._found(call, jql, bounded=True)
        length = min(_number(body, "maxResults", 50), _LONGEST["cloud"])
        page = found[start : start + length]
        end = start + len(page)
        last = end >= len(found)
        following = {} if last else {"nextPageToken": self._token(jql, end)}
        told = self._told(page, body)
        return Answer(json={**told, **following, "isLast": last})

    def data_center(self, call: Call) -> Answer:
        """Answer `/search`: from `startAt` on, with the total."""
        body = _body(call)
        found = self._found(call, str(body.get("jql", "")), bounded=False)
        start = _number(body, "startAt", 0)
        length = min(_number(body, "maxResults", 50), _LONGEST["data_center"])
        page = found[start : start + length]
        return Answer(
            json={
                "startAt": start,
                "maxResults": length,
                "total": len(found),
                **self._told(page, body),
            }
        )

    def _found(self, call: Call, jql: str, *, bounded: bool) -> list[Issue]:
        asker = Access(self.state).asker(call)
        query = query_of(self.state, asker, jql)
        if bounded and not query.is_bounded:
            raise refused(400, [_UNBOUNDED])
        return query.issues(visible_issues(self.state, asker))

    def _told(self, page: Sequence[Issue], body: Mapping[str, object]) -> dict[str, object]:
        issues = self._issues(page, body)
        if "names" not in str(body.get("expand", "")):
            return {"issues": issues}
        fields = body.get("fields")
        shown = dict.fromkeys(fields) if isinstance(fields, list) else {}
        return {"issues": issues, "names": names_payload(self.state, shown)}

    def _issues(self, page: Sequence[Issue], body: Mapping[str, object]) -> list[object]:
        named = body.get("fields")
        wanted = frozenset(map(str, named)) if isinstance(named, list) and named else None
        if wanted is None and self.state.is_cloud:
            return [{"id": issue.id} for issue in page]
        every = None if wanted and "*all" in wanted else wanted
        return [issue_payload(self.state, issue, every) for issue in page]

    def _token(self, jql: str, at: int) -> str:
        token = secrets.token_urlsafe(24)
        self.state.search_places[token] = (jql, at)
        return token

    def _start(self, token: object, jql: str) -> int:
        if token is None:
            return 0
        known = self.state.search_places.get(str(token))
        if known is None or known[0] != jql:
            raise refused(400, [_LOST])
        return known[1]


def search_routes(state: State) -> list[Route]:
    """Return the routes of this module."""
    search = Search(state)

    def people(call: Call) -> Answer:
        text = call.query.get("query" if state.is_cloud else "username", "").lower()
        found = [user for user in state.users if user.active and _called(user, text)]
        page, _, _ = page_of(call, found, _PROJECTS)
        return Answer(json=[user_payload(state, user) for user in page])

    def projects(call: Call) -> Answer:
        text = call.query.get("query", "").lower()
        seen = visible_projects(state, Access(state).asker(call))
        found = [one for one in seen if text in one.key.lower() or text in one.name.lower()]
        if not state.is_cloud:
            return Answer(json=[project_payload(state, one) for one in seen])
        page, start, length = page_of(call, found, _PROJECTS)
        values = [project_payload(state, one) for one in page]
        told = {"startAt": start, "maxResults": length, "total": len(found)}
        return Answer(json={**told, "isLast": start + length >= len(found), "values": values})

    if state.is_cloud:
        issues = Route(method="POST", path=f"{state.api}/search/jql", handle=search.cloud)
        listed = Route(method="GET", path=f"{state.api}/project/search", handle=projects)
    else:
        issues = Route(method="POST", path=f"{state.api}/search", handle=search.data_center)
        listed = Route(method="GET", path=f"{state.api}/project", handle=projects)
    return [issues, listed, Route(method="GET", path=f"{state.api}/user/search", handle=people)]


def _called(user: User, text: str) -> bool:
    known = (user.name, user.display_name, user.email or "", user.account_id)
    return any(text in name.lower() for name in known)


def _body(call: Call) -> Mapping[str, object]:
    body = call.received.json
    if not isinstance(body, dict):
        raise refused(400, ["Invalid request payload. Refer to the REST API documentation."])
    return body


def _number(body: Mapping[str, object], name: str, otherwise: int) -> int:
    value = body.get(name, otherwise)
    if not isinstance(value, int) or value < 0:
        raise refused(400, [f"The value of '{name}' is not a number."])
    return value
