"""Bringing the mesh up in containers, from whatever state it is in."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from trunkline_cli.containers import credentials
from trunkline_cli.containers.bounds import keep_bounds
from trunkline_cli.containers.docker import Docker, check_engine
from trunkline_cli.containers.images import have_images
from trunkline_cli.containers.mesh_keys import have_observe_key, have_owner_key, owner_revoked
from trunkline_cli.containers.mesh_secrets import (
    REDIS_USERS,
    SIGNING,
    keep_secrets,
    names,
    needs_new_containers,
)
from trunkline_cli.containers.plan import ROOT, Plan, compose_environment, remembered
from trunkline_cli.containers.starting import Project, check_port, read_project, restart, start
from trunkline_cli.containers.state_folder import StateFolder, held, text_of
from trunkline_cli.containers.token_of_gh import token_of_gh
from trunkline_cli.environment import RouterAddress, reachable
from trunkline_cli.failure import CommandFailed
from trunkline_cli.own_access import token_of
from trunkline_cli.router_answers import Json
from trunkline_cli.router_client import RouterClient
from trunkline_shared.settings import load
from trunkline_shared.signing import SigningKeys, SigningSettings

_TOKEN_S = 60.0

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A mesh that runs: what its router says, and where everything is."""

    state: StateFolder
    address: RouterAddress
    status: Json
    missing: Sequence[credentials.Missing]
    revoked: bool


def bring_up(plan: Plan, say: Say) -> Running:
    """Make what is missing, start what is not running. Raises CommandFailed."""
    with held(plan.state, lambda: say(f"waiting for another command in {plan.state} ...")) as state:
        belonging = remembered("" if plan.demo else text_of(state.settings), plan.given)
        docker = Docker(environment=compose_environment(plan, belonging), directory=ROOT)
        check_engine(docker)
        _prepare(state, plan, belonging, say)
        project = read_project(docker, plan.profiles)
        keep_bounds(state, project.bounds)
        check_port(docker, project.router)
        have_images(docker, project.images, say)
        say("starting Redis, the router and its servers ...")
        kept = {name: state.secret(name) for name in names()}
        anew = needs_new_containers(state.unapplied)
        _start(docker, plan, kept.values(), anew=anew, say=say)
        if REDIS_USERS in state.unapplied and not anew:
            restart(docker, "redis")
        state.keep_unapplied(())
        address, local = _addresses(project)
        return Running(
            state=state,
            address=address,
            status=_status(local, address, kept[SIGNING]),
            missing=credentials.missing(lambda name: kept[name], belonging),
            revoked=owner_revoked(state),
        )


def _prepare(state: StateFolder, plan: Plan, belonging: Mapping[str, str], say: Say) -> None:
    """Have every file in the folder."""
    state.keep_settings(json.dumps(belonging, indent=2) + "\n")
    keep_secrets(state, plan.given)
    if not plan.demo and not state.secret(credentials.GITHUB_TOKEN):
        token = token_of_gh(belonging.get("TRUNKLINE_GITHUB_API_URL", ""))
        if token and state.keep_secret(credentials.GITHUB_TOKEN, token):
            say(
                "GITHUB_TOKEN is not set: the token of `gh auth token` is now kept in "
                f"{state.secret_file(credentials.GITHUB_TOKEN)}"
            )
    have_owner_key(state)
    if plan.observability:
        have_observe_key(state)


def _start(docker: Docker, plan: Plan, kept: Iterable[str], *, anew: bool, say: Say) -> None:
    """Start; what containers said of a failure is passed on without the secrets in it."""
    try:
        start(docker, plan.profiles, anew=anew, say=say)
    except CommandFailed as failure:
        text = failure.message
        for secret in sorted(filter(None, kept), key=len, reverse=True):
            text = text.replace(secret, "(secret)")
        raise CommandFailed(text, failure.exit_code) from None


def _addresses(project: Project) -> tuple[RouterAddress, RouterAddress]:
    """Return where clients reach the router, and where this machine does."""
    host, port = project.router.host, project.router.port
    local = RouterAddress(host=host, port=port, url=f"http://{reachable(host)}:{port}")
    return replace(local, url=project.public_url.rstrip("/")), local


def _status(local: RouterAddress, address: RouterAddress, secret: str) -> Json:
    keys = SigningKeys.of(load(SigningSettings, {"secret": secret}))
    token = token_of(keys, address.url, "observe", lifetime_s=_TOKEN_S)
    with RouterClient(replace(local, key=token)) as router:
        return router.get("/status")
