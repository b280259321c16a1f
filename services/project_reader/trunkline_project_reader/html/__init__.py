"""Basecamp's rich text, read as a browser would show it."""
