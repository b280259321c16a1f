"""Opening, listing and changing pull requests of the stand-in: GitHub's truths about them."""

import pytest

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.github import ChangedFile, Demo, GitHubStandIn, bad_gateway

pytestmark = pytest.mark.anyio

PULLS = "/repos/acme/widgets/pulls"
PULL = f"{PULLS}/2"
FILE = ChangedFile(path="a.py", before="one\n", after="two\n")
NEW: dict[str, object] = {"title": "Add", "base": "main", "head": "topic"}


@pytest.fixture(autouse=True)
def pushed(demo: Demo) -> None:
    """A branch that changes one file, and one without commits."""
    demo.repository.add_branch("topic", FILE)
    demo.repository.add_branch("empty")


async def create(by: Caller, **given: object) -> Reply:
    return await by.ask("POST", PULLS, {**NEW, **given})


async def test_one_open_pull_request_per_head_and_base(writer: Caller, demo: Demo) -> None:
    """The second is refused in a sentence; once the first is closed, another may come."""
    first = await create(writer)
    assert first.status == 201
    second = await create(writer)
    assert second.status == 422
    (said,) = second.json["errors"]
    assert said["message"] == "A pull request already exists for acme:topic."
    number = first.json["number"]
    await writer.ask("PATCH", f"{PULLS}/{number}", {"state": "closed"})
    assert (await create(writer)).status == 201


@pytest.mark.parametrize(
    ("given", "field"),
    [({"base": "nowhere"}, "base"), ({"head": "nowhere"}, "head"), ({"head": "bob:topic"}, "head")],
)
async def test_branches_must_be_there(writer: Caller, given: dict[str, object], field: str) -> None:
    """A field that is invalid, without a sentence."""
    reply = await create(writer, **given)
    assert reply.status == 422
    assert [(e["field"], e["code"]) for e in reply.json["errors"]] == [(field, "invalid")]


async def test_a_head_needs_commits_of_its_own(writer: Caller) -> None:
    """Told in a sentence, which names both branches."""
    reply = await create(writer, head="empty")
    assert reply.json["errors"][0]["message"] == "No commits between main and empty"


async def test_the_head_filter_is_ignored_without_an_owner(writer: Caller) -> None:
    """Everything is listed then, which misleads those who forget it."""
    number = (await create(writer)).json["number"]
    for head, wanted in (("acme:topic", [number]), ("topic", [number, 2]), ("acme:x", [])):
        listed = (await writer.ask("GET", f"{PULLS}?head={head}")).json
        assert [one["number"] for one in listed] == wanted


async def test_a_list_leaves_out_what_is_computed_for_one_alone(writer: Caller) -> None:
    """Whether it can be merged, and how large it is."""
    (one,) = (await writer.ask("GET", PULLS)).json
    assert not {"mergeable", "mergeable_state", "merged", "changed_files"} & one.keys()


async def test_mergeable_is_null_until_it_is_computed(writer: Caller, demo: Demo) -> None:
    """Readers are told so often that they must ask again."""
    assert demo.pull.pull is not None
    demo.pull.pull.computing = 2
    seen = [(await writer.ask("GET", PULL)).json["mergeable"] for _ in range(3)]
    assert seen == [None, None, True]


async def test_reviewers_are_collaborators_and_not_the_author(writer: Caller, demo: Demo) -> None:
    """One who is none refuses all."""
    path = f"{PULL}/requested_reviewers"
    for given in ({"reviewers": ["alice", "nobody"]}, {"team_reviewers": ["nobody"]}):
        reply = await writer.ask("POST", path, dict(given))
        assert (reply.status, "collaborators" in reply.json["message"]) == (422, True)
    demo.repository.teams.add("core")
    reply = await writer.ask("POST", path, {"reviewers": ["alice"], "team_reviewers": ["core"]})
    assert reply.status == 201
    assert [one["login"] for one in reply.json["requested_reviewers"]] == ["alice"]
    assert [one["slug"] for one in reply.json["requested_teams"]] == ["core"]


async def test_a_merged_pull_request_is_not_opened_again(writer: Caller, demo: Demo) -> None:
    """A closed one is."""
    assert demo.pull.pull is not None
    await writer.ask("PATCH", PULL, {"state": "closed"})
    assert (await writer.ask("PATCH", PULL, {"state": "open"})).json["state"] == "open"
    await writer.ask("PATCH", PULL, {"state": "closed"})
    demo.pull.pull.merged_at = demo.pull.created_at
    assert (await writer.ask("PATCH", PULL, {"state": "open"})).status == 422


async def test_drafts_are_set_by_graphql_only(writer: Caller, demo: Demo) -> None:
    """And fail inside a 200 where the plan has none."""
    node = (await writer.ask("GET", PULL)).json["node_id"]
    text = (
        "mutation($id: ID!) { convertPullRequestToDraft(input: {pullRequestId: $id}) "
        "{ pullRequest { isDraft } } }"
    )
    asked = {"query": text, "variables": {"id": node}}
    answer = (await writer.ask("POST", "/graphql", dict(asked))).json
    assert answer["data"]["convertPullRequestToDraft"]["pullRequest"]["isDraft"] is True
    demo.repository.drafts = False
    answer = (await writer.ask("POST", "/graphql", dict(asked))).json
    assert answer["data"]["convertPullRequestToDraft"] is None
    assert (await create(writer, draft=True)).status == 422


async def test_a_fault_can_let_requests_through_before_it(
    github: GitHubStandIn, writer: Caller
) -> None:
    """So that the second of two requests to one address fails."""
    github.faults.add(bad_gateway(), "GET", PULL, skip=1)
    assert [(await writer.ask("GET", PULL)).status for _ in range(3)] == [200, 502, 200]
