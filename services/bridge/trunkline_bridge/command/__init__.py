"""The runner that starts a command, `claude -p`, and reads what it prints."""
