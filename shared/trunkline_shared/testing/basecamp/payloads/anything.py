"""Any recording as Basecamp shows it, whatever its kind."""

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.files import Document, Folder, Upload
from trunkline_shared.testing.basecamp.payloads.files import document, upload, vault
from trunkline_shared.testing.basecamp.payloads.messages import message
from trunkline_shared.testing.basecamp.payloads.recordings import comment, recording
from trunkline_shared.testing.basecamp.payloads.schedule import schedule_entry
from trunkline_shared.testing.basecamp.payloads.todos import step, todo, todolist
from trunkline_shared.testing.basecamp.recordings import Comment, Message, Recording
from trunkline_shared.testing.basecamp.schedule import ScheduleEntry
from trunkline_shared.testing.basecamp.todos import Step, Todo, Todolist
from trunkline_shared.testing.basecamp.urls import Urls


def anything(of: Recording, account: Account, urls: Urls) -> dict[str, object]:
    """Return a recording with all that its kind has."""
    match of:
        case Todo():
            return todo(of, account, urls)
        case Todolist():
            return todolist(of, account, urls)
        case Step():
            return step(of, [of], urls)
        case Message():
            return message(of, urls)
        case _:
            return _simple(of, urls)


def _simple(of: Recording, urls: Urls) -> dict[str, object]:
    match of:
        case Comment():
            return comment(of, urls)
        case Document():
            return document(of, urls)
        case Upload():
            return upload(of, urls)
        case Folder():
            return vault(of, urls)
        case ScheduleEntry():
            return schedule_entry(of, urls)
        case _:
            return recording(of, urls)
