"""The variables that no settings class reads: live secrets, and other programs' own."""

from collections.abc import Sequence
from dataclasses import dataclass

BASECAMP = ("project-reader",)
COMMAND_LINE = ("command line",)
GITHUB = ("GitHub's servers",)
JIRA = ("jira",)
SYNC = "branch-context's sync"
TELEMETRY = ("router", "every server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A row of the reference."""

    name: str
    section: str
    meaning: str
    read_by: Sequence[str]
    default: str = ""
    values: str = "text"
    secret: bool = False
    followed: bool = False
    plain: bool = False
    """Whether it cannot be given as a file."""


def _live(name: str, section: str, read_by: Sequence[str], meaning: str) -> Variable:
    return Variable(
        name=name, section=section, meaning=meaning, read_by=read_by, secret=True, followed=True
    )


ELSEWHERE: Sequence[Variable] = (
    _live(
        "GITHUB_TOKEN",
        "GitHub",
        (*GITHUB, SYNC),
        "A token of GitHub. Without it `GH_TOKEN`, then what `gh auth token` says, then netrc.",
    ),
    _live("GH_TOKEN", "GitHub", GITHUB, "The same, as `gh` knows it."),
    _live(
        "TRUNKLINE_GITHUB_APP_PRIVATE_KEY",
        "GitHub",
        GITHUB,
        "The App's private key, PEM.",
    ),
    _live("BASECAMP_ACCESS_TOKEN", "Basecamp", BASECAMP, "An access token of Basecamp."),
    _live(
        "BASECAMP_REFRESH_TOKEN",
        "Basecamp",
        BASECAMP,
        "Lets the server renew it by itself ([how](basecamp.md#how-its-token-is-renewed)).",
    ),
    _live("BASECAMP_CLIENT_ID", "Basecamp", BASECAMP, "The client that the tokens were made for."),
    _live(
        "BASECAMP_CLIENT_SECRET",
        "Basecamp",
        BASECAMP,
        "Its secret; a client of the device flow has none.",
    ),
    _live("JIRA_USERNAME", "Jira", JIRA, "The user's e-mail address, or a Data Center's user."),
    _live("JIRA_API_TOKEN", "Jira", JIRA, "The user's API token, or a Data Center's password."),
    _live(
        "JIRA_PERSONAL_TOKEN",
        "Jira",
        JIRA,
        "A personal access token of a Data Center, or an OAuth token of Cloud, in their place.",
    ),
    _live(
        "TRUNKLINE_SYNC_TOKEN",
        "The checkout",
        (SYNC,),
        "What the remote asks for; on GitHub's own host `GITHUB_TOKEN` without it.",
    ),
    Variable(
        name="OTEL_EXPORTER_OTLP_HEADERS",
        plain=True,
        section="Traces, metrics and logs",
        meaning="Headers that the collector wants, such as `authorization=Bearer …`.",
        read_by=TELEMETRY,
        values="comma list of `name=value`",
        secret=True,
    ),
    Variable(
        name="OTEL_EXPORTER_OTLP_TIMEOUT",
        plain=True,
        section="Traces, metrics and logs",
        meaning="How long the collector may take.",
        read_by=TELEMETRY,
        default="10",
        values="seconds",
    ),
    Variable(
        name="OTEL_EXPORTER_OTLP_CERTIFICATE",
        plain=True,
        section="Traces, metrics and logs",
        meaning="The certificates that the collector's is checked against.",
        read_by=TELEMETRY,
        values="path",
    ),
    Variable(
        name="OTEL_EXPORTER_OTLP_COMPRESSION",
        plain=True,
        section="Traces, metrics and logs",
        meaning="How what is sent is compressed.",
        read_by=TELEMETRY,
        values="`gzip` or `none`",
    ),
    Variable(
        name="OTEL_SERVICE_NAME",
        plain=True,
        section="Traces, metrics and logs",
        meaning="Another name than the container's.",
        read_by=TELEMETRY,
    ),
    Variable(
        name="OTEL_RESOURCE_ATTRIBUTES",
        plain=True,
        section="Traces, metrics and logs",
        meaning="What else is told of the process, such as `deployment.environment=team`.",
        read_by=TELEMETRY,
        values="comma list of `name=value`",
    ),
    Variable(
        name="TRUNKLINE_API_KEY",
        section="The command line and Compose",
        meaning="The key that is shown to the router; clients' configurations name it, too.",
        read_by=COMMAND_LINE,
        secret=True,
    ),
    Variable(
        name="NO_COLOR",
        plain=True,
        section="The command line and Compose",
        meaning="Anything: no colours in a terminal (https://no-color.org).",
        read_by=COMMAND_LINE,
    ),
    Variable(
        name="TRUNKLINE_STATE",
        section="The command line and Compose",
        meaning="The folder of a mesh in containers: its configuration, secrets and first key.",
        read_by=("`make up`", "compose.yaml"),
        default=".trunkline/compose",
        values="path",
    ),
    Variable(
        name="TRUNKLINE_VERSION",
        plain=True,
        section="The command line and Compose",
        meaning="The tag of the images.",
        read_by=("`make up`", "compose.yaml"),
        default="latest",
    ),
    Variable(
        name="COMPOSE_PROJECT_NAME",
        plain=True,
        section="The command line and Compose",
        meaning="The name of the mesh's containers, networks and volumes; a demo's is "
        "`trunkline-demo`.",
        read_by=("`make up`", "compose.yaml"),
        default="trunkline",
    ),
    Variable(
        name="DOCKER_HOST",
        plain=True,
        section="The command line and Compose",
        meaning="Docker's own: the engine that runs the containers.",
        read_by=("`make up`", "Docker"),
    ),
    Variable(
        name="SSL_CERT_FILE",
        plain=True,
        section="The network",
        meaning="The certificates that those of vendors are checked against; the system's without "
        "it.",
        read_by=("router", "every server"),
        values="path",
    ),
    Variable(
        name="SSL_CERT_DIR",
        plain=True,
        section="The network",
        meaning="The same as a folder.",
        read_by=("router", "every server"),
        values="path",
    ),
)
