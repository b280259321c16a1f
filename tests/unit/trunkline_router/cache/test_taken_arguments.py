"""What a call says beyond its tool's arguments: a server may ignore it, and so do tags."""

import pytest

from trunkline_router.cache.questions import Questions
from trunkline_router.cache.writing import touched
from trunkline_router.model import Call, Caller, Era, Json, Request, ToolSpec, Unheard
from trunkline_shared.contracts import Policy, Reads, Writes

CALLER = Caller(subject="a", scopes=frozenset())
TAG = "gh:{owner}/{repo}#{pr_number}"
REPOSITORY: Json = {"owner": "acme", "repo": "widgets"}
THE_SAME = [
    {"pr_number": 12, "prNumber": 13},
    {"prNumber": 13, "pr_number": 12},
    {"pr_number": 12, "pull_number": 13},
    {"pr_number": 12, "Repo": "x/y"},
    {"pr_number": 12, "OWNER": "x"},
]


def tool(policy: Policy, *names: str) -> ToolSpec:
    """Return a tool with these parameters."""
    return ToolSpec(
        exposed="tool",
        name="tool",
        server="foreign",
        definition={"inputSchema": {"type": "object", "properties": {name: {} for name in names}}},
        policy=policy,
        read_only=policy.writes is None,
        digest="digest",
    )


def call(spec: ToolSpec, arguments: Json) -> Call:
    """Return a call with these arguments."""
    request = Request(
        id=1,
        method="tools/call",
        params={"name": "tool", "arguments": REPOSITORY | arguments},
        era=Era.MODERN,
        channel=Unheard(),
        received=0,
    )
    return Call(
        request=request, caller=CALLER, server="foreign", name="tool", deadline=1, tool=spec
    )


@pytest.mark.requirement("cache.read-write-read")
@pytest.mark.parametrize("arguments", THE_SAME)
def test_what_a_tool_does_not_take_is_in_no_tag(arguments: Json) -> None:
    """A write spoils what it writes, and a read stands on what it reads."""
    names = ("owner", "repo", "pr_number")
    write = tool(Policy(writes=Writes(tags=(TAG,))), *names)
    assert touched(call(write, arguments), write) == ("gh:acme/widgets#12",)
    read = tool(Policy(reads=Reads(ttl_s=15, tags=(TAG,))), *names)
    question = Questions(apart=lambda _: "").of(call(read, arguments))
    assert question is not None
    assert question.exact == ("gh:acme/widgets#12", "srv:foreign")


@pytest.mark.requirement("cache.read-write-read")
def test_a_tool_that_names_no_arguments_may_take_any() -> None:
    """What its server makes of them is not known."""
    write = tool(Policy(writes=Writes(tags=(TAG,))))
    assert touched(call(write, {"prNumber": 13}), write) == ("gh:acme/widgets#13",)
