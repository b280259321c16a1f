"""A stateful stand-in for GitHub's REST API, on a real socket."""

from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.check_runs import (
    Annotation,
    CheckRun,
    CheckSuite,
    CommitStatus,
)
from trunkline_shared.testing.github.ci import ContinuousIntegration
from trunkline_shared.testing.github.conversation import (
    Issue,
    IssueComment,
    Pull,
    Reaction,
    Review,
    ReviewComment,
)
from trunkline_shared.testing.github.demo import Demo, seed_demo
from trunkline_shared.testing.github.faults import (
    LaggingList,
    PrimaryLimit,
    bad_gateway,
    saml_required,
    secondary_limit,
)
from trunkline_shared.testing.github.generated_log import GeneratedLog
from trunkline_shared.testing.github.guard import ContractViolated, Guard
from trunkline_shared.testing.github.log_host import LogHost
from trunkline_shared.testing.github.people import App, Installation, Token, User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.stand_in import GitHubStandIn
from trunkline_shared.testing.github.state import State
from trunkline_shared.testing.github.tracking import Label, Milestone
from trunkline_shared.testing.github.webhooks import Delivery, Hook, Webhooks
from trunkline_shared.testing.github.workflow_runs import Attempt, Job, Step, WorkflowRun
from trunkline_shared.testing.stand_in.faults import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    FailAfterApplying,
    MalformedJson,
    SlowBody,
    SlowFirstByte,
    TruncatedBody,
)
from trunkline_shared.testing.stand_in.gates import Gate, Point
from trunkline_shared.testing.stand_in.log import Received

__all__ = [
    "Annotation",
    "AnswerWith",
    "App",
    "Attempt",
    "ChangedFile",
    "CheckRun",
    "CheckSuite",
    "CommitStatus",
    "ContinuousIntegration",
    "ContractViolated",
    "CutAfterApplying",
    "CutBeforeReading",
    "Delivery",
    "Demo",
    "FailAfterApplying",
    "Gate",
    "GeneratedLog",
    "GitHubStandIn",
    "Guard",
    "Hook",
    "Installation",
    "Issue",
    "IssueComment",
    "Job",
    "Label",
    "LaggingList",
    "LogHost",
    "MalformedJson",
    "Milestone",
    "Point",
    "PrimaryLimit",
    "Pull",
    "Reaction",
    "Received",
    "Repository",
    "Review",
    "ReviewComment",
    "SlowBody",
    "SlowFirstByte",
    "State",
    "Step",
    "Token",
    "TruncatedBody",
    "User",
    "Webhooks",
    "WorkflowRun",
    "bad_gateway",
    "saml_required",
    "secondary_limit",
    "seed_demo",
]
