"""Random rich text as Basecamp keeps it, each piece with what a person sees of it."""

from dataclasses import dataclass
from html import escape

from hypothesis import strategies as st


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """HTML, what it shows, and where its links and images go."""

    html: str
    shown: str = ""
    targets: tuple[str, ...] = ()


_GLYPHS = "ab1.#*_-+`~[]()<>|\\!&:@/^{}=$\"'é字😀 \n"
plain = st.text(st.sampled_from(_GLYPHS), min_size=1, max_size=12)
names = st.text(st.sampled_from("abXé1*_[]<>|&.-`#"), min_size=1, max_size=10).map("n{}".format)
urls = st.text(st.sampled_from("ab1-_.~*&=?/#+"), max_size=10).map("https://example.com/{}".format)


def _text(text: str) -> Piece:
    return Piece(html=escape(text), shown=text)


def _joined(pieces: list[Piece], between: str = "") -> Piece:
    return Piece(
        html=between.join(piece.html for piece in pieces),
        shown=" ".join(piece.shown for piece in pieces),
        targets=tuple(target for piece in pieces for target in piece.targets),
    )


def _in(tag: str, piece: Piece, written: str = "") -> Piece:
    html = f"<{tag}{written}>{piece.html}</{tag}>"
    return Piece(html=html, shown=piece.shown, targets=piece.targets)


def _link(text: str, url: str) -> Piece:
    html = f'<a href="{escape(url)}">x{escape(text)}</a>'
    return Piece(html=html, shown=f"x{text}", targets=(url,))


def _mention(name: str) -> Piece:
    html = (
        '<bc-attachment sgid="s" content-type="application/vnd.basecamp.mention"><figure>'
        f'<img src="https://example.com/avatar"><figcaption>\n  {escape(name)}\n</figcaption>'
        "</figure></bc-attachment>"
    )
    return Piece(html=html, shown=f"@{name}")


def _image(alt: str, url: str) -> Piece:
    html = f'<img src="{escape(url)}" alt="{escape(alt)}">'
    return Piece(html=html, shown=alt, targets=(url,))


def _file(name: str, url: str) -> Piece:
    html = (
        f'<bc-attachment sgid="s" content-type="application/pdf" href="{escape(url)}"'
        f' filename="{escape(name)}" filesize="12345"><figure><figcaption>{escape(name)} 12 KB'
        "</figcaption></figure></bc-attachment>"
    )
    return Piece(html=html, shown=f"{name} (12.3 kB)", targets=(url,))


def _photo(caption: str, url: str) -> Piece:
    html = (
        f'<bc-attachment content-type="image/png" url="{escape(url)}" href="https://example.com/d"'
        f' filename="a.png" caption="{escape(caption)}"><figure><img src="x"><figcaption>'
        f"{escape(caption)}</figcaption></figure></bc-attachment>"
    )
    return Piece(html=html, shown=caption, targets=(url,))


_atoms = st.one_of(
    plain.map(_text),
    plain.map(_text),
    st.builds(_link, plain, urls),
    names.map(_mention),
    st.builds(_image, names, urls),
    plain.map(lambda text: _in("code", _text(text))),
    st.just(Piece(html="<br>")),
)
_marks = st.sampled_from(["strong", "em", "strike", "b", "i", "del", "u", "sub", "sup", "span"])
inline = st.recursive(
    _atoms,
    lambda inner: st.builds(_in, _marks, st.lists(inner, min_size=1, max_size=3).map(_joined)),
    max_leaves=5,
)
inlines = st.lists(inline, max_size=4).map(_joined)

_tables = st.lists(
    st.lists(inlines.map(lambda piece: _in("td", piece)), min_size=1, max_size=3).map(
        lambda cells: _in("tr", _joined(cells))
    ),
    min_size=1,
    max_size=3,
).map(lambda rows: _in("table", _joined(rows, "\n")))
_leaves = st.one_of(
    st.builds(_in, st.sampled_from(["div", "p", "h1", "h3", "section"]), inlines),
    plain.map(lambda text: _in("pre", _text(text))),
    st.builds(_file, names, urls),
    st.builds(_photo, names, urls),
    _tables,
    st.just(Piece(html="<hr>")),
)


def _nested(inner: st.SearchStrategy[Piece]) -> st.SearchStrategy[Piece]:
    several = st.lists(inner, min_size=1, max_size=3).map(_joined)
    item = st.one_of(inlines, several).map(lambda piece: _in("li", piece))
    items = st.lists(item, min_size=1, max_size=3).map(_joined)
    return st.one_of(
        st.builds(_in, st.sampled_from(["blockquote", "div", "details"]), several),
        st.builds(_in, st.sampled_from(["ul", "ol"]), items),
    )


documents = st.lists(st.recursive(_leaves, _nested, max_leaves=6), max_size=4).map(
    lambda pieces: _joined(pieces, "\n")
)
