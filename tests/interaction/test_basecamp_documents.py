"""Reading documents, and the files beside them."""

from collections.abc import AsyncIterator

import orjson
import pytest

from tests.interaction.project_reading import Reading, bound_to, reading
from trunkline_shared.testing.basecamp.files import add_document, add_folder, add_upload
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


@pytest.mark.requirement("basecamp.no-inner-ids")
async def test_documents_are_listed_without_the_id_of_the_vault(here: Reading) -> None:
    """The vault is found in the dock; a text is told by how it begins."""
    vault = here.project.tool("vault")
    html = "<h1>Plan</h1><div>First <strong>this</strong></div>"
    plan = add_document(here.account, vault, "The plan", here.ann, html)
    here.account.add_comment(plan, here.me, "<div>Good</div>")
    answer = await here.call("list_documents", project_id=here.project.id)
    assert answer["vault_id"] == vault.id
    assert answer["items"] == [
        {
            "id": plan.id,
            "title": "The plan",
            "author": {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"},
            "created_at": "2023-11-14T22:13:21Z",
            "updated_at": "2023-11-14T22:13:21Z",
            "url": (
                f"https://3.basecamp.com/{here.account.id}/buckets/{here.project.id}"
                f"/documents/{plan.id}"
            ),
            "excerpt": "Plan First this",
            "comments_count": 1,
        }
    ]


@pytest.mark.requirement("basecamp.title-and-body", "basecamp.attachments")
async def test_a_document_is_read_in_full(here: Reading) -> None:
    """In Markdown, with its files and whom it mentions."""
    html = (
        "<h1>Plan</h1><ul><li>one</li><li>two</li></ul>"
        '<bc-attachment sgid="x" content-type="application/vnd.basecamp.mention">'
        "<figure><figcaption>Robin</figcaption></figure></bc-attachment>"
        '<bc-attachment sgid="sgid-{id}" content-type="application/pdf" filename="a.pdf">'
        "</bc-attachment>"
    )
    file = here.account.attachment("a.pdf", byte_size=2048)
    plan = add_document(here.account, here.project.tool("vault"), "The plan", here.ann)
    plan.content, plan.attachments = html.replace("{id}", str(file.id)), [file]
    answer = await here.call("get_document", project_id=here.project.id, document_id=plan.id)
    assert answer["title"] == "The plan"
    assert answer["content"].startswith("# Plan\n\n- one\n- two")
    assert "@Robin" in answer["content"]
    assert (answer["mentions"], answer["status"]) == (["Robin"], "active")
    (attached,) = answer["attachments"]
    assert (attached["filename"], attached["byte_size"]) == ("a.pdf", 2048)
    assert attached["download_url"].endswith(f"/blobs/{file.id}/download/a.pdf")
    assert attached["download_url"] in answer["content"]


@pytest.mark.requirement("basecamp.no-inner-ids")
async def test_a_folder_can_be_named_though_no_dock_shows_it(here: Reading) -> None:
    """Its documents and its files, not those around it."""
    vault = here.project.tool("vault")
    folder = add_folder(here.account, vault, "Contracts", here.ann)
    add_document(here.account, vault, "Outside", here.ann)
    add_document(here.account, folder, "Inside", here.ann)
    add_upload(here.account, folder, "signed.pdf", here.ann)
    arguments: dict[str, object] = {"project_id": here.project.id, "vault_id": folder.id}
    documents = await here.call("list_documents", **arguments)
    assert [one["title"] for one in documents["items"]] == ["Inside"]
    files = await here.call("list_attachments", **arguments)
    assert [one["filename"] for one in files["items"]] == ["signed.pdf"]
    assert not here.asked("/projects/*")


@pytest.mark.requirement("basecamp.moved")
@pytest.mark.parametrize("tool", ["list_documents", "list_attachments"])
@pytest.mark.parametrize("filled", [True, False])
async def test_a_folder_of_another_project_is_not_found(
    here: Reading,
    tool: str,
    filled: bool,  # noqa: FBT001 - a case
) -> None:
    """Also when nothing is in it; it is named, and nothing that it holds."""
    other = here.account.add_project("Elsewhere")
    folder = add_folder(here.account, other.tool("vault"), "Far", here.ann)
    if filled:
        add_document(here.account, folder, "Away", here.ann)
        add_upload(here.account, folder, "away.pdf", here.ann)
    refused = await here.refused(tool, project_id=here.project.id, vault_id=folder.id)
    assert refused["error_code"] == "NOT_FOUND"
    assert f"vault {folder.id} " in refused["message"]
    assert refused["details"]["found_in"]["project_id"] == other.id


@pytest.mark.requirement("basecamp.moved")
async def test_a_document_of_another_project_is_not_found(here: Reading) -> None:
    """It may have been moved."""
    other = here.account.add_project("Elsewhere")
    far = add_document(here.account, other.tool("vault"), "Far", here.ann)
    refused = await here.refused("get_document", project_id=here.project.id, document_id=far.id)
    assert refused["error_code"] == "NOT_FOUND"
    assert refused["message"] == f"There is no document {far.id} in project {here.project.id}."


@pytest.mark.requirement("basecamp.dock")
@pytest.mark.parametrize("tool", ["list_documents", "list_attachments"])
async def test_a_project_without_a_vault_is_told(here: Reading, tool: str) -> None:
    """With what is enabled instead."""
    here.project.tool("vault").disable()
    refused = await here.refused(tool, project_id=here.project.id)
    assert refused["error_code"] == "TOOL_NOT_ENABLED"
    assert refused["details"]["tool"] == "vault"
    assert "todoset" in refused["details"]["enabled"]


@pytest.mark.requirement("basecamp.attachments")
async def test_a_file_is_listed_with_its_name_kind_size_and_address(here: Reading) -> None:
    """What is written about it is Markdown."""
    logo = add_upload(here.account, here.project.tool("vault"), "logo.png", here.ann)
    logo.content_type, logo.byte_size, logo.width, logo.height = "image/png", 1281, 164, 39
    logo.description = "<div>Our <strong>new</strong> logo</div>"
    answer = await here.call("list_attachments", project_id=here.project.id)
    (entry,) = answer["items"]
    assert entry | {"created_at": "", "updated_at": "", "url": ""} == {
        "id": logo.id,
        "filename": "logo.png",
        "type": "image/png",
        "size": 1281,
        "download_url": (
            f"{here.basecamp.url}/{here.account.id}/buckets/{here.project.id}"
            f"/uploads/{logo.id}/download/logo.png"
        ),
        "url": "",
        "description": "Our **new** logo",
        "author": {"id": here.ann.id, "name": "Ann Author", "email": "ann@example.com"},
        "created_at": "",
        "updated_at": "",
        "comments_count": 0,
    }


@pytest.mark.requirement("basecamp.nulls")
@pytest.mark.parametrize(
    ("tool", "path"),
    [
        ("list_documents", "*/documents.json"),
        ("list_attachments", "*/uploads.json"),
        ("get_document", "*/documents/7.json"),
    ],
)
async def test_what_is_null_is_read(here: Reading, tool: str, path: str) -> None:
    """Everything but the id and the project."""
    names = (
        *("status", "type", "title", "created_at", "updated_at", "app_url", "parent", "creator"),
        *("comments_count", "content", "content_attachments", "description", "position"),
        *("description_attachments", "filename", "content_type", "byte_size", "download_url"),
    )
    nulls = {**dict.fromkeys(names), "id": 7, "bucket": {"id": here.project.id, "name": None}}
    single = tool == "get_document"
    body = orjson.dumps(nulls if single else [nulls]).decode()
    here.basecamp.faults.add(AnswerWith(status=200, body=body), path=path)
    given = {"document_id": 7} if single else {}
    answer = await here.call(tool, project_id=here.project.id, **given)
    assert (answer if single else answer["items"][0])["author"] is None


@pytest.mark.requirement("basecamp.paging")
async def test_more_files_than_three_pages_hold_are_all_listed(here: Reading) -> None:
    """And documents."""
    vault = here.project.tool("vault")
    names = [f"{number}.pdf" for number in range(150)]
    for name in names:
        add_upload(here.account, vault, name, here.ann)
        add_document(here.account, vault, name, here.ann)
    files = await here.everything("list_attachments", project_id=here.project.id)
    assert [one["filename"] for one in files] == names
    documents = await here.call("list_documents", project_id=here.project.id, max_items=149)
    assert [one["title"] for one in documents["items"]] == names[:149]
    assert documents["page_info"]["total_count"] == 150
    rest = await here.call(
        "list_documents", project_id=here.project.id, cursor=documents["page_info"]["next_cursor"]
    )
    assert [one["title"] for one in rest["items"]] == names[149:]


@pytest.mark.requirement("basecamp.bound")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_documents", {}),
        ("list_documents", {"vault_id": 1}),
        ("get_document", {"document_id": 1}),
        ("list_attachments", {}),
        ("list_attachments", {"vault_id": 1}),
    ],
)
async def test_documents_of_another_project_are_out_of_reach(
    here: Reading, tool: str, arguments: dict[str, object]
) -> None:
    """Nothing is asked of Basecamp."""
    other = here.account.add_project("Other")
    refused = await here.refused(
        tool, meta=bound_to(here.project), project_id=other.id, **arguments
    )
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    assert not len(here.basecamp.requests)
