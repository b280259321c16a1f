"""From Markdown to wiki text, for Jira Server and Data Center."""

from trunkline_jira.writing.tree import to_document
from trunkline_jira.writing.wiki_document import wiki_document


def markdown_to_wiki(text: str) -> str:
    """Return the wiki text of a GitHub-flavoured Markdown text; plain text in it stays plain.

    HTML stays text; images become links; a list's first number is not kept: Jira counts from 1.
    """
    return wiki_document(to_document(text))
