"""Folders, the documents and the files in them."""

from dataclasses import dataclass, field

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.projects import DockTool
from trunkline_shared.testing.basecamp.recordings import Attachment, Recording


@dataclass(slots=True, kw_only=True, eq=False)
class Folder(Recording):
    """A vault inside another one."""

    type = "Vault"
    route = "vaults"

    name: str

    @property
    def title(self) -> str:
        return self.name


Vault = DockTool | Folder


@dataclass(slots=True, kw_only=True, eq=False)
class Document(Recording):
    """A document; `content` is HTML."""

    type = "Document"
    route = "documents"

    name: str
    content: str | None = ""
    attachments: list[Attachment] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.name


@dataclass(slots=True, kw_only=True, eq=False)
class Upload(Recording):
    """A file; only images have a width and a height."""

    type = "Upload"
    route = "uploads"

    filename: str
    content_type: str | None = "application/pdf"
    byte_size: int | None = 1024
    width: int | None = None
    height: int | None = None
    description: str | None = ""

    @property
    def title(self) -> str:
        return self.filename


def add_folder(account: Account, vault: Vault, name: str, creator: Person | None) -> Folder:
    """Add a folder to a vault."""
    now = account.times.tick()
    return account.keep(
        Folder(
            id=account.times.next_id(),
            project=vault.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=vault,
            name=name,
        )
    )


def add_document(
    account: Account, vault: Vault, title: str, creator: Person | None, content: str | None = ""
) -> Document:
    """Add a document to a vault; `content` is HTML."""
    now = account.times.tick()
    return account.keep(
        Document(
            id=account.times.next_id(),
            project=vault.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=vault,
            name=title,
            content=content,
        )
    )


def add_upload(account: Account, vault: Vault, filename: str, creator: Person | None) -> Upload:
    """Add a file to a vault."""
    now = account.times.tick()
    return account.keep(
        Upload(
            id=account.times.next_id(),
            project=vault.project,
            creator=creator,
            created_at=now,
            updated_at=now,
            parent=vault,
            filename=filename,
        )
    )
