"""Cut the examples out of GitHub's OpenAPI description, of the answers that the benchmark reads.

Usage, from the root of the checkout, with npm at hand:

    npm pack @octokit/openapi@23.0.2
    tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
    python tests/samples/extract_github_examples.py package/generated/api.github.com.json

The description is under the MIT licence (its `info.license`).
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

EXTRACT = Path(__file__).with_name("github-examples.json.gz")  # tests.samples.GITHUB_EXAMPLES
OF_REPOSITORY = (
    ("get", "/actions/runs"),
    ("get", "/actions/runs/{run_id}/jobs"),
    ("get", "/commits/{ref}/check-runs"),
    ("get", "/commits/{ref}/status"),
    ("get", "/issues"),
    ("get", "/issues/{issue_number}/comments"),
    ("get", "/pulls"),
    ("get", "/pulls/{pull_number}"),
    ("get", "/pulls/{pull_number}/comments"),
    ("get", "/pulls/{pull_number}/files"),
    ("get", "/pulls/{pull_number}/reviews"),
    ("post", "/issues/{issue_number}/comments"),
    ("post", "/pulls/{pull_number}/comments"),
    ("post", "/pulls/{pull_number}/comments/{comment_id}/replies"),
)


def main(argv: list[str]) -> None:
    """Read the whole description, write the extract."""
    whole = json.loads(Path(argv[1]).read_text(encoding="utf-8"))
    found = {f"{method} {path}": _example(whole, method, path) for method, path in OF_REPOSITORY}
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    EXTRACT.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def _example(whole: dict[str, Any], method: str, path: str) -> object:
    """Return the first example of the operation's first success."""
    operation = whole["paths"][f"/repos/{{owner}}/{{repo}}{path}"][method]
    status = min(operation["responses"])
    examples = operation["responses"][status]["content"]["application/json"]["examples"]
    example = next(iter(examples.values()))
    if "$ref" in example:
        example = whole["components"]["examples"][example["$ref"].rpartition("/")[2]]
    return example["value"]


if __name__ == "__main__":
    main(sys.argv)
