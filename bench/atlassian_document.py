"""A description of a Jira issue as people write them: a document with every usual kind of node."""

from collections.abc import Iterator

NODES = 500

Json = dict[str, object]


def atlassian_document() -> Json:
    """A document of at least NODES nodes, and no more than a section over."""
    content: list[Json] = []
    section = 0
    while sum(count(block) for block in content) < NODES - 1:
        section += 1
        content += _section(section)
    return {"type": "doc", "version": 1, "content": content}


def count(node: Json) -> int:
    """How many nodes a node is with all below it."""
    children = node.get("content", [])
    assert isinstance(children, list)
    return 1 + sum(count(child) for child in children)


def _section(number: int) -> Iterator[Json]:
    link: Json = {"type": "link", "attrs": {"href": f"https://example.com/docs/{number}?q=a_b"}}
    yield _node("heading", _text(f"Step {number}: what *happens* next"), level=2)
    yield _node(
        "paragraph",
        _text("When a customer opens the page, "),
        _text("nothing", {"type": "strong"}),
        _text(" happens; see "),
        _text("the notes", link),
        _text(" of "),
        _node("mention", id="5b10", text="@Ann Lee"),
        _text(" of "),
        _node("date", timestamp="1700000000000"),
        _text(", it is "),
        _node("status", text="IN REVIEW", color="blue"),
    )
    items = [_node("listItem", _node("paragraph", _text(f"Point {n} of a list"))) for n in range(4)]
    yield _node("bulletList", *items, _node("listItem", _node("orderedList", *items, order=3)))
    yield _node("codeBlock", _text("def f(x):\n    return x | 1  # `why`\n" * 6), language="python")
    yield _node("panel", _node("paragraph", _text("Mind the gap <here>")), panelType="warning")
    rows = [[_node("tableCell", _node("paragraph", _text(f"a|b {n}"))) for n in range(3)]] * 3
    yield _node("table", *(_node("tableRow", *row) for row in rows))
    file = _node("media", type="file", id="m-1", collection="c", alt="screen.png")
    yield _node("mediaSingle", file, layout="center")


def _text(text: str, *marks: Json) -> Json:
    return {"type": "text", "text": text, "marks": list(marks)}


def _node(kind: str, *content: Json, **attrs: object) -> Json:
    return {"type": kind, "attrs": attrs, "content": list(content)}
