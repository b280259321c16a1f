"""`trunkline secrets`: a cluster's secrets, made once and printed for kubectl, and good for use."""

import asyncio
import base64
import json
import os
import pty
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it has no types
import pytest
import redis

from tests.interaction.test_router_process import free_port
from tests.interaction.trunkline_process import COMMAND, Ended, ended, environment, run_to_end
from tests.interaction.wire import get
from tests.redis_process import running_redis
from tests.structure.k8s_rendering import DEV, of_kind, pod_of, workloads
from trunkline_cli.containers.kubernetes_secrets import at
from trunkline_cli.containers.mesh_secrets import names
from trunkline_cli.containers.redis_access import USERS

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("shipping.k8s-secrets")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What the command printed, decoded, and where it keeps it."""

    folder: Path
    objects: list[dict[str, Any]]

    @property
    def secrets(self) -> Mapping[str, str]:
        return self._decoded("secrets")

    @property
    def configuration(self) -> Mapping[str, str]:
        return self._decoded("configuration")

    @property
    def api_key(self) -> str:
        return (self.folder / "api-key").read_text(encoding="utf-8").strip()

    def _decoded(self, name: str) -> Mapping[str, str]:
        (secret,) = (
            each
            for each in self.objects
            if each["kind"] == "Secret" and each["metadata"]["name"] == name
        )
        return {key: base64.b64decode(value).decode() for key, value in secret["data"].items()}


async def run(tmp_path: Path, *words: str, **given: str) -> Ended:
    env = environment(tmp_path, {"GITHUB_TOKEN": "ghp_made-up", **given})
    state = str(tmp_path / "state")
    return await ended("secrets", "--state", state, *words, env=env, cwd=tmp_path)


async def made(tmp_path: Path, *words: str, **given: str) -> Made:
    done = await run(tmp_path, *words, **given)
    assert done.code == 0, done.err
    return Made(folder=tmp_path / "state", objects=json.loads(done.out)["items"])


async def test_one_command_makes_everything_that_a_cluster_keeps_secret(tmp_path: Path) -> None:
    """A namespace and two Secrets, valid, with every key that pods mount."""
    first = await made(tmp_path)
    assert [each["kind"] for each in first.objects] == ["Namespace", "Secret", "Secret"]
    for each in first.objects:
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)
        assert each["metadata"].get("namespace", "trunkline") == "trunkline"
    assert first.secrets.keys() == set(names())
    assert first.secrets["github_token"] == "ghp_made-up"
    assert first.secrets["observe_key"].startswith("tl_prometheus_")
    assert "owner" in first.configuration["trunkline.yaml"]


async def test_run_again_it_prints_the_same_but_for_what_is_new(tmp_path: Path) -> None:
    """A token that is set replaces the one that is kept; nothing of ours is made twice."""
    first = await made(tmp_path)
    again = await made(tmp_path, "--namespace", "elsewhere", GITHUB_TOKEN="ghp_newer")
    assert again.secrets == {**first.secrets, "github_token": "ghp_newer"}
    assert again.configuration == first.configuration
    assert {each["metadata"].get("namespace") for each in again.objects} == {None, "elsewhere"}


async def test_what_is_said_beside_it_holds_no_secret(tmp_path: Path) -> None:
    """Where the key for clients is, and which credential is missing."""
    done = await run(tmp_path, GITHUB_TOKEN="")
    assert f"{tmp_path}/state/api-key" in done.err
    assert "GITHUB_TOKEN" in done.err
    values = (path.read_text().strip() for path in (tmp_path / "state/secrets").iterdir())
    assert not [value for value in values if value and value in done.err]
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700


async def test_a_terminal_is_shown_no_secret(tmp_path: Path) -> None:
    """It would keep them on its screen; the message names the pipe."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *COMMAND,
        *("secrets", "--state", str(tmp_path / "state")),
        env=environment(tmp_path),
        stdout=theirs,
        stderr=asyncio.subprocess.PIPE,
    )
    _, complaint = await process.communicate()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 2
    assert b"kubectl apply" in complaint


async def test_a_redis_elsewhere_is_named_once(tmp_path: Path) -> None:
    """Each member goes there as itself, next time too; what names no Redis is refused."""
    place = "rediss://redis.internal:6380/2"
    here = (await made(tmp_path)).secrets
    moved = (await made(tmp_path, TRUNKLINE_REDIS_URL=place)).secrets
    assert (await made(tmp_path)).secrets == moved
    kept = tmp_path / "state/redis-url"
    assert kept.stat().st_mode & 0o777 == 0o600
    for user in USERS:
        assert moved[user.secret] == at(place, here[user.secret])
        assert moved[user.secret].startswith(f"rediss://{user.name}:")
        assert moved[user.secret].endswith("@redis.internal:6380/2")
    one = "rediss://mesh:pass@redis.internal:6380/2"
    assert (await made(tmp_path, TRUNKLINE_REDIS_URL=one)).secrets["redis_url_comment"] == one
    sentinels = at("redis+sentinel://s1:26379,s2:26379/main", "redis://router:pw@redis:6379/0")
    assert sentinels == "redis+sentinel://router:pw@s1:26379,s2:26379/main"
    refused = await run(tmp_path, TRUNKLINE_REDIS_URL="memcached://x")
    assert (refused.code, "TRUNKLINE_REDIS_URL" in refused.err) == (2, True)
    kept.unlink()
    assert (await made(tmp_path)).secrets == here


async def test_the_cluster_s_redis_starts_with_its_files_and_lets_each_member_in(
    tmp_path: Path,
) -> None:
    """The overlay's redis.conf, the printed users; the probes' commands say how it is."""
    secrets = (await made(tmp_path)).secrets
    with redis_of_the_overlay(secrets) as (socket, pod):
        for user in USERS:
            password = secrets[user.secret].partition("@")[0].rpartition(":")[2]
            client = redis.Redis(unix_socket_path=socket, username=user.name, password=password)
            assert client.ping()
            client.close()
        stranger = redis.Redis(unix_socket_path=socket)
        with pytest.raises(redis.exceptions.NoPermissionError):
            stranger.get("trunkline:1:etag:x")
        stranger.close()
        for kind in ("startup", "readiness", "liveness"):
            program, *words = pod["containers"][0][f"{kind}Probe"]["exec"]["command"]
            done = await run_to_end(
                [program, "-s", socket, *words], env=environment(tmp_path), cwd=tmp_path
            )
            assert (done.code, done.out) == (0, "PONG\n")


@contextmanager
def redis_of_the_overlay(secrets: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Start a Redis with what its pod would be given; the paths are this machine's."""
    (conf,) = (
        each["data"]["redis.conf"]
        for name, each in of_kind(DEV, "ConfigMap").items()
        if name.startswith("redis-")
    )
    options = dict(line.split(maxsplit=1) for line in conf.splitlines() if line and line[0] != "#")
    assert (options.pop("aclfile"), options.pop("dir")) == ("/run/secrets/redis_acl", "/data")
    pod = pod_of(workloads(DEV)["redis"])
    with running_redis() as empty:
        users = empty.folder / "users.acl"
        users.write_text(secrets["redis_acl"], encoding="utf-8")
        told = [word for key, value in options.items() for word in (f"--{key}", value)]
        with running_redis(*told, "--aclfile", str(users)) as server:
            yield str(server.socket), pod


async def test_the_router_starts_with_what_its_pod_is_given(tmp_path: Path) -> None:
    """Its variables and files as rendered; probes are answered to an address, calls to the key."""
    mesh = await made(tmp_path)
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "trunkline_router"),
        env=given_to_the_router(mesh, tmp_path) | {"TRUNKLINE_PORT": str(port)},
        stdout=asyncio.subprocess.DEVNULL,
    )
    address = {"Host": f"10.1.2.3:{port}"}
    key = {"Authorization": f"Bearer {mesh.secrets['observe_key']}"}
    try:
        async with asyncio.timeout(20):
            while not await answers(port):
                await asyncio.wait([asyncio.ensure_future(process.wait())], timeout=0.1)
                assert process.returncode is None
        assert (await get(port, "/metrics", address)).status == 401
        assert (await get(port, "/metrics", address | key)).status == 200
    finally:
        process.kill()
        await process.wait()


def given_to_the_router(mesh: Made, folder: Path) -> dict[str, str]:
    """Return the variables of the router's container, its files written below `folder`."""
    container = pod_of(workloads(DEV)["router"])["containers"][0]
    (settings,) = (
        each["data"] for name, each in of_kind(DEV, "ConfigMap").items() if "settings" in name
    )
    # Of Redis there is none here: each process then keeps for itself.
    for place, files in (
        ("run/secrets", {**mesh.secrets, "redis_url": ""}),
        ("etc/trunkline", mesh.configuration),
    ):
        (folder / place).mkdir(parents=True)
        for name, text in files.items():
            (folder / place / name).write_text(text, encoding="utf-8")
    told = {**settings, **{each["name"]: each["value"] for each in container["env"]}}
    moved = {
        name: str(folder) + value if value.startswith(("/run/", "/etc/")) else value
        for name, value in told.items()
    }
    return {"PATH": os.defpath, "TRUNKLINE_HOST": "0.0.0.0", **moved}  # noqa: S104 - its container's


async def answers(port: int) -> bool:
    """Whether the probe of its pod would be content."""
    try:
        return (await get(port, "/healthz", {"Host": f"10.1.2.3:{port}"})).status == 200
    except OSError:
        return False
