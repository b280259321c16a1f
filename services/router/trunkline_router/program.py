"""The router as a program: alone, in front of servers that run elsewhere."""

import logging
import sys
from collections.abc import Coroutine
from typing import Any

from trunkline_router.app import serve
from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.worker_count import workers_of
from trunkline_router.workers.starting import supervise
from trunkline_shared import telemetry
from trunkline_shared.leaving import leave
from trunkline_shared.serve import run_until_done
from trunkline_shared.settings import ConfigurationError, load

log = logging.getLogger(__name__)


def main() -> None:
    """Run until told to end."""
    code = 0
    try:
        settings = load(RouterSettings)
        if workers_of(settings.workers) > 1:
            code = supervise(settings, lambda: _ready(settings))
        else:
            telemetry.set_up("router", str(OWN_INFO["version"]))
            run_until_done(_serve(settings))
    except ConfigurationError as error:
        sys.exit(f"router: {error}")
    finally:
        telemetry.flush()
    leave(code)


def _serve(settings: RouterSettings) -> Coroutine[Any, Any, None]:
    return serve(settings, ready=lambda: _ready(settings), reread=lambda: load(RouterSettings))


def _ready(settings: RouterSettings) -> None:
    servers = ", ".join(settings.urls)
    log.info("ready at http://%s:%d/mcp for %s", settings.host, settings.port, servers)
