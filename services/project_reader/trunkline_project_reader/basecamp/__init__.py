"""Basecamp's API: its addresses, answers, failures and lists; it only ever reads."""
