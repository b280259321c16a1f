"""What the mesh can do and how its servers stand, as agents are told it."""
