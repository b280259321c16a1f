"""Contexts: any query string is one or is refused, and no argument gets around one."""

from urllib.parse import urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trunkline_router.access.query_context import context_of_query
from trunkline_router.binding import bind
from trunkline_router.catalogue.directory import merge
from trunkline_router.catalogue.listing import read_listing
from trunkline_router.catalogue.narrowing import Views, narrow
from trunkline_router.context import KEYS, NOTHING, Context, InvalidContext, key_of
from trunkline_router.model import Call, Caller, Era, Json, Request, ToolSpec, Unheard
from trunkline_router.view import View
from trunkline_router.wire.refusal import Refused
from trunkline_shared.errors import BlockedByPolicy

JOB = Context.of([("owner", "acme"), ("repo", "widgets"), ("pr_number", 12), ("comment_id", "7")])
PROPERTIES: Json = {
    "owner": {"type": "string"},
    "repo": {"type": "string"},
    "issueNumber": {"type": "integer"},
    "comment_id": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "body": {"type": "string"},
}
SPELLINGS = [
    "owner", "Owner", "OWNER", "repo", "REPO", "pr_number", "prNumber", "PRNumber", "pr-number",
    "issue_number", "issueNumber", "ISSUE_NUMBER", "comment_id", "commentId", "commentID",
    "pull_number", "pullNumber", "body", "other",
]  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["acme", "ACME", "widgets", "12", 12, 12.0, "7", 7, "evil", 13, "o/r"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)


def spec(properties: Json = PROPERTIES, **more: object) -> ToolSpec:
    schema: Json = {"type": "object", "properties": properties, **more}
    definition: Json = {"name": "act", "inputSchema": schema}
    definition["annotations"] = {"readOnlyHint": True}
    return read_listing("a", {}, {"tools": [{"tools": [definition]}]}, 0.0).tools[0]


def call_of(arguments: object, context: Context, tool: ToolSpec | None = None) -> Call:
    """Return an admitted call, with what `context` sets of its tool."""
    listing = read_listing("a", {}, {"tools": [{"tools": [(tool or spec()).definition]}]}, 0.0)
    request = Request(
        id=1,
        method="tools/call",
        params={"name": "act", "arguments": arguments},
        era=Era.MODERN,
        channel=Unheard(),
        received=0.0,
        view=View(context=context),
    )
    return Call(
        request=request,
        caller=Caller(subject="me", scopes=frozenset()),
        server="a",
        name="act",
        deadline=1.0,
        tool=narrow(merge([listing], (), frozenset()), View(context=context)).tools["act"],
    )


def context_or_refusal(raw: str) -> Context | Refused:
    try:
        return context_of_query(raw)
    except Refused as refusal:
        return refusal


def bound_or_blocked(arguments: object) -> Json | BlockedByPolicy | None:
    try:
        return bind(call_of(arguments, JOB)).arguments
    except BlockedByPolicy as blocked:
        return blocked


@pytest.mark.requirement("context.query")
@given(st.text(max_size=60) | st.text(alphabet="ownerp_ub=&%+1aF;#", max_size=60))
@example("owner=%ED%A0%80")
@example("owner=\udcff")
@example("=")
@example("&&")
def test_any_query_string_is_a_context_or_a_refusal(raw: str) -> None:
    """HTTP 400 with a text, never anything else."""
    found = context_or_refusal(raw)
    if isinstance(found, Refused):
        assert found.status == 400
        assert found.message.encode()


@pytest.mark.requirement("context.query")
@given(st.dictionaries(st.sampled_from([*KEYS, *SPELLINGS]), SCALARS, max_size=6))
def test_a_context_survives_its_own_url(given_: dict[str, object]) -> None:
    """What is accepted means the same when it is written again, from claims as from a query."""
    try:
        context = Context.of(given_.items())
    except InvalidContext as fault:
        str(fault).encode()
        return
    assert context_of_query(urlencode(context.bindings)) == context if context else not given_


@pytest.mark.requirement("context.bind")
@given(st.dictionaries(st.sampled_from(SPELLINGS), VALUES, max_size=8))
@example({"issue_number": 12, "issueNumber": 13})
@example({"comment_id": "8", "commentId": None})
def test_no_argument_gets_around_a_binding(arguments: dict[str, object]) -> None:
    """Blocked, or the tool gets exactly what is bound, once and under its own name."""
    bound = bound_or_blocked(arguments)
    if isinstance(bound, BlockedByPolicy):
        assert bound.details["reason"] == "outside_binding"
        return
    assert bound is not None
    expected = {"owner": "acme", "repo": "widgets", "issueNumber": 12, "comment_id": 7}
    assert expected.items() <= bound.items()
    for name, value in bound.items():
        key = key_of(name)
        if name not in expected and key is not None:
            assert value in {None, ""} or JOB.allows(key, value)
            assert key == "pr_number"


@given(VALUES)
def test_without_a_context_a_call_stays_as_it_is(arguments: object) -> None:
    """Not even looked at."""
    call = call_of(arguments, NOTHING)
    assert bind(call) is call


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "12"),
        ({"type": ["string", "null"]}, "12"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "12"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 12),
        ({"type": "number"}, 12),
        ({}, 12),
        (True, 12),
    ],
    ids=str,
)
def test_a_bound_number_has_the_type_that_the_tool_takes(schema: object, expected: object) -> None:
    """A foreign tool may want it as text."""
    bound = bind(call_of({}, Context.of([("pr_number", 12)]), spec({"pullNumber": schema})))
    assert bound.arguments == {"pullNumber": expected}


def test_requirements_of_combined_schemas_are_loosened_too() -> None:
    """A client that checks its arguments finds nothing required that it cannot see."""
    both = [{"required": ["pr_number"]}, {"required": ["branch"]}]
    tool = spec({"pr_number": {}, "branch": {}}, anyOf=both, required=["pr_number", "branch"])
    listing = read_listing("a", {}, {"tools": [{"tools": [tool.definition]}]}, 0.0)
    narrowed = narrow(merge([listing], (), frozenset()), View(context=JOB)).items["tools"][0]
    assert narrowed["inputSchema"] == {
        "type": "object",
        "properties": {"branch": {}},
        "anyOf": [{}, {"required": ["branch"]}],
        "required": ["branch"],
    }


@pytest.mark.requirement("context.offer")
@pytest.mark.parametrize(
    ("parameter", "context", "offered"),
    [
        ("issue_key", {"pr_number": 12}, False),
        ("issue_key", {"pr_number": 12, "issue_key": "P-1"}, True),
        ("issue_key", {"owner": "acme"}, True),
        ("pr_number", {"issue_number": 12}, False),
        ("issue_number", {"pr_number": 12}, True),
        ("pullNumber", {"pr_number": 12}, True),
        ("branch", {"pr_number": 12, "branch": "b"}, False),
        ("comment_id", {"pr_number": 12, "comment_id": 7}, False),
    ],
)
def test_a_write_needs_the_bound_object_as_its_argument(
    parameter: str, context: dict[str, object], *, offered: bool
) -> None:
    """A binding that a write does not take says nothing about where it writes."""
    definition: Json = {"name": "act", "inputSchema": {"properties": {parameter: {}}}}
    listing = read_listing("a", {}, {"tools": [{"tools": [definition]}]}, 0.0)
    narrowed = narrow(merge([listing], (), frozenset()), View(context=Context.of(context.items())))
    assert ("act" in narrowed.tools, "act" in narrowed.withheld) == (offered, not offered)


def test_views_are_made_once_and_only_the_latest_are_kept() -> None:
    """A thousand contexts cost no more than the bound."""
    listing = read_listing("a", {}, {"tools": [{"tools": [spec().definition]}]}, 0.0)
    whole = merge([listing], (), frozenset())
    views = Views(most=2)
    first, second, third = (View(context=Context.of([("pr_number", n)])) for n in (1, 2, 3))
    view = views.of(whole, first)
    assert views.of(whole, second) is not view
    assert views.of(whole, first) is view
    views.of(whole, third)
    assert views.of(whole, first) is view
    assert views.of(merge([listing], (), frozenset()), first) is not view


@pytest.mark.requirement("router.delegation-narrow")
@pytest.mark.parametrize(
    ("url", "token", "both"),
    [
        ({}, {"pr_number": 12}, {"pr_number": 12, "issue_number": 12}),
        ({"owner": "acme"}, {}, {"owner": "acme"}),
        ({"owner": "ACME"}, {"owner": "acme", "repo": "w"}, {"owner": "acme", "repo": "w"}),
        ({"pr_number": 12}, {"issue_number": 12}, {"pr_number": 12, "issue_number": 12}),
        ({"issue_number": 12}, {"pr_number": 12}, {"pr_number": 12, "issue_number": 12}),
        ({"pr_number": 12}, {"pr_number": 13}, None),
        ({"pr_number": 13}, {"issue_number": 12}, None),
        ({"issue_number": 13}, {"pr_number": 12}, None),
        ({"branch": "Main"}, {"branch": "main"}, None),
    ],
)
def test_a_context_within_another_binds_what_either_does(
    url: dict[str, object], token: dict[str, object], both: dict[str, object] | None
) -> None:
    """The outer one's spelling stays; what contradicts it is no context."""
    inner, outer = Context.of(url.items()), Context.of(token.items())
    if both is None:
        with pytest.raises(InvalidContext, match="contradicts"):
            inner.within(outer)
    else:
        assert dict(inner.within(outer).bindings) == both
