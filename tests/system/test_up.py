"""`trunkline up` with a real engine: from nothing, again, twice at once, and its end."""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.system.engine import ROOT, docker
from tests.system.mesh_in_containers import SERVERS, MeshInContainers
from tests.system.starting import UP_S, environment, trunkline
from trunkline_cli.containers.plan import compose_environment, plan
from trunkline_cli.demo import EXAMPLES, OWNER, REPOSITORY

pytestmark = pytest.mark.timeout(600)

ANOTHER_USER = 12_345


@dataclass(frozen=True, kw_only=True)
class Bare:
    """A mesh without a credential, in a checkout of another user; what starting it said."""

    env: Mapping[str, str]
    said: str

    @property
    def key_file(self) -> Path:
        return Path(self.env["TRUNKLINE_STATE"]) / "api-key"

    @property
    def ids(self) -> set[str]:
        """The ids of all containers that run: a new one in the place of another has a new one."""
        label = f"label=com.docker.compose.project={self.env['COMPOSE_PROJECT_NAME']}"
        return set(docker("ps", "--quiet", "--no-trunc", "--filter", label).split())

    def call(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of the newcomer, who has exported the key."""
        key = self.key_file.read_text(encoding="utf-8").strip()
        return subprocess.run(
            [sys.executable, "-m", "trunkline_cli", *words],
            env={**self.env, "TRUNKLINE_API_KEY": key},
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bare]:
    """Run the mesh of a newcomer who has nothing."""
    folder = tmp_path_factory.mktemp("bare")
    env = {**environment(folder), "HOME": str(folder)}
    if os.geteuid() == 0:
        given_away(folder / "checkout")
    try:
        yield Bare(env=env, said=trunkline("up", env=env))
    finally:
        trunkline("down", "--volumes", env=env)


def given_away(folder: Path) -> None:
    """Let all of a folder belong to another user."""
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, ANOTHER_USER, ANOTHER_USER)


@pytest.mark.requirement("shipping.up-ready")
def test_a_newcomer_is_told_all_that_a_client_needs(bare: Bare) -> None:
    """Servers, addresses, where the key is, what to paste, what is missing, and how it ends."""
    url = f"http://127.0.0.1:{bare.env['TRUNKLINE_PORT']}"
    ready = re.findall(r"ready +(\S+) \(\d+ tools\)", bare.said)
    assert set(ready) == set(SERVERS)
    for told in (
        f"at {url}/mcp",
        f"Dashboard: {url}/",
        f"Key: {bare.key_file}",
        f'export TRUNKLINE_API_KEY="$(cat {bare.key_file})"',
        f"claude mcp add --transport http trunkline {url}/mcp",
        "Set GITHUB_TOKEN and run `make up` again",
        "make down",
    ):
        assert told in bare.said, told
    assert bare.key_file.read_text(encoding="utf-8").strip() not in bare.said


@pytest.mark.requirement("shipping.up-credentials")
@pytest.mark.parametrize(
    ("call", "variable"),
    [
        ("github_comment.list_comments owner=a repo=b issue_number=1", "GITHUB_TOKEN"),
        ("basecamp.list_projects", "BASECAMP_ACCESS_TOKEN"),
        ("jira.get_jira_issue issue_key=WID-2", "JIRA_HOST"),
    ],
)
def test_an_empty_secret_is_none(bare: Bare, call: str, variable: str) -> None:
    """The server runs, and its tools name the variable."""
    done = bare.call("call", *call.split())
    assert done.returncode == 1
    assert "CREDENTIALS_MISSING" in done.stderr
    assert variable in done.stderr


@pytest.mark.requirement("shipping.up-credentials")
@pytest.mark.parametrize("vendor", ["github", "basecamp", "jira"])
def test_an_empty_secret_of_a_webhook_takes_no_delivery(bare: Bare, vendor: str) -> None:
    """Nothing proves one, so there is nobody to deliver to."""
    port = int(bare.env["TRUNKLINE_PORT"])
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as router:
        router.request("POST", f"/webhooks/{vendor}", body="{}")
        answer = router.getresponse()
        assert answer.status == http.client.NOT_FOUND
        assert f"TRUNKLINE_{vendor.upper()}_WEBHOOK_SECRET" in answer.read().decode()


@pytest.mark.requirement("shipping.up-checkout")
def test_a_checkout_of_another_user_is_read(bare: Bare) -> None:
    """It is mounted, and neither the container's user owns it nor root."""
    done = bare.call("call", "twig.get_current_branch")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["branch"] == "main"


@pytest.mark.requirement("shipping.up-twice")
def test_starting_again_changes_nothing(bare: Bare) -> None:
    """Neither a key nor a container, and it is done at once; two at once do no harm either."""
    key, before = bare.key_file.read_text(encoding="utf-8"), bare.ids
    began = time.monotonic()
    told = json.loads(trunkline("up", "--json", env=bare.env))
    assert time.monotonic() - began < 60
    assert told["key_file"] == str(bare.key_file)
    assert all(server["available"] for server in told["servers"].values())
    words = [sys.executable, "-m", "trunkline_cli", "up", "--json"]
    both = [
        subprocess.Popen(words, cwd=ROOT, env=dict(bare.env), stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    assert [each.wait(UP_S) for each in both] == [0, 0]
    assert bare.key_file.read_text(encoding="utf-8") == key
    assert bare.ids == before


@pytest.mark.requirement("shipping.up-credentials")
def test_a_token_that_is_given_later_is_used_without_a_restart(bare: Bare) -> None:
    """The servers read it when they need it; GitHub, which nobody reaches from here, is asked."""
    before = bare.ids
    trunkline("up", "--json", env={**bare.env, "JIRA_PERSONAL_TOKEN": "given-later"})
    assert bare.ids == before
    secret = Path(bare.env["TRUNKLINE_STATE"]) / "secrets" / "jira_personal_token"
    assert secret.read_text(encoding="utf-8") == "given-later"
    project = bare.env["COMPOSE_PROJECT_NAME"]
    seen = docker("exec", f"{project}-jira-1", "cat", "/run/secrets/jira_personal_token")
    assert seen == "given-later"


@pytest.mark.requirement("shipping.up-observability")
def test_the_profile_is_one_that_compose_reads(tmp_path: Path) -> None:
    """Its images are not fetched here: what would be started is looked at."""
    env = {**environment(tmp_path), "HOME": str(tmp_path)}
    chosen = plan(env, demo=False, observability=True)
    words = ("compose", *chosen.profiles, "config", "--format", "json")
    services = json.loads(docker(*words, env=compose_environment(chosen, {})))["services"]
    for container in ("router", *SERVERS.values()):
        told = services[container]["environment"]["OTEL_EXPORTER_OTLP_ENDPOINT"]
        assert told == "http://collector:4318"
        assert services[container]["networks"].keys() & services["collector"]["networks"].keys()
    assert services["router"]["environment"]["OTEL_METRICS_EXPORTER"] == "none"
    (key,) = services["prometheus"]["secrets"]
    assert key["source"] == "observe_key"


def demo(mesh: MeshInContainers, *words: str) -> Any:
    """Return what a command prints that is given to the demo, as JSON."""
    env = {**mesh.environment, "TRUNKLINE_API_KEY": mesh.key}
    return json.loads(trunkline(*words, env=env))


@pytest.mark.requirement("shipping.up-demo")
@pytest.mark.parametrize("server", EXAMPLES)
def test_what_the_demo_shows_to_try_works(mesh: MeshInContainers, server: str) -> None:
    """With the key that it made."""
    assert demo(mesh, *EXAMPLES[server].split())


@pytest.mark.requirement("shipping.up-demo")
def test_the_links_in_the_stand_ins_answers_are_followed(mesh: MeshInContainers) -> None:
    """Logs come from another origin; there are more comments than a page holds."""
    named = (f"owner={OWNER}", f"repo={REPOSITORY}")
    status = demo(mesh, "call", "github_ci.get_ci_status", *named, "pr_number=2")
    run = f"run_id={status['runs'][0]['id']}"
    logs = demo(mesh, "call", "github_ci.get_failed_logs", *named, run)
    assert "screws" in str(logs)
    asked = ("call", "github_comment.list_comments", *named, "issue_number=1")
    comments = demo(mesh, *asked, "per_page=5", "page=2")
    assert len(comments["comments"]) == 5
