"""Ending the mesh in containers."""

from collections.abc import Callable

from trunkline_cli.containers.docker import Docker, check_engine
from trunkline_cli.containers.plan import ROOT, Plan, compose_environment
from trunkline_cli.containers.state_folder import held
from trunkline_cli.failure import CommandFailed


def take_down(plan: Plan, say: Callable[[str], None], *, volumes: bool) -> None:
    """End the containers of every profile; with `volumes`, delete their data.

    Raises CommandFailed.
    """
    with held(plan.state, lambda: say(f"waiting for another command in {plan.state} ...")):
        docker = Docker(environment=compose_environment(plan, {}), directory=ROOT)
        check_engine(docker)
        say("ending the containers: calls underway may finish ...")
        options = ("--volumes",) if volumes else ()
        ended = docker.compose("--profile=*", "down", "--remove-orphans", *options)
        if ended.code != 0:
            raise CommandFailed(f"docker compose could not end the mesh: {ended.last_words}")
