"""Resources, subscriptions, prompts and completion of branch-context through a real client."""

import asyncio
from pathlib import Path
from urllib.parse import quote

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import PromptReference, ResourceTemplateReference, TextContent

from tests.interaction.checkout_client import checkout_client
from trunkline_shared.testing.git_repository import GitRepository, twig_state

pytestmark = pytest.mark.anyio

TREE = "twig://repo/tree"
BRANCHES = "twig://repo/branches"


@pytest.fixture
def stacked(tmp_path: Path) -> GitRepository:
    """main <- feature/login (current), with issue and pull request."""
    made = GitRepository.at(tmp_path)
    made.branch("feature/login", "naïve/🚀")
    made.switch("feature/login")
    made.twig(
        twig_state(
            branches={"feature/login": ("PROJ-1", 41)},
            dependencies=[("feature/login", "main")],
            roots=[("main", True)],
        )
    )
    return made


def context_of(branch: str) -> str:
    """Return the address of a branch's context."""
    return f"twig://branch/{quote(branch, safe='')}/context"


async def test_the_resources_are_listed_with_private_hints(stacked: GitRepository) -> None:
    """Two resources and one template; nobody may share what they hold."""
    async with checkout_client(stacked) as twig:
        resources = await twig.client.list_resources()
        templates = await twig.client.list_resource_templates()
        tree = await twig.client.read_resource(TREE)
    assert [str(each.uri) for each in resources.resources] == [TREE, BRANCHES]
    assert {each.mime_type for each in resources.resources} == {"application/json"}
    assert [each.uri_template for each in templates.resource_templates] == [
        "twig://branch/{name}/context"
    ]
    for result in (resources, templates, tree):
        assert result.cache_scope == "private"
        assert result.ttl_ms is not None
        assert 0 <= result.ttl_ms <= 5000


@pytest.mark.requirement("branch.resources")
async def test_the_tree_and_the_branches_are_read_as_json(stacked: GitRepository) -> None:
    """The same answers as those of the tools."""
    async with checkout_client(stacked) as twig:
        assert await twig.read(TREE) == await twig.ask("get_branch_tree")
        branches = await twig.read(BRANCHES)
        listed = await twig.ask("list_branches")
    assert branches["branches"] == listed["branches"]


async def test_the_context_of_a_branch_degrades_part_by_part(stacked: GitRepository) -> None:
    """Metadata is there; what other servers know is marked as missing, each for itself."""
    async with checkout_client(stacked) as twig:
        answer = await twig.read(context_of("feature/login"))
    assert answer["branch"]["pr_number"] == 41
    for part in ("pull_request", "ci", "jira"):
        assert answer[part]["available"] is False
        assert answer[part]["error_code"] == "UNSUPPORTED"
    assert "41" in answer["pull_request"]["message"]
    assert "PROJ-1" in answer["jira"]["message"]


@pytest.mark.parametrize("name", ["main", "feature/login", "naïve/🚀", "."])
async def test_the_name_in_an_address_is_percent_encoded(stacked: GitRepository, name: str) -> None:
    """Slashes, emoji and the dot for the current branch go through."""
    async with checkout_client(stacked) as twig:
        answer = await twig.read(context_of(name))
    assert answer["branch"]["branch"] == ("feature/login" if name == "." else name)


@pytest.mark.parametrize("name", ["nowhere", "--output=x", "../../etc/passwd", "/etc/passwd"])
async def test_an_address_of_no_branch_is_a_typed_protocol_error(
    stacked: GitRepository, name: str
) -> None:
    """-32602 with our payload as data; nothing is read but git's own list."""
    async with checkout_client(stacked) as twig:
        with pytest.raises(MCPError) as caught:
            await twig.read(context_of(name))
    assert caught.value.error.code == -32602
    assert caught.value.error.data["error_code"] in {"BRANCH_NOT_FOUND", "INVALID_INPUT"}


async def test_a_resource_without_a_repository_says_why(tmp_path: Path) -> None:
    """The same NO_REPOSITORY as from the tools."""
    made = GitRepository.at(tmp_path)
    async with checkout_client(made, repo_path=tmp_path / "home") as twig:
        with pytest.raises(MCPError) as caught:
            await twig.read(TREE)
    assert caught.value.error.data["error_code"] == "NO_REPOSITORY"


async def _updated(client: Client, uris: list[str], change: list[object]) -> set[str]:
    """Subscribe, apply the change, and return the addresses that were announced."""
    announced: set[str] = set()
    async with asyncio.timeout(10), client.listen(resource_subscriptions=uris) as subscription:
        for step in change:
            assert callable(step)
            step()
        async for event in subscription:
            assert isinstance(event, ResourceUpdated)
            announced.add(event.uri)
            if announced == set(uris):
                return announced
    return announced


@pytest.mark.requirement("branch.resources")
async def test_subscribers_hear_of_every_kind_of_change(stacked: GitRepository) -> None:
    """A commit, a switch, a new branch, packing, and a new state are each announced."""
    changes = {
        "commit": lambda: stacked.commit("more"),
        "switch": lambda: stacked.switch("main"),
        "branch": lambda: stacked.branch("another/deep/one"),
        "pack": lambda: stacked.git("pack-refs", "--all"),
        "packed": lambda: stacked.git("update-ref", "-d", "refs/heads/another/deep/one"),
        "state": lambda: stacked.twig(twig_state(branches={"main": (None, 5)})),
    }
    wanted = [TREE, BRANCHES, context_of("main")]
    async with checkout_client(stacked) as twig:
        for change in changes.values():
            assert await _updated(twig.client, wanted, [change]) == set(wanted)


@pytest.mark.requirement("branch.prompts")
async def test_the_prompts_tell_what_is_known_and_what_to_call(stacked: GitRepository) -> None:
    """Facts of the stack and the branch, and the tools for the rest."""
    async with checkout_client(stacked) as twig:
        prompts = (await twig.client.list_prompts()).prompts
        status = (await twig.client.get_prompt("stack-status")).messages[0].content
        context = (await twig.client.get_prompt("branch-context")).messages[0].content
        other = await twig.client.get_prompt("branch-context", {"branch": "main"})
    assert [each.name for each in prompts] == ["stack-status", "branch-context"]
    assert [(a.name, a.required) for a in prompts[1].arguments or []] == [("branch", False)]
    assert isinstance(status, TextContent)
    assert "1. `feature/login` (Jira PROJ-1, pull request #41, current)" in status.text
    assert "2. `main`" in status.text
    assert "get_pr_status" in status.text
    assert isinstance(context, TextContent)
    assert "`get_jira_issue` with issue_key PROJ-1" in context.text
    assert "- branch: main" in repr(other.messages[0].content)


async def test_a_prompt_about_an_unknown_branch_is_a_typed_error(stacked: GitRepository) -> None:
    """The prompt's failure carries our payload."""
    async with checkout_client(stacked) as twig:
        with pytest.raises(MCPError) as caught:
            await twig.client.get_prompt("branch-context", {"branch": "nowhere"})
    assert caught.value.error.data["error_code"] == "BRANCH_NOT_FOUND"


async def test_branch_names_are_completed(stacked: GitRepository) -> None:
    """For the prompt's argument and the template's variable; beginnings first."""
    async with checkout_client(stacked) as twig:
        prompt = await twig.client.complete(
            PromptReference(type="ref/prompt", name="branch-context"),
            {"name": "branch", "value": "FEA"},
        )
        template = await twig.client.complete(
            ResourceTemplateReference(type="ref/resource", uri="twig://branch/{name}/context"),
            {"name": "name", "value": "n"},
        )
        other = await twig.client.complete(
            PromptReference(type="ref/prompt", name="stack-status"),
            {"name": "branch", "value": ""},
        )
    assert prompt.completion.values == ["feature/login"]
    assert template.completion.values == ["naïve/🚀", "feature/login", "main"]
    assert other.completion.values == []
