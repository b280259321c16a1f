"""`trunkline up` where docker answers as a test says: what keeps the mesh down is named."""

import json
import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.interaction.engine_stand_in import EngineStandIn
from tests.redis_arrangements import free_ports
from trunkline_cli.failure import FAILED

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.fixture
def engine(tmp_path: Path) -> EngineStandIn:
    """An engine on which every start fails, for want of a better word."""
    (port,) = free_ports(1)
    made = EngineStandIn.at(tmp_path / "engine", port)
    made.answer("up", err="some words\nthe last word\n", code=1)
    return made


@pytest.mark.requirement("shipping.up-failures")
async def test_without_docker_the_way_to_it_is_told(engine: EngineStandIn) -> None:
    """And the way without it."""
    done = await engine.up(PATH="/nowhere")
    assert done.code == FAILED
    assert "docker is not on PATH" in done.err
    assert "make run" in done.err
    assert "Traceback" not in done.err


@pytest.mark.requirement("shipping.up-failures")
@pytest.mark.parametrize(
    ("complaint", "fix"),
    [
        ("Cannot connect to the Docker daemon at unix:///x. Is it running?", "Start it"),
        ("permission denied while trying to connect to the socket", "group docker"),
    ],
)
async def test_an_engine_that_does_not_answer_is_named(
    engine: EngineStandIn, complaint: str, fix: str
) -> None:
    """With what docker says of it, where it is, and what mends it."""
    engine.answer("engine", err=complaint, code=1)
    done = await engine.up(DOCKER_HOST="unix:///x")
    assert done.code == FAILED
    assert complaint in done.err
    assert "DOCKER_HOST=unix:///x" in done.err
    assert fix in done.err


@pytest.mark.requirement("shipping.up-failures")
@pytest.mark.parametrize("version", ["2.19.1", "v2.3.3", "1.29.2"])
async def test_a_compose_that_is_too_old_is_named(engine: EngineStandIn, version: str) -> None:
    """With its version and the one that is needed."""
    engine.answer("version", out=version)
    done = await engine.up()
    assert done.code == FAILED
    assert version in done.err
    assert "2.20 or newer" in done.err


@pytest.mark.requirement("shipping.up-failures")
async def test_a_docker_without_compose_is_told_apart(engine: EngineStandIn) -> None:
    """The plugin is a package of its own."""
    engine.answer("version", err="docker: 'compose' is not a docker command.", code=1)
    done = await engine.up()
    assert done.code == FAILED
    assert "docker has no `compose`" in done.err


@pytest.mark.requirement("shipping.up-failures")
async def test_a_port_that_is_taken_is_named_with_another(engine: EngineStandIn) -> None:
    """Before anything is started."""
    with socket.create_server(("127.0.0.1", engine.port)):
        done = await engine.up()
    assert done.code == FAILED
    assert f"port {engine.port} on 127.0.0.1 is taken" in done.err
    assert f"TRUNKLINE_PORT={engine.port + 1}" in done.err
    assert not any(" up " in line for line in engine.told)


async def test_our_own_router_may_have_the_port(engine: EngineStandIn) -> None:
    """Starting again is no conflict."""
    engine.answer("port", out=f"127.0.0.1:{engine.port}")
    with socket.create_server(("127.0.0.1", engine.port)):
        done = await engine.up()
    assert "the last word" in done.err


@pytest.mark.requirement("shipping.up-failures")
async def test_an_image_that_cannot_be_built_ends_it(engine: EngineStandIn) -> None:
    """With the way to try that alone."""
    engine.answer("images", err="Error: No such image: trunkline/router:latest", code=1)
    engine.answer("build", err="E: Unable to fetch some archives", code=100)
    done = await engine.up()
    assert done.code == FAILED
    assert "building trunkline/router:latest: this takes some minutes" in done.out
    assert "`make images` tries it again" in done.err
    assert not any(" up " in line for line in engine.told)


@pytest.mark.requirement("shipping.up-failures")
async def test_an_image_that_cannot_be_fetched_is_named(engine: EngineStandIn) -> None:
    """Redis is not ours to build."""
    engine.answer("images", err="Error: No such image: redis:8-alpine", code=1)
    engine.answer("pull", err="no route to host", code=1)
    done = await engine.up()
    assert done.code == FAILED
    assert "the image redis:8-alpine cannot be fetched" in done.err


@pytest.mark.requirement("shipping.up-failures")
async def test_a_container_that_is_not_well_is_named_with_its_last_words(
    engine: EngineStandIn,
) -> None:
    """Those before the router's, without a secret that they hold, and with what its probe found."""
    engine.answer("up", code=1, err="dependency failed to start")
    engine.answer("ps", out="1 2 3 4")
    found = [
        container("router", status="running", health="unhealthy"),
        container("issues", status="exited", exit_code=1),
        container("redis-volume", status="exited"),
        container("redis", status="running", health="healthy"),
    ]
    engine.answer("inspect", out=json.dumps(found))
    engine.answer("logs", out=f"cannot start with {SECRET}\n$(cat $TRUNKLINE_STATE/secrets/secret)")
    done = await engine.up(GITHUB_TOKEN=SECRET)
    assert done.code == FAILED
    named = [line for line in done.err.splitlines() if "the container of" in line]
    assert "issues ended with exit code 1" in named[0]
    assert "router is unhealthy" in named[1]
    assert len(named) == 2
    assert "cannot start with (secret)" in done.err
    assert "its probe: connection refused" in done.err
    assert "docker logs the-id-of-is" in done.err
    signing = (engine.state / "secrets" / "secret").read_text(encoding="utf-8")
    assert signing not in done.err + done.out
    assert SECRET not in done.err + done.out


@pytest.mark.requirement("shipping.up-failures")
async def test_a_container_that_ends_after_its_start_is_not_waited_for(
    engine: EngineStandIn,
) -> None:
    """It will not get well by itself."""
    engine.answer("up")
    engine.answer("ps", out="1")
    engine.answer("inspect", out=json.dumps([container("jira", status="exited", exit_code=78)]))
    engine.answer("logs", out="JIRA_HOST=??: not a host")
    done = await engine.up()
    assert done.code == FAILED
    assert "the container of jira ended with exit code 78" in done.err
    assert "JIRA_HOST=??: not a host" in done.err


@pytest.mark.requirement("shipping.up-failures")
async def test_an_engine_that_is_lost_while_containers_start_is_named(
    engine: EngineStandIn,
) -> None:
    """It has no containers any more, which does not mean that all of them are well."""
    engine.answer("up")
    engine.answer("ps", err="Cannot connect to the Docker daemon", code=1)
    done = await engine.up()
    assert done.code == FAILED
    assert "no longer tells of its containers: Cannot connect to the Docker daemon" in done.err


@pytest.mark.requirement("shipping.up-failures")
async def test_what_compose_cannot_do_is_said_in_its_own_words(engine: EngineStandIn) -> None:
    """Without a container to blame."""
    done = await engine.up()
    assert done.code == FAILED
    assert "docker compose could not start the mesh: the last word" in done.err


@pytest.mark.requirement("shipping.up-credentials")
async def test_no_credential_is_shown_or_handed_to_docker(engine: EngineStandIn) -> None:
    """It is in a file of the folder, from then on without its variable."""
    done = await engine.up(GITHUB_TOKEN=SECRET, JIRA_API_TOKEN=SECRET, JIRA_HOST="acme.test")
    for shown in (done.out, done.err, engine.environment, *engine.told):
        assert SECRET not in shown
    await engine.up()
    file = engine.state / "secrets" / "github_token"
    assert file.read_text(encoding="utf-8") == SECRET
    assert stat.S_IMODE(file.stat().st_mode) == 0o444
    assert "JIRA_HOST=acme.test" in engine.environment


@pytest.mark.requirement("shipping.up-credentials")
async def test_the_token_of_gh_is_taken_when_there_is_no_other(engine: EngineStandIn) -> None:
    """And goes before nothing that was given."""
    gh = engine.folder / "bin" / "gh"
    gh.write_text('#!/bin/sh\n[ "$4" = github.com ] && echo gho_of_gh\n', encoding="utf-8")
    gh.chmod(0o755)
    file = engine.state / "secrets" / "github_token"
    done = await engine.up()
    assert file.read_text(encoding="utf-8") == "gho_of_gh"
    assert f"the token of `gh auth token` is now kept in {file}" in done.out
    assert "gho_of_gh" not in done.out + done.err
    await engine.up(GITHUB_TOKEN=SECRET)
    await engine.up()
    assert file.read_text(encoding="utf-8") == SECRET


@pytest.mark.requirement("shipping.up-demo")
async def test_the_demo_takes_nothing_of_its_caller(engine: EngineStandIn) -> None:
    """Its tokens are its own, whatever the caller has."""
    gh = engine.folder / "bin" / "gh"
    gh.write_text(f"#!/bin/sh\necho {SECRET}\n", encoding="utf-8")
    gh.chmod(0o755)
    await engine.up("--demo", GITHUB_TOKEN=SECRET, BASECAMP_REFRESH_TOKEN=SECRET)
    secrets = {file.name: file.read_text(encoding="utf-8") for file in secret_files(engine)}
    assert SECRET not in secrets.values()
    assert secrets["github_token"] == secrets["jira_api_token"] == "demo-token"
    assert any("--profile=demo" in line for line in engine.told)


@pytest.mark.requirement("shipping.up-twice")
async def test_a_start_that_failed_keeps_its_keys_for_the_next(engine: EngineStandIn) -> None:
    """Whoever has copied one may go on with it."""
    await engine.up()
    before = {file: file.read_text(encoding="utf-8") for file in secret_files(engine)}
    shown = (engine.state / "api-key").read_text(encoding="utf-8")
    await engine.up()
    assert {file: file.read_text(encoding="utf-8") for file in secret_files(engine)} == before
    assert (engine.state / "api-key").read_text(encoding="utf-8") == shown


@pytest.mark.requirement("shipping.up-twice")
async def test_a_changed_secret_reaches_its_containers_after_a_start_that_failed(
    engine: EngineStandIn,
) -> None:
    """They are made anew until a start was good, and not once more."""
    await engine.up()
    engine.answer("up")
    await engine.up()
    await engine.up()
    engine.answer("pull", code=1)
    engine.answer("images", err="Error: No such image: redis:8-alpine", code=1)
    await engine.up(TRUNKLINE_MESH_KEY="another-key-of-the-mesh")
    engine.answer("images")
    await engine.up()
    starts = [line for line in engine.told if " up " in line]
    assert ["--force-recreate" in line for line in starts] == [True, True, False, True]


async def test_down_ends_every_profile_and_keeps_the_keys(engine: EngineStandIn) -> None:
    """Volumes only when it is told so."""
    await engine.up()
    done = await engine.run("down")
    assert done.code == 0, done.err
    assert engine.told[-1] == "compose --profile=* down --remove-orphans"
    assert f"stay in {engine.state}" in done.out
    assert (engine.state / "api-key").is_file()
    await engine.run("down", "--volumes")
    assert engine.told[-1].endswith(" --volumes")
    engine.answer("down", err="no permission", code=1)
    failed = await engine.run("down")
    assert failed.code == FAILED
    assert "could not end the mesh: no permission" in failed.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_a_folder_of_another_user_is_named(engine: EngineStandIn) -> None:
    """A start with sudo leaves it to root."""
    engine.state.mkdir(mode=0o500)
    done = await engine.up()
    assert done.code == FAILED
    assert f"{engine.state}" in done.err
    assert "run this as its owner" in done.err


def container(service: str, *, status: str, health: str = "", exit_code: int = 0) -> Any:
    """Return what the engine tells of a container."""
    log = [{"ExitCode": 1, "Output": "connection refused"}]
    state = {"Status": status, "ExitCode": exit_code, "Health": {"Status": health, "Log": log}}
    labels = {"com.docker.compose.service": service}
    told = {"Id": f"the-id-of-{service}", "State": state, "RestartCount": 0}
    return told | {"Config": {"Labels": labels}}


def secret_files(engine: EngineStandIn) -> list[Path]:
    """Return the files of all secrets."""
    return sorted((engine.state / "secrets").iterdir())
