"""How the servers of the mesh stand, by the names under which the bridge knows it."""

from trunkline_shared.mesh.states import BreakerState, MeshStates, ServerState

__all__ = ["BreakerState", "MeshStates", "ServerState"]
