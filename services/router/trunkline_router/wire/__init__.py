"""The forms of messages between a client and the router."""
