"""The router as several processes, from its settings to its end."""

import logging
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from pydantic import SecretStr

from trunkline_router.adapters.audit_file import must_be_writable
from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.composition.router import configured
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.worker_count import must_share, workers_of
from trunkline_router.workers.meeting_place import meeting_place
from trunkline_router.workers.orders import Word, line_of
from trunkline_router.workers.place import Place
from trunkline_router.workers.sockets import bound
from trunkline_router.workers.supervisor import Supervisor
from trunkline_router.workers.worker import serve_in
from trunkline_shared import telemetry
from trunkline_shared.leaving import leave
from trunkline_shared.serve import run_until_done
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.settings import StoreSettings

log = logging.getLogger(__name__)


def supervise(settings: RouterSettings, ready: Callable[[], None]) -> int:
    """Run the router's workers until told to end; returns the exit code.

    Raises ConfigurationError, before anything is started.
    """
    workers = workers_of(settings.workers)
    must_share(settings.workers, load(StoreSettings).redis_url.get_secret_value())
    telemetry.set_up_log("router")
    configured(settings)
    must_be_writable(settings.audit_log)
    secret = settings.secret.get_secret_value() or secrets.token_urlsafe(32)

    def read() -> RouterSettings:
        """Read the settings, with the secret that all workers share where nobody has set one."""
        now = load(RouterSettings)
        if settings.secret.get_secret_value() or now.secret.get_secret_value():
            return now
        return now.model_copy(update={"secret": SecretStr(secret)})

    sockets = bound(settings.host, settings.port, workers)
    with meeting_place() as folder:
        supervisor = Supervisor(
            sockets=sockets,
            folder=folder,
            work=lambda place: _work(place, read),
            ready=ready,
        )
        return supervisor.run()


def _work(place: Place, read: Callable[[], RouterSettings]) -> NoReturn:
    """Be a worker, to the end of the process."""
    code = 0
    try:
        # Here and not before the fork: it has threads, and an id that no other process has.
        telemetry.set_up("router", str(OWN_INFO["version"]), part=str(place.number + 1))
        run_until_done(serve_in(place, read(), read))
    except ConfigurationError as error:
        code = 1
        _tell(place.line, str(error))
    except Exception:
        code = 1
        log.exception("worker %d failed", place.number + 1)
    finally:
        telemetry.flush()
    leave(code)


def _tell(line: socket.socket, why: str) -> None:
    with suppress(OSError):
        line.setblocking(True)  # noqa: FBT003 - it has no name
        line.sendall(line_of(Word.UNUSABLE, why))
