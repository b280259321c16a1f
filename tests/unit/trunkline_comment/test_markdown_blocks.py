"""What is open at a line."""

import pytest

from trunkline_comment.markdown_blocks import blocks, split_lines


def closing(text: str) -> list[str]:
    """Return what would close the text before each line, and at its end."""
    return [place.close for place in blocks(text).open_before]


def test_lines_end_as_commonmark_says() -> None:
    """A form feed or a Unicode separator ends no line."""
    assert split_lines("a\r\nb\rc\nd\x0ce\u2028f") == ("a\r\n", "b\r", "c\n", "d\x0ce\u2028f")
    assert split_lines("") == ()


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("```py\nx\n```\n", ["", "```\n", "```\n", ""]),
        ("~~~~\nx\n", ["", "~~~~\n", "~~~~\n"]),
        ("```\nx\n\t", ["", "```\n", "```\n", "```\n"]),
        ("```\n> ```\n", ["", "```\n", "```\n"]),
        ("```\n    ```\n", ["", "```\n", "```\n"]),
        ("> ```\n> ```\n", ["", "> ```\n", ""]),
        ("> ```\n> x\n", ["", "> ```\n", "> ```\n"]),
        ("- ```\n  x\n", ["", "  ```\n", "  ```\n"]),
        ("<!-- a\nb -->\n", ["", "-->\n", ""]),
        ("<!-- a\nb\n", ["", "-->\n", "-->\n"]),
        ("<pre>\na\n\nb</pre>\n", ["", "</pre>\n", "</pre>\n", "</pre>\n", ""]),
        ("<PRE class=x>\na\n", ["", "</pre>\n", "</pre>\n"]),
        ("<?php\na\n", ["", "?>\n", "?>\n"]),
        ("<![CDATA[\na\n", ["", "]]>\n", "]]>\n"]),
        ("<!DOCTYPE\na\n", ["", ">\n", ">\n"]),
        ("<details>\n\na\n\n</details>\n", ["", *["\n</details>\n"] * 4, ""]),
        ("a <details> b\n", ["", "\n</details>\n"]),
        ("</details>\n", ["", ""]),
        ("a `<details>` b\n", ["", ""]),
        ("```\n<details>\n```\n", ["", "```\n", "```\n", ""]),
        ("<!-- <details> -->\n", ["", ""]),
        ("`" * 200 + "\nx\n", ["", "", ""]),
    ],
)
def test_what_is_open_is_known_before_every_line(text: str, closed: list[str]) -> None:
    """Fences, comments and details; not what only looks like them."""
    assert closing(text) == closed


def test_a_fence_inside_details_is_closed_first_and_opened_last() -> None:
    """Closing goes from the inside out, opening from the outside in."""
    place = blocks("<details>\n\n```py\nx\n").open_before[-1]
    assert place.close == "```\n\n</details>\n"
    assert place.reopen == "<details open>\n\n```py\n"


def test_code_lines_are_known() -> None:
    """Fenced and indented code, with the fences themselves."""
    assert blocks("a\n\n```\nb\n```\n\n    c\n").code == {2, 3, 4, 6}
