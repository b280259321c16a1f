"""The data of the demo: an account with a project that is about to launch, the same each time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.demo_content import (
    Cast,
    chatter,
    files_and_documents,
    messages,
    milestones,
    todos,
)
from trunkline_shared.testing.basecamp.people import Token
from trunkline_shared.testing.basecamp.projects import Project
from trunkline_shared.testing.basecamp.state import State
from trunkline_shared.testing.basecamp.times import Times
from trunkline_shared.testing.fake_clock import FakeClock

BEGIN = datetime(2023, 10, 2, 9, 0, tzinfo=UTC)
ACCOUNT_ID = 5_017_001


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What the demo consists of; `token` sees all of it."""

    account: Account
    token: Token
    project: Project


def seed_demo(state: State) -> Demo:
    """Fill an empty state with one account: two active projects and an archived one."""
    state.times = Times(clock=FakeClock(BEGIN.timestamp()))
    account = state.add_account("Acme", ACCOUNT_ID)
    cast = Cast(
        demo=account.add_person("Dana Demo", title="Developer"),
        alice=account.add_person("Alice Archer", title="Product"),
        bob=account.add_person("Bob Barker", title="Design"),
        bot=account.add_person("Widgets CI", kind="Integration"),
        client=account.add_person("Carla Customer", kind="Client"),
        gone=account.add_person("Grace Gone", kind="Tombstone"),
    )
    project = account.add_project("Widgets launch", "Everything until widgets 2.0 is out")
    account.add_tool(project, "vault", "Press kit")
    messages(account, project, cast)
    todos(account, project, cast)
    files_and_documents(account, project, cast)
    chatter(account, project, cast)
    milestones(account, project, cast, BEGIN + timedelta(days=14))
    account.add_project("Office", None).tool("chat").disable()
    account.add_project("Widgets 1.0", "Out since last year").status = "archived"
    return Demo(account=account, token=state.add_token(cast.demo, "demo"), project=project)
