"""What nobody should be able to do to branch-context: names, options, environments, states."""

import asyncio
import json
import os
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.interaction.checkout_client import checkout_client
from trunkline_shared.testing.git_repository import GitRepository, twig_state

pytestmark = pytest.mark.anyio

STRANGE = [
    "naïve/ünïcode",
    "feature/🚀-start",
    "日本/語",
    "a'b\"c",
    "x$(id)>pwned",
    "semi;colon",
]


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """One commit on main."""
    return GitRepository.at(tmp_path)


async def test_names_with_unicode_emoji_and_shell_characters_are_names(
    repository: GitRepository,
) -> None:
    """Each is listed, described, drawn and compared under its own name, and nothing runs."""
    repository.branch(*STRANGE)
    repository.twig(
        twig_state(
            branches={name: ("PROJ-1", at + 1) for at, name in enumerate(STRANGE)},
            dependencies=[(name, "main") for name in STRANGE],
            roots=[("main", True)],
        )
    )
    async with checkout_client(repository) as twig:
        listed = await twig.ask("list_branches")
        tree = await twig.ask("get_branch_tree")
        for at, name in enumerate(STRANGE):
            answer = await twig.ask("get_branch_metadata", branch=name)
            assert (answer["branch"], answer["pr_number"]) == (name, at + 1)
            assert (await twig.ask("get_branch_divergence", branch=name))["ahead"] == 0
            assert f"── {name} (PROJ-1" in tree["tree_text"]
    assert sorted(STRANGE) == [each["branch"] for each in listed["branches"]]
    assert not list(repository.path.glob("*pwned*"))


async def test_a_name_that_hides_characters_is_shown_with_escapes(
    repository: GitRepository,
) -> None:
    """A bidirectional override in a branch's name is visible in every text for a model."""
    name = "safe\u202egnp.exe"
    repository.branch(name)
    repository.switch(name)
    async with checkout_client(repository) as twig:
        tree = await twig.ask("get_branch_tree")
        prompt = await twig.client.get_prompt("branch-context", {})
    assert "safe\\u{202E}gnp.exe" in tree["tree_text"]
    assert "\u202e" not in tree["tree_text"]
    assert "\u202e" not in repr(prompt.messages[0].content)


@pytest.mark.requirement("branch.hostile-names")
@pytest.mark.parametrize(
    "name",
    [
        "-x",
        "--output=pwned",
        "--upload-pack=touch pwned",
        "-cfoo.bar=1",
        "@{-1}",
        "main..other",
        "a b",
        "tab\there",
        "nul\0byte",
        "ends.lock",
        "/leading",
        "trailing/",
        "a//b",
        "star*",
        "HEAD~1",
        "main^{tree}",
        "refs/../../etc/passwd",
    ],
)
async def test_what_is_no_branch_name_never_reaches_git_as_one(
    repository: GitRepository, name: str
) -> None:
    """Option injection and revision syntax: INVALID_INPUT from every tool that takes a branch."""
    before = sorted(repository.path.rglob("*"))
    async with checkout_client(repository) as twig:
        for tool in ("get_branch_metadata", "get_branch_tree", "get_branch_stack"):
            error = await twig.refused(tool, branch=name)
            assert error["error_code"] == "INVALID_INPUT"
        error = await twig.refused("get_branch_divergence", branch="main", base=name)
        assert error["error_code"] == "INVALID_INPUT"
    assert sorted(repository.path.rglob("*")) == before


@pytest.mark.requirement("branch.hostile-names")
async def test_a_real_branch_that_looks_like_an_option_is_a_branch(
    repository: GitRepository,
) -> None:
    """Names starting with a dash: made by plumbing, described like any other."""
    repository.branch("--output=pwned", "-rf")
    async with checkout_client(repository) as twig:
        for name in ("--output=pwned", "-rf"):
            assert (await twig.ask("get_branch_metadata", branch=name))["exists_locally"] is True
            compared = await twig.ask("get_branch_divergence", branch=name, base="main")
            assert compared["ahead"] == 0
        repository.switch("-rf")
        assert (await twig.ask("get_current_branch"))["branch"] == "-rf"
    assert not (repository.path / "pwned").exists()


@pytest.mark.requirement("branch.hostile-names")
async def test_any_text_as_a_branch_is_answered(tmp_path: Path) -> None:
    """Whatever the text, the tools answer a result or one of our errors, and git runs no option."""
    repository = GitRepository.at(tmp_path)
    repository.branch("feature/x")
    before = sorted(repository.path.rglob("*"))
    async with checkout_client(repository) as twig:
        loop = asyncio.get_running_loop()

        async def all_answer(name: str) -> None:
            for tool in ("get_branch_metadata", "get_branch_stack"):
                result = await twig.client.call_tool(tool, {"branch": name})
                body = json.loads(result.content[0].text)  # type: ignore[union-attr] # text only
                if result.is_error:
                    assert body["error_code"] in {"INVALID_INPUT", "BRANCH_NOT_FOUND"}

        texts = st.text(max_size=40) | st.text("-=@{}^~:./ *?[\\" + string.ascii_lowercase)

        @settings(max_examples=60, suppress_health_check=list(HealthCheck))
        @given(name=texts)
        def check(name: str) -> None:
            asyncio.run_coroutine_threadsafe(all_answer(name), loop).result(timeout=20)

        await asyncio.to_thread(check)
    assert sorted(repository.path.rglob("*")) == before


async def test_letter_case_tells_branches_apart(repository: GitRepository) -> None:
    """Where case counts, another case is another branch, offered as the closest name."""
    repository.branch("Feature")
    async with checkout_client(repository) as twig:
        error = await twig.refused("get_branch_metadata", branch="feature")
    assert error["error_code"] == "BRANCH_NOT_FOUND"
    assert error["details"]["close_names"][0] == "Feature"


async def test_where_case_does_not_count_the_other_case_is_the_same_branch(
    repository: GitRepository,
) -> None:
    """Case-insensitive file systems: what git and the state spell differently is one branch.

    Such a file system finds `config` also as `CONFIG`; a link has the same effect.
    """
    (repository.path / ".git" / "CONFIG").symlink_to("config")
    repository.branch("feature/login")
    repository.twig(twig_state(branches={"Feature/Login": ("PROJ-5", 5)}))
    async with checkout_client(repository) as twig:
        described = await twig.ask("get_branch_metadata", branch="feature/login")
        asked_otherwise = await twig.ask("get_branch_metadata", branch="MAIN")
    assert described["pr_number"] == 5
    assert asked_otherwise["branch"] == "main"


async def test_inherited_git_variables_change_nothing(
    repository: GitRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIT_DIR and its like, as a hook would pass them on, are not handed to our git."""
    (tmp_path / "other").mkdir()
    other = GitRepository.at(tmp_path / "other")
    other.switch("elsewhere")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "alias.status")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "!touch pwned")
    async with checkout_client(repository) as twig:
        assert (await twig.ask("get_current_branch"))["branch"] == "main"


async def test_the_repositorys_own_settings_start_no_program(repository: GitRepository) -> None:
    """A file-system monitor, hooks and a pager named by the checkout are never run."""
    trap = repository.path.parent / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {repository.path.parent}/pwned\n", encoding="utf-8")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.hooksPath", "core.sshCommand"):
        repository.git("config", key, str(trap))
    hooks = repository.path / ".git" / "hooks"
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        os.link(trap, hooks / hook)
    repository.path.joinpath("a.txt").write_text("one", encoding="utf-8")
    async with checkout_client(repository) as twig:
        for tool in ("get_current_branch", "get_branch_tree", "get_worktrees", "list_branches"):
            await twig.ask(tool)
    assert not (repository.path.parent / "pwned").exists()
