"""Each block of README and docs says how it is proved."""

from collections import Counter
from pathlib import Path

import pytest

from tests.docs.marks import UnknownMark, mark_of, marked, run_of
from tests.docs.pages import PAGES, ROOT, Block, blocks_in, blocks_of

SAMPLE = """\
1. First

   <!-- run: demo; exits 2 -->
   ```sh
   trunkline status \\
     --json
   ```

> <!-- output -->
> ~~~~ text
> ```
> ~~~~

| a | b |
|---|---|
| `x` | y |

<!-- parse: needs a cluster: yours -->
```
kubectl get pods
```

- ```json
  {}
  ```

So

    indented
"""


def table() -> str:
    """Say how many blocks of each page are proved in which way."""
    kinds = ("run", "run by", "load", "output of", "parse", "output", "drawing")
    rows = [f"{'':26}" + "".join(f"{kind:>10}" for kind in kinds)]
    for page in PAGES:
        counts = Counter(kind_of(block) for block in blocks_of(page))
        rows.append(f"{page:26}" + "".join(f"{counts[kind]:>10}" for kind in kinds))
    return "\n".join(rows)


def kind_of(block: Block) -> str:
    try:
        return mark_of(block).kind
    except UnknownMark:
        return "none"


@pytest.mark.requirement("shipping.docs-blocks")
@pytest.mark.parametrize("page", PAGES)
def test_each_block_says_how_it_is_proved(page: str) -> None:
    """In a comment that no reader sees; a block without one is named with its line."""
    for block in blocks_of(page):
        try:
            mark = mark_of(block)
            if mark.kind == "run":
                run_of(block)
        except UnknownMark as unknown:
            pytest.fail(f"{unknown}\n\n{table()}", pytrace=False)
        assert block.fenced, f"{block.place}: an indented block is easily one by mistake; fence it"


@pytest.mark.requirement("shipping.docs-blocks")
def test_the_test_of_a_block_names_its_page() -> None:
    """A test that reads another page proves nothing of this one."""
    for block in marked("run by"):
        test = ROOT / mark_of(block).detail
        assert test.is_file(), f"{block.place}: there is no {test}"
        assert Path(block.page).name in test.read_text(encoding="utf-8"), block.place


def test_blocks_are_found_wherever_they_stand() -> None:
    """In a list, in a quotation, with another fence within, behind a table."""
    listed, quoted, parsed, bare, indented = blocks_in("page.md", SAMPLE)
    assert listed.text == "trunkline status \\\n  --json\n"
    assert (listed.line, listed.language) == (4, "sh")
    assert (run_of(listed).scene, run_of(listed).exits) == ("demo", 2)
    assert (quoted.text, quoted.comment, quoted.fenced) == ("```\n", "output", True)
    assert mark_of(parsed).detail == "needs a cluster: yours"
    assert (bare.comment, bare.fenced) == ("", True)
    assert not indented.fenced
    with pytest.raises(UnknownMark, match=r"page\.md:23: no test knows"):
        mark_of(bare)


@pytest.mark.parametrize("comment", ["", "runs", "parse", "parse:", "load", "output: x", "run:"])
def test_a_mark_is_one_of_those_that_there_are(comment: str) -> None:
    """A reason, or a kind, has to be given where one is asked for."""
    (block,) = blocks_in("page.md", f"<!-- {comment} -->\n```\nx\n```\n")
    if comment == "run:":
        assert run_of(block).scene == ""
        return
    with pytest.raises(UnknownMark):
        mark_of(block)
