"""Texts as each flavour sends them: documents on Cloud, wiki text on Data Center; and moments."""

from datetime import datetime

from trunkline_shared.testing.jira.state import State


def text_payload(state: State, text: object) -> object:
    """Return a text as Jira sends it; a str on Cloud becomes a document of paragraphs."""
    if state.is_cloud and isinstance(text, str):
        return document(text)
    return text


def document(text: str) -> dict[str, object]:
    """Return a document with one paragraph for each part between empty lines."""
    parts = [part for part in text.split("\n\n") if part]
    content = [{"type": "paragraph", "content": [{"type": "text", "text": p}]} for p in parts]
    return {"type": "doc", "version": 1, "content": content}


def moment_payload(moment: datetime) -> str:
    """Return a moment as Jira writes it: 2023-10-02T09:00:00.000+0000."""
    milliseconds = moment.microsecond // 1000
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds:03}{moment:%z}"
