"""Documents of every kind that Atlassian's schema knows, valid by it, and parts to make more."""

from collections.abc import Mapping

Json = dict[str, object]


def text(words: str, *marks: Json) -> Json:
    return {"type": "text", "text": words} | ({"marks": list(marks)} if marks else {})


def node(kind: str, *content: Json, **attrs: object) -> Json:
    """A node; without attributes it has none, as the schema wants it."""
    found: Json = {"type": kind} | ({"attrs": attrs} if attrs else {})
    return found | ({"content": list(content)} if content else {})


def mark(kind: str, **attrs: object) -> Json:
    return {"type": kind} | ({"attrs": attrs} if attrs else {})


def paragraph(*content: Json | str) -> Json:
    return node("paragraph", *(text(one) if isinstance(one, str) else one for one in content))


def doc(*content: Json) -> Json:
    return {"type": "doc", "version": 1, "content": list(content)}


def item(*content: Json) -> Json:
    return node("listItem", *content)


def table(*rows: list[Json]) -> Json:
    return node("table", *(node("tableRow", *row) for row in rows))


def cell(words: str, kind: str = "tableCell", **attrs: object) -> Json:
    return node(kind, paragraph(words), **attrs)


def media(name: str = "", identifier: str = "m-1", **attrs: object) -> Json:
    alt = {"alt": name} if name else {}
    return node("media", type="file", id=identifier, collection="c", **alt, **attrs)


TASK = node("taskItem", text("buy milk"), localId="t", state="TODO")
EXTENSION = {"extensionKey": "toc", "extensionType": "com.atlassian.macro"}
COLUMN = node("layoutColumn", paragraph("left side"), width=50)

NODES: Mapping[str, tuple[Json, list[str]]] = {
    "doc": (paragraph("whole page"), ["whole page"]),
    "paragraph": (paragraph("some words"), ["some words"]),
    "text": (paragraph("plain *stars*"), ["plain *stars*"]),
    "hardBreak": (paragraph("one", node("hardBreak"), "two"), ["one two"]),
    "heading": (node("heading", text("Chapter"), level=2), ["Chapter"]),
    "bulletList": (node("bulletList", item(paragraph("dot"))), ["dot"]),
    "orderedList": (node("orderedList", item(paragraph("third")), order=3), ["third"]),
    "listItem": (
        node("bulletList", item(paragraph("out"), node("bulletList", item(paragraph("in"))))),
        ["out", "in"],
    ),
    "taskList": (node("taskList", TASK, localId="l"), ["buy milk"]),
    "taskItem": (
        node("taskList", TASK, node("taskList", TASK, localId="m"), localId="l"),
        ["buy milk", "buy milk"],
    ),
    "blockTaskItem": (
        node(
            "taskList",
            node("blockTaskItem", paragraph("first"), paragraph("then"), localId="b", state="DONE"),
            localId="l",
        ),
        ["first", "then"],
    ),
    "decisionList": (
        node(
            "decisionList",
            node("decisionItem", text("ship it"), localId="d", state="DECIDED"),
            localId="l",
        ),
        ["ship it"],
    ),
    "decisionItem": (
        node("decisionList", node("decisionItem", localId="d", state="DECIDED"), localId="l"),
        [],
    ),
    "codeBlock": (
        node("codeBlock", text("if a < b:\n    ```run```()"), language="python"),
        ["if a < b:", "```run```()"],
    ),
    "panel": (node("panel", paragraph("mind the gap"), panelType="warning"), ["mind the gap"]),
    "blockquote": (node("blockquote", paragraph("said she")), ["said she"]),
    "rule": (node("rule"), []),
    "bodiedRule": (node("bodiedRule", paragraph("on the line"), localId="r"), ["on the line"]),
    "expand": (
        node("expand", paragraph("inside"), title="Click here"),
        ["Click here", "inside"],
    ),
    "nestedExpand": (
        node("expand", node("nestedExpand", paragraph("deep"), title="More"), title="Much"),
        ["Much", "More", "deep"],
    ),
    "table": (table([cell("a1"), cell("b1")], [cell("a2"), cell("b2")]), ["a1 b1 a2 b2"]),
    "tableRow": (table([cell("alone")]), ["alone"]),
    "tableHeader": (
        table([cell("Name", "tableHeader"), cell("Age", "tableHeader")], [cell("Ann"), cell("7")]),
        ["Name Age Ann 7"],
    ),
    "tableCell": (
        table([node("tableCell", paragraph("p|q"), node("codeBlock", text("x | y")), colspan=2)]),
        ["p|q", "x | y"],
    ),
    "mention": (paragraph(node("mention", id="5b10", text="@Ann Lee")), ["@Ann Lee"]),
    "emoji": (paragraph(node("emoji", shortName=":tada:", text="🎉")), ["🎉"]),
    "date": (paragraph(node("date", timestamp="1700000000000")), ["2023-11-14"]),
    "status": (paragraph(node("status", text="IN REVIEW", color="blue")), ["IN REVIEW"]),
    "placeholder": (paragraph(node("placeholder", text="Say why")), ["Say why"]),
    "inlineCard": (paragraph(node("inlineCard", url="https://a.b/i")), ["https://a.b/i"]),
    "blockCard": (node("blockCard", url="https://a.b/c"), ["https://a.b/c"]),
    "embedCard": (node("embedCard", url="https://a.b/e", layout="wide"), ["https://a.b/e"]),
    "media": (node("mediaGroup", media("plan.pdf")), ["[attachment: plan.pdf]"]),
    "mediaGroup": (
        node("mediaGroup", media("a.png"), media("b.png")),
        ["[attachment: a.png] [attachment: b.png]"],
    ),
    "mediaSingle": (
        node(
            "mediaSingle",
            node("media", type="external", url="https://a.b/p.png", alt="A cat"),
            layout="center",
        ),
        ["A cat"],
    ),
    "mediaInline": (
        paragraph("see ", node("mediaInline", type="file", id="m-2", collection="c", alt="n.txt")),
        ["see [attachment: n.txt]"],
    ),
    "caption": (
        node("mediaSingle", media("c.png"), node("caption", text("Figure 1")), layout="center"),
        ["[attachment: c.png]", "Figure 1"],
    ),
    "layoutSection": (node("layoutSection", COLUMN, COLUMN), ["left side left side"]),
    "layoutColumn": (node("layoutSection", COLUMN, COLUMN), ["left side left side"]),
    "extension": (node("extension", text="Contents", **EXTENSION), ["extension: toc", "Contents"]),
    "inlineExtension": (
        paragraph(node("inlineExtension", text="42", **EXTENSION)),
        ["extension: toc", "42"],
    ),
    "bodiedExtension": (
        node("bodiedExtension", paragraph("its body"), **EXTENSION),
        ["extension: toc", "its body"],
    ),
    "multiBodiedExtension": (
        node(
            "multiBodiedExtension",
            node("extensionFrame", paragraph("tab one")),
            node("extensionFrame", paragraph("tab two")),
            **EXTENSION,
        ),
        ["extension: toc", "tab one", "tab two"],
    ),
    "extensionFrame": (
        node(
            "multiBodiedExtension", node("extensionFrame", paragraph("one"), paragraph("two")),
            **EXTENSION,
        ),
        ["one", "two"],
    ),
    "syncBlock": (node("syncBlock", resourceId="ari:1", localId="s"), ["synced block: ari:1"]),
    "bodiedSyncBlock": (
        node("bodiedSyncBlock", paragraph("kept copy"), resourceId="ari:2", localId="s"),
        ["synced block: ari:2", "kept copy"],
    ),
}  # fmt: skip
"""A block for each type of node, and what a person must see of it, in this order."""


def _of_paragraph(*marks: Json) -> Json:
    return {**paragraph("marked"), "marks": list(marks)}


MARKS: Mapping[str, Json] = {
    "strong": paragraph(text("marked", mark("strong"))),
    "em": paragraph(text("marked", mark("em"))),
    "code": paragraph(text("marked", mark("code"))),
    "strike": paragraph(text("marked", mark("strike"))),
    "underline": paragraph(text("marked", mark("underline"))),
    "link": paragraph(text("marked", mark("link", href="https://a.b/"))),
    "subsup": paragraph("H", text("marked", mark("subsup", type="sub"))),
    "textColor": paragraph(text("marked", mark("textColor", color="#ff0000"))),
    "backgroundColor": paragraph(text("marked", mark("backgroundColor", color="#ff0000"))),
    "annotation": paragraph(
        text("marked", mark("annotation", id="a", annotationType="inlineComment"))
    ),
    "alignment": _of_paragraph(mark("alignment", align="center")),
    "indentation": _of_paragraph(mark("indentation", level=2)),
    "fontSize": _of_paragraph(mark("fontSize", fontSize="small")),
    "breakout": {
        **node("expand", paragraph("marked"), title="T"),
        "marks": [mark("breakout", mode="wide")],
    },
    "border": node(
        "mediaGroup", {**media("marked"), "marks": [mark("border", size=1, color="#ff0000")]}
    ),
    "fragment": {**table([cell("marked")]), "marks": [mark("fragment", localId="f")]},
    "dataConsumer": {
        **node("extension", text="marked", **EXTENSION),
        "marks": [mark("dataConsumer", sources=["s"])],
    },
}
"""A block for each type of mark, on the word "marked"."""
