"""The comment service, by its names."""

from trunkline_comment.app import ID, VERSION, open_server
from trunkline_comment.settings import CommentSettings
from trunkline_shared.service import Service

SERVICE = Service(
    id=ID, container="comment", version=VERSION, settings=CommentSettings, open=open_server
)
