"""The stand-in's answers have every field of GitHub's own examples: none is leaner than the real.

What the benchmark counts as the API's tokens are these answers.
"""

import gzip
import json
from collections.abc import Iterator

import aiohttp
import pytest

from bench.tokens.scenario import Scenario, seed
from tests.contract.caller import Caller
from tests.samples import GITHUB_EXAMPLES
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

EXAMPLES = json.loads(gzip.decompress(GITHUB_EXAMPLES.read_bytes()))
NOT_SHOWN = frozenset({
    # What the description calls optional in a repository.
    "allow_auto_merge",
    "allow_forking",
    "allow_merge_commit",
    "allow_rebase_merge",
    "allow_squash_merge",
    "delete_branch_on_merge",
    "git_url",
    "is_template",
    "ssh_url",
    "temp_clone_token",
    "template_repository",
    "topics",
    # Permissions of the example's app, and what only some comments have.
    "contents",
    "single_file",
    "in_reply_to_id",
    "pinned_comment",
})
"""The stand-in leaves these out: what is counted is less than GitHub's, never more."""


@pytest.fixture
def scenario(github: GitHubStandIn) -> Scenario:
    return seed(github.state, "https://3.basecamp.com/1/buckets/2/todos/3")


@pytest.fixture
def agent(github: GitHubStandIn, scenario: Scenario, session: aiohttp.ClientSession) -> Caller:
    """Somebody who may write."""
    return Caller(session=session, base=github.url, token=scenario.demo.token.secret)


@pytest.mark.parametrize("operation", EXAMPLES)
async def test_an_answer_has_the_fields_of_the_example(
    operation: str, agent: Caller, scenario: Scenario
) -> None:
    """Where the example has a value and the stand-in null, nothing can be compared below it."""
    method, _, path = operation.partition(" ")
    pull = scenario.pull.pull
    assert pull is not None
    for name, value in {
        "run_id": scenario.run_id,
        "ref": pull.head_sha,
        "issue_number": scenario.pull.number,
        "pull_number": scenario.pull.number,
        "comment_id": scenario.thread.id,
    }.items():
        path = path.replace(f"{{{name}}}", str(value))
    place = {"path": "src/widgets/screw.py", "line": 53, "commit_id": pull.head_sha}
    body = {
        "body": "Text",
        **(place if path.endswith(f"pulls/{scenario.pull.number}/comments") else {}),
    }
    reply = await agent.ask(
        method.upper(), f"/repos/acme/widgets{path}", body if method == "post" else None
    )
    assert reply.status in {200, 201}, reply.text
    assert [*_missing(EXAMPLES[operation], reply.json)] == []


def _missing(example: object, answer: object, at: str = "") -> Iterator[str]:
    """Yield the places of the example that the answer lacks, in lists the best entry."""
    if isinstance(example, list) and isinstance(answer, list) and answer:
        for one in example:
            yield from min(([*_missing(one, each, f"{at}[]")] for each in answer), key=len)
    elif isinstance(example, dict) and isinstance(answer, dict):
        for key, value in example.items():
            if key in answer:
                yield from _missing(value, answer[key], f"{at}.{key}")
            elif key not in NOT_SHOWN:
                yield f"{at}.{key}"
