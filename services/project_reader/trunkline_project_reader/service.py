"""The project-reader service, by its names."""

from trunkline_project_reader.app import ID, VERSION, open_server
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.service import Service

SERVICE = Service(
    id=ID,
    container="project-reader",
    version=VERSION,
    settings=ProjectReaderSettings,
    open=open_server,
)
