"""What the servers of a mesh keep together: in one process, or through Redis."""
