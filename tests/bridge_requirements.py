"""What is promised of the bridge: agents that use the mesh, and what they should know of it."""

from tests.requirement import Requirement

BRIDGE: dict[str, Requirement] = {
    # Of the router: how servers stand, and what a bridge may do in somebody's name.
    # Of query_mcp: prompts, patterns, slots.
    # Of the runner that starts a command.
    # Of the runner that asks the caller's own model.
    # Of what agents are told of the mesh, and of calls that are passed on.
    # Of the work at hand in one call.
    # Of the client for orchestrators.
    # Of shipping it.
}
