"""Documents at random, made of what is hard to write."""

import string

from hypothesis import strategies as st

from trunkline_shared.markdown.document import (
    Block,
    Break,
    Cell,
    Code,
    CodeBlock,
    Emphasis,
    Heading,
    Image,
    Inline,
    Item,
    Link,
    List,
    Paragraph,
    Quote,
    Rule,
    Strike,
    Strong,
    Table,
    Tagged,
    Text,
)

SNIPPETS = (
    *("http://a.b/c_d", "https://x.y/a*b_", "www.a.b/_c*", "ftp://z", "a@b.c", "<a@b.c>", "://"),
    *("&amp;", "&#35;", "&copy", "<b>", "</p>", "<!-- ", "<?", "<http://q>", "<br>"),
    *("1. ", "2) ", "- ", "+ ", "* ", "# ", "## ", "> ", "---", "===", "***", "```", "~~~", "    "),
    *(
        "| a |",
        "|-|",
        "--- | ---",
        ":-:",
        "[x] ",
        "[ ] ",
        "[!NOTE]",
        "[^1]: n",
        "[a]: /u",
        "[a](b)",
    ),
    *("![i](j)", "**b**", "_e_", "snake_case", "__init__", "~~s~~", "`c`", "\\", "\\|", "\\\\"),
    *(
        "「強」",
        "é",
        "\N{EURO SIGN}",
        "\U0001f600",
        "\u3000",
        "\xa0",
        "\u2028",
        "\x85",
        "word",
        "。",
    ),
)
texts = st.lists(
    st.one_of(
        st.sampled_from(SNIPPETS),
        st.text(alphabet=string.punctuation + " \n\tab1", max_size=4),
        st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cn", "Co")),
    ),
    max_size=5,
).map("".join)
codes = st.text(alphabet="`a|\\ \n\t<&*_~", max_size=8)
urls = st.builds(
    "{}{}".format,
    st.sampled_from(("http://a.b/", "https://", "mailto:", "/", "#", "x-y:")),
    st.text(alphabet="ab()<>[]\\&;*_`| \"'%é|!", min_size=1, max_size=6),
)


def _marks(children: st.SearchStrategy[tuple[Inline, ...]]) -> st.SearchStrategy[Inline]:
    return st.one_of(
        st.builds(Strong, children),
        st.builds(Emphasis, children),
        st.builds(Strike, children),
        st.builds(Tagged, st.sampled_from(("sub", "sup", "ins")), children),
    )


_atoms: st.SearchStrategy[Inline] = st.one_of(
    st.builds(Text, texts),
    st.builds(Text, texts),
    st.builds(Code, codes),
    st.builds(Image, urls, texts),
    st.just(Break()),
)
unlinked = st.recursive(
    st.lists(_atoms, max_size=4).map(tuple),
    lambda children: st.lists(st.one_of(_atoms, _marks(children)), max_size=4).map(tuple),
    max_leaves=6,
)
_links = st.builds(
    Link, urls, st.builds(lambda text, rest: (Text("a" + text), *rest), texts, unlinked)
)
inlines = st.recursive(
    st.lists(st.one_of(_atoms, _links), max_size=4).map(tuple),
    lambda children: st.lists(st.one_of(_atoms, _links, _marks(children)), max_size=4).map(tuple),
    max_leaves=6,
)
paragraphs = st.builds(Paragraph, inlines)
_leaves: st.SearchStrategy[Block] = st.one_of(
    paragraphs,
    paragraphs,
    st.builds(Heading, st.integers(1, 6), inlines),
    st.builds(CodeBlock, codes, st.sampled_from(("", "py", "c++"))),
    st.just(Rule()),
)


def _containers(blocks: st.SearchStrategy[tuple[Block, ...]]) -> st.SearchStrategy[Block]:
    tasks = st.builds(
        lambda content, checked: Item((Paragraph((Text("a"),)), *content), checked),
        blocks,
        st.booleans(),
    )
    items = st.lists(st.one_of(st.builds(Item, blocks), tasks), max_size=3).map(tuple)
    cells = st.builds(Cell, blocks, st.integers(1, 2))
    rows = st.lists(st.lists(cells, max_size=3).map(tuple), max_size=3).map(tuple)
    alerts = st.sampled_from(("", "", "NOTE", "WARNING"))
    return st.one_of(
        st.builds(Quote, blocks, alerts),
        st.builds(List, items, st.one_of(st.none(), st.integers(0, 12))),
        st.builds(Table, rows, st.booleans()),
    )


documents = st.recursive(
    st.lists(_leaves, max_size=3).map(tuple),
    lambda blocks: st.lists(st.one_of(_leaves, _containers(blocks)), max_size=3).map(tuple),
    max_leaves=6,
)
