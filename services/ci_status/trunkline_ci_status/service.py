"""The ci-status service, by its names."""

from trunkline_ci_status.app import ID, VERSION, open_server
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_shared.service import Service

SERVICE = Service(
    id=ID, container="ci-status", version=VERSION, settings=CiStatusSettings, open=open_server
)
