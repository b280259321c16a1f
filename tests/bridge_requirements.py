"""What is promised of the bridge: agents that use the mesh, and what they should know of it."""

from tests.requirement import Requirement

PROGRAMS = "the seed's module for orchestrators; what programs need of a client"

BRIDGE: dict[str, Requirement] = {
    # Of the router: how servers stand, and what a bridge may do in somebody's name.
    # Of query_mcp: prompts, patterns, slots.
    # Of the runner that starts a command.
    # Of the runner that asks the caller's own model.
    # Of what agents are told of the mesh, and of calls that are passed on.
    # Of the work at hand in one call.
    # Of the client for orchestrators.
    "bridge.client-calls": Requirement(
        PROGRAMS, "a program calls tools by their names in the mesh or on a server, and lists them"
    ),
    "bridge.client-contexts": Requirement(
        PROGRAMS, "a program narrows itself to a job: bindings, tools, an end"
    ),
    "bridge.client-errors": Requirement(
        PROGRAMS,
        "a failure is raised as it was answered; nothing that may have arrived is repeated",
    ),
    "bridge.client-cancels": Requirement(
        PROGRAMS, "whoever cancels a call or a query ends it in the mesh"
    ),
    "bridge.client-tokens": Requirement(
        PROGRAMS, "a token is in no log, in no representation, and goes to the router alone"
    ),
    # Of shipping it.
}
