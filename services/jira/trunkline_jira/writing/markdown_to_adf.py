"""From Markdown to an Atlassian document, for Jira Cloud."""

from trunkline_jira.writing.adf_document import adf_document
from trunkline_jira.writing.adf_text import Json
from trunkline_jira.writing.tree import to_document


def markdown_to_adf(text: str) -> Json:
    """Return the document of a GitHub-flavoured Markdown text, valid against Atlassian's schema.

    HTML stays text; images become links; nothing of the text is left out.
    """
    return adf_document(to_document(text))
