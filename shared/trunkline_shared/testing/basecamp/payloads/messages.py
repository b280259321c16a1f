"""Messages as Basecamp shows them."""

from trunkline_shared.testing.basecamp.payloads.recordings import attachment, commented
from trunkline_shared.testing.basecamp.recordings import Category, Message
from trunkline_shared.testing.basecamp.urls import Urls


def message(of: Message, urls: Urls) -> dict[str, object]:
    """Return a message; one without a category has none at all."""
    return {
        **commented(of, urls),
        "content": of.content,
        "subject": of.subject,
        "content_attachments": [attachment(one, urls) for one in of.attachments],
        "boosts_count": 0,
        **({"category": _category(of.category)} if of.category is not None else {}),
    }


def _category(of: Category) -> dict[str, object]:
    return {"id": of.id, "name": of.name, "icon": of.icon}
