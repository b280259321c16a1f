"""What is promised of the bridge: agents that use the mesh, and what they should know of it."""

from tests.requirement import Requirement

BRIDGE: dict[str, Requirement] = {
    # states: how servers stand, as the router tells it
    # query: prompts, patterns, slots
    # command: the runner that starts a command
    # sampling: the runner that asks the caller's model
    # capability: what agents are told, and calls passed on
    # work: get_work_context
    # client: MeshClient
}
