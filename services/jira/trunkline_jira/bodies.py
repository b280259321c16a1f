"""Descriptions and comments in the form that an agent asks for.

The only place that knows which flavour keeps its texts in which form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from trunkline_jira.adf import conversion as adf
from trunkline_jira.site.flavour import Flavour
from trunkline_jira.wiki import conversion as wiki
from trunkline_shared.errors import Unsupported
from trunkline_shared.markdown.document import Blocks
from trunkline_shared.markdown.writer import to_markdown
from trunkline_shared.untrusted import sanitize

Format = Literal["markdown", "adf", "raw"]
Text = str | dict[str, JsonValue] | None
"""Markdown or wiki text, or a document; null when there is none."""

DEEPEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A text, and the types of what lost some of its form on the way to Markdown."""

    text: Text
    lossy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bodies:
    """Reads the texts of one answer; `media` names files by what documents call them."""

    flavour: Flavour
    form: Format
    media: Mapping[str, str] = field(default_factory=dict)

    def read(self, sent: object) -> Body:
        """Return a text as Jira sent it in the form that is asked for."""
        if sent is None or sent == "":
            return Body(text=None)
        if self.form != "markdown":
            return Body(text=_as_sent(sent))
        blocks, lossy = self._read(sent)
        return Body(text=to_markdown(blocks) or None, lossy=lossy)

    def _read(self, sent: object) -> tuple[Blocks, tuple[str, ...]]:
        if isinstance(sent, str) and not self.flavour.is_cloud:
            wiki_text = wiki.to_document(sent)
            return wiki_text.blocks, wiki_text.lossy
        document = adf.to_document(sent, self.media)
        return document.blocks, document.lossy


def require_form(flavour: Flavour, form: Format) -> None:
    """Raise Unsupported for documents of a Jira that has none."""
    if form == "adf" and not flavour.is_cloud:
        raise Unsupported(
            "This Jira is a Server or Data Center: its texts are wiki text, not documents.",
            hint="Pass format='markdown', or 'raw' for the wiki text.",
            details={"reason": "no_documents"},
        )


def _as_sent(sent: object) -> Text:
    if isinstance(sent, str):
        return sanitize(sent)
    cleaned = visible(sent)
    return cleaned if isinstance(cleaned, dict) else None


def visible(value: object, depth: int = 0) -> JsonValue:
    """Return JSON without what cannot be seen in its texts; what lies too deep is left out."""
    if isinstance(value, str):
        return sanitize(value)
    if isinstance(value, Mapping):
        inner = value.items() if depth < DEEPEST else ()
        return {sanitize(str(name)): visible(one, depth + 1) for name, one in inner}
    if isinstance(value, list | tuple):
        return [visible(one, depth + 1) for one in value] if depth < DEEPEST else []
    return value if isinstance(value, int | float | bool) else None
