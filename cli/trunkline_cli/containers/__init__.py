"""The mesh in containers: its secrets, its keys, and Docker Compose, which runs it."""
