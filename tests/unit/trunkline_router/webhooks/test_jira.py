"""What Jira's events spoil, under whatever name the mesh has for the site."""

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from trunkline_router.cache.hooks import Lesson
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told, Unproven
from trunkline_router.webhooks.jira import Jira
from trunkline_router.webhooks.proof import prove_signed, signature_in
from trunkline_shared.testing.fake_clock import FakeClock

HOST = "acme.atlassian.net"
ISSUE = {"issue": {"key": "ABC-7", "self": f"https://{HOST}/rest/api/2/issue/10002"}}


def told(
    event: str, content: Mapping[str, Any], sites: Collection[str] = (HOST,), **headers: str
) -> Told:
    """Return what a delivery comes to where the mesh knows these sites."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    vendor = Jira(clock=FakeClock(), sites=lambda: sites)
    return vendor.read(Arrived(headers=given, body=b"x"), {"webhookEvent": event, **content})


@pytest.mark.requirement("webhook.spoils")
@pytest.mark.parametrize(
    "event",
    [
        "jira:issue_created",
        "jira:issue_updated",
        "jira:issue_deleted",
        "comment_created",
        "comment_updated",
        "comment_deleted",
        "issue_property_set",
    ],
)
def test_an_issue_s_event_spoils_it_and_what_finds_it(event: str) -> None:
    """Both lie beneath the site, so that lists of it are spoiled as well."""
    assert told(event, ISSUE).tags == (f"jira:{HOST}:ABC-7", f"jira:{HOST}:search")


@pytest.mark.parametrize(
    "event",
    [
        "worklog_updated",
        "issuelink_created",
        "attachment_created",
        "jira:version_released",
        "sprint_started",
        "board_updated",
        "user_updated",
        "project_updated",
        "something_new",
    ],
)
def test_an_event_that_names_no_issue_spoils_the_site(event: str) -> None:
    """Any issue may show a version, a sprint, a person, or be the other end of a link."""
    assert told(event, {"user": {"self": f"https://{HOST}/x"}}).tags == (f"jira:{HOST}",)


def test_an_issue_that_moved_is_spoiled_under_both_keys() -> None:
    """The change log has the old one."""
    items = [{"field": "Key", "fromString": "OLD-3", "toString": "ABC-7"}, {"field": "status"}]
    tags = told("jira:issue_updated", {**ISSUE, "changelog": {"items": items}}).tags
    assert tags == (f"jira:{HOST}:ABC-7", f"jira:{HOST}:OLD-3", f"jira:{HOST}:search")


@pytest.mark.requirement("webhook.spoils")
@pytest.mark.parametrize(
    ("sites", "content", "expected"),
    [
        ((HOST, "other.example"), ISSUE, (HOST,)),
        (("35273b54",), ISSUE, ("35273b54", HOST)),
        (("jira.internal",), {"issue": {"key": "ABC-7"}}, ("jira.internal",)),
    ],
    ids=["known", "gateway", "no-address"],
)
def test_a_site_goes_by_the_name_that_the_mesh_has_for_it(
    sites: tuple[str, ...], content: Mapping[str, Any], expected: tuple[str, ...]
) -> None:
    """Behind the gateway that is an id, which no delivery says: then any site may be meant."""
    tags = told("jira:issue_updated", content, sites).tags
    assert tags == tuple(f"jira:{site}:{what}" for site in expected for what in ("ABC-7", "search"))


def test_where_no_site_is_known_all_of_jira_is_spoiled() -> None:
    """Its server may not have been listed yet."""
    assert told("jira:issue_updated", ISSUE, ()).tags == ("jira",)


def test_a_project_is_known_by_what_came_of_it() -> None:
    """A webhook may be for some projects only, so nothing is known of the others."""
    assert told("jira:issue_updated", ISSUE).lessons == (
        Lesson(subject=f"jira:{HOST}:ABC", kinds=frozenset({"issue"})),
    )
    assert told("comment_created", ISSUE).lessons == (
        Lesson(subject=f"jira:{HOST}:ABC", kinds=frozenset({"comment"})),
    )
    assert told("sprint_started", {}).lessons == ()


def test_a_delivery_is_named_by_jira_or_by_its_body() -> None:
    """By both: an identifier is unique at one site only. Data Center sends none."""
    vendor = Jira(clock=FakeClock(), sites=tuple)
    ids = [
        vendor.read(Arrived(headers=headers, body=body), {"webhookEvent": "sprint_started"}).id
        for headers in ({"x-atlassian-webhook-identifier": "a1"}, {})
        for body in (b"x", b"y", b"y")
    ]
    assert len(set(ids)) == 4
    assert len(ids[-1]) == 64


def test_a_delivery_without_an_event_makes_no_sense() -> None:
    """Every one of Jira's has one."""
    with pytest.raises(Malformed):
        told("", ISSUE)


@pytest.mark.requirement("webhook.proof")
def test_the_signature_is_atlassian_s_own_example() -> None:
    """The one in the documentation of secure webhooks."""
    header = "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9"
    secret = (b"It's a Secret to Everybody",)
    prove_signed(
        b"Hello World!", signature_in(header, "X-Hub-Signature"), secret, "X-Hub-Signature"
    )
    with pytest.raises(Unproven):
        prove_signed(b"Hello World?", signature_in(header, "h"), secret, "X-Hub-Signature")
