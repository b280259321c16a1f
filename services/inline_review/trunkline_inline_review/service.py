"""The inline-review service, by its names."""

from trunkline_inline_review.app import ID, VERSION, open_server
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_shared.service import Service

SERVICE = Service(
    id=ID,
    container="inline-review",
    version=VERSION,
    settings=InlineReviewSettings,
    open=open_server,
)
