"""Every event of GitHub and what it spoils, as far as the mesh's tools read it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.cache.hooks import Lesson
from trunkline_router.cache.needed_events import EVERY, is_neutral, need_of
from trunkline_router.cache.tag_patterns import TagPattern
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told
from trunkline_router.webhooks.github import GitHub
from trunkline_router.webhooks.github_events import SPOILS
from trunkline_shared import meta

R = "gh:acme/widgets"
SHA = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
REPOSITORY = {"id": 1, "full_name": "Acme/Widgets", "default_branch": "main"}
SNAPSHOTS = Path(__file__).parents[3] / "snapshots"


def told(event: str, content: Mapping[str, Any], **headers: str) -> Told:
    """Return what a delivery about `acme/widgets` comes to."""
    given = {"x-github-event": event, "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    return GitHub().read(Arrived(headers=given), {"repository": REPOSITORY, **content})


PULL = {"pull_request": {"number": 12, "head": {"sha": SHA}, "base": {"ref": "main"}}}
ISSUE = {"issue": {"number": 7}}
EVENTS: list[tuple[str, dict[str, Any], list[str]]] = [
    *(
        ("issues", {"action": action, **ISSUE}, [f"{R}#7", f"{R}:issues"])
        for action in (
            *("opened", "edited", "deleted", "transferred", "closed", "reopened", "assigned"),
            *("unassigned", "labeled", "unlabeled", "locked", "unlocked", "milestoned"),
            *("demilestoned", "pinned", "unpinned", "typed", "untyped"),
        )
    ),
    *(
        (
            "issue_comment",
            {"action": action, **ISSUE},
            [f"{R}#7:comments", f"{R}:comments", f"{R}:issues"],
        )
        for action in ("created", "edited", "deleted")
    ),
    *(
        ("pull_request", {"action": action, "number": 12, **PULL}, [f"{R}#12", f"{R}:issues"])
        for action in (
            *("opened", "synchronize", "edited", "closed", "reopened", "labeled", "unlabeled"),
            *("assigned", "unassigned", "review_requested", "review_request_removed", "locked"),
            *("ready_for_review", "converted_to_draft", "auto_merge_enabled", "enqueued"),
            *("dequeued", "milestoned", "demilestoned", "unlocked", "auto_merge_disabled"),
        )
    ),
    *(
        (
            "pull_request_review",
            {"action": action, **PULL},
            [f"{R}#12:reviews", f"{R}:comments", f"{R}:issues"],
        )
        for action in ("submitted", "edited", "dismissed")
    ),
    *(
        (
            "pull_request_review_comment",
            {"action": action, **PULL},
            [f"{R}#12:reviews", f"{R}#12:comments", f"{R}:comments", f"{R}:issues"],
        )
        for action in ("created", "edited", "deleted")
    ),
    *(
        ("pull_request_review_thread", {"action": action, **PULL}, [f"{R}#12:reviews"])
        for action in ("resolved", "unresolved")
    ),
    ("label", {"action": "created", "label": {"name": "bug"}}, [f"{R}:labels"]),
    ("label", {"action": "edited", "label": {"name": "bug"}}, [R]),
    ("label", {"action": "deleted", "label": {"name": "bug"}}, [R]),
    ("milestone", {"action": "created"}, [f"{R}:issues"]),
    *(
        ("milestone", {"action": action}, [R])
        for action in ("edited", "closed", "opened", "deleted")
    ),
    *(
        (
            "check_run",
            {"action": action, "check_run": {"id": 4, "head_sha": SHA, "pull_requests": []}},
            [f"{R}@{SHA}:checks", f"{R}:checks/4"],
        )
        for action in ("created", "completed", "rerequested", "requested_action")
    ),
    *(
        ("check_suite", {"action": action, "check_suite": {"head_sha": SHA}}, [f"{R}@{SHA}:checks"])
        for action in ("completed", "requested", "rerequested")
    ),
    ("status", {"id": 9, "sha": SHA, "state": "success"}, [f"{R}@{SHA}:checks"]),
    *(
        (
            "workflow_run",
            {"action": action, "workflow_run": {"id": 30, "head_sha": SHA}},
            [f"{R}:runs/30", f"{R}@{SHA}:checks"],
        )
        for action in ("requested", "in_progress", "completed")
    ),
    *(
        (
            "workflow_job",
            {"action": action, "workflow_job": {"id": 5, "run_id": 30, "head_sha": SHA}},
            [f"{R}:runs/30", f"{R}@{SHA}:checks", f"{R}:checks/5"],
        )
        for action in ("queued", "in_progress", "completed", "waiting")
    ),
    ("push", {"ref": "refs/heads/main"}, [f"{R}:branches/main"]),
    ("push", {"ref": "refs/heads/feature/x", "forced": True}, [f"{R}:branches/feature/x"]),
    ("push", {"ref": "refs/tags/v1"}, [f"{R}:branches/v1"]),
    ("push", {"ref": "refs/heads/main", "forced": True}, [f"{R}:branches/main", R]),
    ("create", {"ref": "feature/x", "ref_type": "branch"}, [f"{R}:branches/feature/x"]),
    ("delete", {"ref": "feature/x", "ref_type": "branch"}, [f"{R}:branches/feature/x"]),
    *(
        (event, {"action": "edited"}, [f"{R}:branches"])
        for event in (
            "branch_protection_rule",
            "branch_protection_configuration",
            "repository_ruleset",
        )
    ),
    *(
        ("repository", {"action": action}, [R])
        for action in ("deleted", "privatized", "publicized", "archived", "unarchived", "edited")
    ),
    (
        "repository",
        {"action": "renamed", "changes": {"repository": {"name": {"from": "Gadgets"}}}},
        [R, "gh:acme/gadgets"],
    ),
    *(
        (
            "repository",
            {"action": "transferred", "changes": {"owner": {"from": {kind: {"login": "Old"}}}}},
            [R, "gh:old/widgets"],
        )
        for kind in ("user", "organization")
    ),
    *(
        (event, {"action": action}, [R])
        for event, action in (
            ("public", ""),
            ("member", "removed"),
            ("team", "removed_from_repository"),
            ("team_add", ""),
            ("meta", "deleted"),
        )
    ),
    ("ping", {"hook": {"events": ["push"]}}, []),
    *((event, {"action": "created"}, []) for event in ("star", "fork", "release", "brand_new")),
]


@pytest.mark.requirement("webhook.spoils")
@pytest.mark.parametrize(
    ("event", "content", "tags"),
    EVENTS,
    ids=[
        f"{number}-{event}-{content.get('action')}"
        for number, (event, content, _) in enumerate(EVENTS)
    ],
)
def test_an_event_spoils_what_it_is_about(
    event: str, content: dict[str, Any], tags: list[str]
) -> None:
    """No less, and no more than has to be."""
    assert list(told(event, content).tags) == tags


@pytest.mark.requirement("webhook.spoils")
@pytest.mark.parametrize("event", sorted(SPOILS.keys() - {"installation"} - {"ping"}))
def test_an_event_that_does_not_say_what_it_is_about_spoils_all_that_it_may_be(event: str) -> None:
    """A payload without the number, the commit or the branch widens to the repository."""
    name, _, action = event.partition(".")
    tags = told(name, {"action": action, "issue": {"number": "7"}, "sha": "no sha"}).tags
    if name != "installation_repositories":
        assert tags
    assert all(tag == R or not any(part in tag for part in ("#", "@", "/7")) for tag in tags)


@pytest.mark.parametrize("event", ["installation", "installation_repositories"])
def test_repositories_that_an_app_is_taken_from_are_spoiled(event: str) -> None:
    """Each that is named, and nothing more is expected of them."""
    gone = [{"full_name": "Acme/One"}, {"full_name": "acme/two"}, {"full_name": "no name"}]
    name = "repositories" if event == "installation" else "repositories_removed"
    found = told(event, {"repository": None, "action": "deleted", name: gone})
    assert found.tags == ("gh:acme/one", "gh:acme/two")
    assert found.lessons == (
        Lesson(subject="gh:acme/one", over=True),
        Lesson(subject="gh:acme/two", over=True),
    )


@pytest.mark.requirement("webhook.spoils")
def test_every_tag_of_the_mesh_s_tools_is_told_of() -> None:
    """For each tag that a read declares there is an event that spoils it."""
    values = {"owner": "acme", "repo": "widgets"}
    spoiled = [
        "".join(TagPattern.of(tag.replace("{repo}", "gh:{owner}/{repo}"), values).parts)
        for tags in SPOILS.values()
        for tag in tags
        if tag != "{repo}"
    ]
    untold = [
        tag for tag in read_tags() if not any(map(TagPattern.of(tag, values).concerns, spoiled))
    ]
    assert untold == []


def read_tags() -> Iterator[str]:
    """Yield the tags of GitHub that the mesh's own reads declare."""
    for path in SNAPSHOTS.glob("*.json"):
        for definition in json.loads(path.read_text(encoding="utf-8")):
            reads = definition["_meta"][meta.POLICY].get("reads") or {}
            yield from (
                tag for tag in reads.get("tags", []) if tag[:3] == "gh:" and not is_neutral(tag)
            )


@pytest.mark.requirement("webhook.lives")
def test_every_event_that_is_waited_for_spoils_something() -> None:
    """And each that spoils a part of what an answer shows is waited for, but those of all of it."""
    assert SPOILS.keys() >= EVERY
    of_all = {
        *("branch_protection_configuration", "branch_protection_rule", "repository_ruleset"),
        *("installation", "installation_repositories", "member", "meta", "public", "repository"),
        *("team", "team_add", "create", "delete"),
    }
    assert {event.partition(".")[0] for event in SPOILS} - of_all == EVERY


def test_a_delivery_shows_that_its_kind_comes() -> None:
    """And names the webhook that it came from."""
    found = told("issues", ISSUE, x_github_hook_id="292430182")
    kinds = frozenset({"issues"})
    assert found.lessons == (Lesson(subject=R, kinds=kinds, hook="292430182"),)


def test_a_ping_shows_all_that_will_come() -> None:
    """As the webhook is set up; one that is switched off tells of nothing any more."""
    hook = {"events": ["issues", "push"], "active": True}
    lesson = Lesson(
        subject=R, kinds=frozenset({"issues", "push"}), hook="1", whole=True, over=False
    )
    assert told("ping", {"hook_id": 1, "hook": hook}).lessons == (lesson,)
    (off,) = told("ping", {"hook_id": 1, "hook": hook | {"active": False}}).lessons
    assert off.over


def test_an_organization_s_ping_is_about_all_of_its_repositories() -> None:
    """Its later deliveries show that it is still there."""
    content = {"repository": None, "organization": {"login": "Acme"}, "hook": {"events": ["*"]}}
    (lesson,) = told("ping", content, x_github_hook_id="5").lessons
    assert lesson == Lesson(subject="gh:acme", kinds=frozenset({"*"}), hook="5", whole=True)
    later = told("issues", {**ISSUE, "organization": {"login": "Acme"}}, x_github_hook_id="5")
    assert [one.subject for one in later.lessons] == ["gh:acme", R]


@pytest.mark.parametrize(("event", "action"), [("meta", "deleted"), ("repository", "deleted")])
def test_a_webhook_that_is_gone_tells_of_nothing_more(event: str, action: str) -> None:
    """GitHub says so when somebody deletes it."""
    assert told(event, {"action": action}).lessons == (Lesson(subject=R, over=True),)


def test_an_organization_s_webhook_that_is_gone_tells_of_nothing_more() -> None:
    """Its last word names no repository; one repository's says nothing of the organization's."""
    gone = {"action": "deleted", "hook_id": 5, "organization": {"login": "Acme"}}
    last = told("meta", {"repository": None, **gone}, x_github_hook_id="5").lessons
    assert last == (Lesson(subject="gh:acme", over=True),)
    of_one = told("meta", gone, x_github_hook_id="5").lessons
    assert [one.subject for one in of_one if one.over] == [R]


def test_what_an_organization_s_webhook_tells_is_known_of_the_organization_alone() -> None:
    """Otherwise it would be known of each repository long after that webhook is gone."""
    content = {**ISSUE, "organization": {"login": "Acme"}}
    target = {"x_github_hook_installation_target_type": "organization"}
    lessons = told("issues", content, x_github_hook_id="5", **target).lessons
    assert lessons == (Lesson(subject="gh:acme", kinds=frozenset({"issues"}), hook="5"),)
    deleted = told("repository", {**content, "action": "deleted"}, **target).lessons
    assert Lesson(subject=R, over=True) in deleted


@pytest.mark.parametrize(
    "headers",
    [
        {"x_github_event": ""},
        {"x_github_event": "Issues"},
        {"x_github_event": "a b"},
        {"x_github_delivery": ""},
        {"x_github_delivery": "a/b"},
        {"x_github_delivery": "x" * 101},
    ],
    ids=["none", "case", "blank", "no-id", "odd-id", "long-id"],
)
def test_a_delivery_without_event_or_id_makes_no_sense(headers: dict[str, str]) -> None:
    """Both stand in headers."""
    with pytest.raises(Malformed):
        told("issues", ISSUE, **headers)


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    event=st.sampled_from(sorted({name.partition(".")[0] for name in SPOILS} | {"ping"})),
    content=st.dictionaries(
        st.sampled_from([
            *("action", "repository", "issue", "pull_request", "check_run", "workflow_run", "ref"),
            *("workflow_job", "check_suite", "sha", "changes", "hook", "organization", "forced"),
            *("repositories", "repositories_added", "repositories_removed"),
        ]),
        JSONS,
    ),
)
def test_no_payload_breaks_the_reading(event: str, content: dict[str, Any]) -> None:
    """Whatever it holds, each tag is one of a repository."""
    headers = {"x-github-event": event, "x-github-delivery": "1"}
    found = GitHub().read(Arrived(headers=headers), content)
    assert all(tag.startswith("gh:") for tag in found.tags)


def test_what_a_wide_tag_needs_is_all_beneath_it() -> None:
    """A read under a repository needs every event."""
    whole = need_of(R)
    assert whole is not None
    assert whole.kinds == EVERY
