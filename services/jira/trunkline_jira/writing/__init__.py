"""From the Markdown that agents write to what Jira keeps: documents, or wiki text before Cloud."""
