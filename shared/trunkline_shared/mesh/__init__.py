"""Asking the mesh through its router: for a server in its caller's name, or for a program."""
