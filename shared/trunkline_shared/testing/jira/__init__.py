"""A stateful stand-in for Jira's REST API, Cloud or Data Center, on a real socket."""

from trunkline_shared.testing.jira.demo import Demo, seed_demo
from trunkline_shared.testing.jira.issues import (
    BLOCKS,
    BUG,
    DONE,
    EPIC,
    IN_PROGRESS,
    RELATES,
    STORY,
    SUBTASK,
    TO_DO,
    Attachment,
    Comment,
    CustomField,
    Issue,
    IssueType,
    Link,
    LinkType,
    Project,
    Status,
    Visibility,
)
from trunkline_shared.testing.jira.people import Token, User
from trunkline_shared.testing.jira.relations import attach, link, move
from trunkline_shared.testing.jira.stand_in import JiraStandIn
from trunkline_shared.testing.jira.state import FlavourName, State

__all__ = [
    "BLOCKS",
    "BUG",
    "DONE",
    "EPIC",
    "IN_PROGRESS",
    "RELATES",
    "STORY",
    "SUBTASK",
    "TO_DO",
    "Attachment",
    "Comment",
    "CustomField",
    "Demo",
    "FlavourName",
    "Issue",
    "IssueType",
    "JiraStandIn",
    "Link",
    "LinkType",
    "Project",
    "State",
    "Status",
    "Token",
    "User",
    "Visibility",
    "attach",
    "link",
    "move",
    "seed_demo",
]
