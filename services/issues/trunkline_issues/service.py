"""The issues service, by its names."""

from trunkline_issues.app import ID, VERSION, open_server
from trunkline_issues.settings import IssuesSettings
from trunkline_shared.service import Service

SERVICE = Service(
    id=ID, container="issues", version=VERSION, settings=IssuesSettings, open=open_server
)
