"""Stateful stand-ins for Basecamp: its API and the server that authorizes its clients."""
