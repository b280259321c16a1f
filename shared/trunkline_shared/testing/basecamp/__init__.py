"""Stateful stand-ins for Basecamp: its API and the server that authorizes its clients."""

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.demo import ACCOUNT_ID, Demo, seed_demo
from trunkline_shared.testing.basecamp.faults import account_limit, rate_limited
from trunkline_shared.testing.basecamp.people import Person, Token
from trunkline_shared.testing.basecamp.projects import DockTool, Project
from trunkline_shared.testing.basecamp.recordings import Comment, Message, Recording
from trunkline_shared.testing.basecamp.stand_in import BasecampStandIn
from trunkline_shared.testing.basecamp.state import State

__all__ = [
    "ACCOUNT_ID",
    "Account",
    "BasecampStandIn",
    "Comment",
    "Demo",
    "DockTool",
    "Message",
    "Person",
    "Project",
    "Recording",
    "State",
    "Token",
    "account_limit",
    "rate_limited",
    "seed_demo",
]
