"""Who answers prompts for the bridge, and whether this machine has it."""

import shlex
import shutil
from collections.abc import Iterator

from trunkline_bridge.runners import SAMPLING
from trunkline_bridge.settings import BridgeSettings
from trunkline_cli.checks.finding import Finding
from trunkline_cli.checks.refusal import misconfigured
from trunkline_shared.settings import ConfigurationError, load

ABOUT = "bridge"
VARIABLE = "TRUNKLINE_BRIDGE_RUNNER"


def check_runner() -> Iterator[Finding]:
    """Say of each runner whether it can be started; nothing is."""
    try:
        named = load(BridgeSettings).bridge_runner
    except ConfigurationError as error:
        yield misconfigured(ABOUT, error)
        return
    parts = [part.strip() for part in named.split(",") if part.strip()]
    if not parts:
        yield Finding(
            about=ABOUT,
            level="warn",
            text="no runner is set. query_mcp answers UNSUPPORTED",
            mend=f"set {VARIABLE} to a command such as claude, or to {SAMPLING}",
        )
    for part in parts:
        yield _found(part)


def _found(part: str) -> Finding:
    if part == SAMPLING:
        return Finding(about=ABOUT, level="ok", text="prompts go to the caller's own model")
    program = shlex.split(part)[0]
    place = shutil.which(program)
    if place is None:
        return Finding(
            about=ABOUT,
            level="fail",
            text=f"{VARIABLE} names {program}, which is not on PATH",
            mend=f"install {program}, or name it by its whole path",
        )
    return Finding(about=ABOUT, level="ok", text=f"prompts go to {place}")
