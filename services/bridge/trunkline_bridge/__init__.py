"""The bridge: agents that use the mesh, and what they should know of it."""
