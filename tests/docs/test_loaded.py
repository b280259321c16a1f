"""What a reader copies into a file is taken by the program that reads that file."""

from pathlib import Path

import pytest

from tests.docs.loading import KINDS, load
from tests.docs.marks import mark_of, marked
from tests.docs.pages import Block

REFUSED = {
    "trunkline": "servrs: {}",
    "json": "{'a': 1}",
    "yaml": "a: b: c",
    "toml": "a = b",
    "python": "async with x:",
    "context-urls": "http://127.0.0.1:8470/mcp?nobody=1",
    "promql": "sum(rate(x))",
    "prometheus": "scrape_config: []",
    "redis-acl": "user x on +nothing",
    "compose": "services: {router: {}, other: {}}",
    "kubernetes": "kind: Pod",
    "caddy": "mesh.example {",
    "nginx": "listen 443",
}


def place(block: Block) -> str:
    return block.place


@pytest.mark.requirement("shipping.docs-blocks")
@pytest.mark.parametrize("block", marked("load"), ids=place)
def test_a_block_is_taken_by_what_it_is_for(block: Block, tmp_path: Path) -> None:
    """As it stands, word for word."""
    load(mark_of(block).detail, block, tmp_path)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind in REFUSED])
def test_what_the_program_refuses_fails(kind: str, tmp_path: Path) -> None:
    """And is named with its page and line."""
    block = Block(page="p.md", line=7, language="", text=REFUSED[kind], comment="", fenced=True)
    with pytest.raises(AssertionError, match=r"^p\.md:7: "):
        load(kind, block, tmp_path)
