"""Cut GitHub's OpenAPI description down to the operations that Trunkline uses.

Usage, from the root of the checkout, with npm at hand:

    npm pack @octokit/openapi@23.0.2
    tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
    python tests/samples/extract_github_openapi.py package/generated/api.github.com.json

The description is under the MIT licence (its `info.license`); the extract keeps that note. It also
leaves out all prose, examples and GitHub's own extensions: the contract is the structure.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

EXTRACT = Path(__file__).with_name("github-openapi.json.gz")  # tests.samples.GITHUB_OPENAPI
PACKAGE = "@octokit/openapi"
OF_REPOSITORY = [
    "/",
    "/actions/jobs/{job_id}",
    "/actions/jobs/{job_id}/logs",
    "/actions/runs",
    "/actions/runs/{run_id}",
    "/actions/runs/{run_id}/attempts/{attempt_number}",
    "/actions/runs/{run_id}/attempts/{attempt_number}/jobs",
    "/actions/runs/{run_id}/cancel",
    "/actions/runs/{run_id}/jobs",
    "/actions/runs/{run_id}/rerun",
    "/actions/runs/{run_id}/rerun-failed-jobs",
    "/actions/workflows",
    "/actions/workflows/{workflow_id}/runs",
    "/branches/{branch}",
    "/branches/{branch}/protection/required_status_checks",
    "/check-runs/{check_run_id}",
    "/check-runs/{check_run_id}/annotations",
    "/commits/{ref}",
    "/commits/{ref}/check-runs",
    "/commits/{ref}/status",
    "/compare/{basehead}",
    "/installation",
    "/issues",
    "/issues/comments/{comment_id}",
    "/issues/comments/{comment_id}/reactions",
    "/issues/comments/{comment_id}/reactions/{reaction_id}",
    "/issues/{issue_number}",
    "/issues/{issue_number}/comments",
    "/issues/{issue_number}/labels",
    "/issues/{issue_number}/labels/{name}",
    "/issues/{issue_number}/reactions",
    "/issues/{issue_number}/reactions/{reaction_id}",
    "/labels",
    "/pulls",
    "/pulls/comments/{comment_id}",
    "/pulls/comments/{comment_id}/reactions",
    "/pulls/comments/{comment_id}/reactions/{reaction_id}",
    "/pulls/{pull_number}",
    "/pulls/{pull_number}/comments",
    "/pulls/{pull_number}/comments/{comment_id}/replies",
    "/pulls/{pull_number}/commits",
    "/pulls/{pull_number}/files",
    "/pulls/{pull_number}/requested_reviewers",
    "/pulls/{pull_number}/reviews",
    "/pulls/{pull_number}/reviews/{review_id}",
    "/pulls/{pull_number}/reviews/{review_id}/comments",
    "/pulls/{pull_number}/reviews/{review_id}/events",
    "/rules/branches/{branch}",
]
ELSEWHERE = [
    "/app",
    "/app/installations/{installation_id}/access_tokens",
    "/meta",
    "/rate_limit",
    "/search/issues",
    "/user",
]
METHODS = frozenset({"delete", "get", "patch", "post", "put"})
PROSE = frozenset({"description", "example", "examples", "externalDocs", "summary", "tags"})
NAMED_BY_USERS = frozenset({"properties", "schemas", "responses", "parameters", "headers"})

Tree = dict[str, "Node"]
Node = Tree | list["Node"] | str | int | float | bool | None


def main(argv: list[str]) -> None:
    """Read the whole description, write the extract."""
    whole: Tree = json.loads(Path(argv[1]).read_text(encoding="utf-8"))
    text = json.dumps(extract(whole), sort_keys=True, separators=(",", ":"))
    EXTRACT.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def extract(whole: Tree) -> Tree:
    """Return the chosen paths with the components that they refer to."""
    paths = _branch(whole, "paths")
    chosen: Tree = {path: _operations(_branch(paths, path)) for path in _wanted()}
    components: Tree = {}
    _add_components(whole, chosen, components)
    info = _branch(whole, "info")
    return {
        "openapi": whole["openapi"],
        "info": {
            "title": info["title"],
            "version": info["version"],
            "license": info["license"],
            "description": f"Extract of {PACKAGE} {info['version']}, generated/api.github.com.json",
        },
        "servers": whole["servers"],
        "paths": chosen,
        "components": components,
    }


def _wanted() -> Iterator[str]:
    for path in OF_REPOSITORY:
        yield f"/repos/{{owner}}/{{repo}}{path}".rstrip("/")
    yield from ELSEWHERE


def _operations(item: Tree) -> Tree:
    return {method: _structure(one) for method, one in item.items() if method in METHODS}


def _structure(node: Node, *, names: bool = False) -> Node:
    """Return a node without its prose; with `names`, its keys are names and all of them stay."""
    if isinstance(node, list):
        return [_structure(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _structure(one, names=key in NAMED_BY_USERS and not names)
        for key, one in node.items()
        if names or not (key in PROSE or key.startswith("x-"))
    }


def _add_components(whole: Tree, node: Node, into: Tree) -> None:
    for reference in _references(node):
        _, _, family, name = reference.split("/")
        members = into.setdefault(family, {})
        assert isinstance(members, dict)
        if name not in members:
            found = _branch(_branch(whole, "components"), family)[name]
            members[name] = _structure(found)
            _add_components(whole, members[name], into)


def _references(node: Node) -> Iterator[str]:
    if isinstance(node, list):
        for one in node:
            yield from _references(one)
    elif isinstance(node, dict):
        for key, one in node.items():
            if key == "$ref" and isinstance(one, str):
                yield one
            else:
                yield from _references(one)


def _branch(tree: Tree, key: str) -> Tree:
    branch = tree[key]
    assert isinstance(branch, dict)
    return branch


if __name__ == "__main__":
    main(sys.argv)
