"""GraphQL, as far as REST leaves something out; it knows whole queries, not the language.

Each of `FIELDS` answers the queries in which its pattern is found.
"""

import re
from collections.abc import Callable, Mapping

from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.routes import (
    graphql_drafts,
    graphql_minimized,
    graphql_threads,
)

PATH = "/graphql"
HEADERS = {"x-ratelimit-resource": "graphql"}

Variables = Mapping[str, object]
Field = tuple[re.Pattern[str], Callable[[Call, Variables], dict[str, object]]]


def _viewer(call: Call, _: Variables) -> dict[str, object]:
    login = call.token.user.login if call.token is not None else None
    return {"data": {"viewer": {"login": login}}}


FIELDS: tuple[Field, ...] = (
    (re.compile(r"\bviewer\s*\{"), _viewer),
    *graphql_minimized.FIELDS,
    *graphql_threads.FIELDS,
    *graphql_drafts.FIELDS,
)


def query(call: Call) -> Answer:
    """Answer a query; failures of parts come inside a 200, as GraphQL has it."""
    if call.token is None:
        raise Refusal(401, "This endpoint requires you to be authenticated.")
    text, variables = call.body.get("query"), call.body.get("variables")
    if not isinstance(text, str):
        raise Refusal(400, "A query attribute must be specified and must be a string.")
    given = variables if isinstance(variables, Mapping) else {}
    for pattern, answer in FIELDS:
        if pattern.search(text):
            return Answer(json=answer(call, given), headers=HEADERS)
    errors = [{"type": "undefinedField", "message": "Field doesn't exist"}]
    return Answer(json={"errors": errors}, headers=HEADERS)


ROUTES = (Route(method="POST", path=PATH, handle=query),)
