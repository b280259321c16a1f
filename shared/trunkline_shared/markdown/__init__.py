"""GitHub-flavoured Markdown from what vendors write: one document, one writer, many readers."""
