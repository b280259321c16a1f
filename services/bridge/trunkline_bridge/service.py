"""The bridge, by its names."""

from trunkline_bridge.app import ID, VERSION, open_server
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.service import Service

SERVICE = Service(
    id=ID, container="bridge", version=VERSION, settings=BridgeSettings, open=open_server
)
