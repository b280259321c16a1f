"""The jira service, by its names."""

from trunkline_jira.app import ID, VERSION, open_server
from trunkline_jira.settings import JiraSettings
from trunkline_shared.service import Service

SERVICE = Service(id=ID, container="jira", version=VERSION, settings=JiraSettings, open=open_server)
