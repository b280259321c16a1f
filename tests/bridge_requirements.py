"""What is promised of the bridge: agents that use the mesh, and what they should know of it."""

from tests.requirement import Requirement

PROGRAMS = "the seed's module for orchestrators; what programs need of a client"

SHIPPED = "how the mesh is run; the design's picture of who reaches whom"

AGENTS = "the seed's bridge; what orchestrators need of agents that they hand work to"

WORK = "the design's get_work_context; what an agent asks for first"

BRIDGE: dict[str, Requirement] = {
    # Of the router: how servers stand, and what a bridge may do in somebody's name.
    "bridge.tool-scopes": Requirement(
        AGENTS, "a tool that needs scopes is unknown to who lacks them, and keeps them in its call"
    ),
    "bridge.narrower-token": Requirement(
        AGENTS,
        "who asks in somebody's name mints narrower tokens, which end with the call and the key",
    ),
    "bridge.mesh-page": Requirement(
        AGENTS, "a caller is told how its servers stand, and nothing of any other"
    ),
    "bridge.instructions": Requirement(
        AGENTS, "the introduction says which servers are disabled when it is asked, in every era"
    ),
    "bridge.breaker-states": Requirement(
        AGENTS, "closed, open after three failures, half-open after the pause, closed again"
    ),
    "bridge.breaker-probe": Requirement(
        AGENTS, "half-open lets one of all that wait through; the seed let every one"
    ),
    "bridge.breaker-unknown": Requirement(
        AGENTS, "foreign and later servers have breakers as well; the seed's unknown ones had none"
    ),
    "bridge.breaker-blame": Requirement(
        AGENTS, "a caller's mistake, its credential and its leaving open no server's breaker"
    ),
    "bridge.breaker-monotonic": Requirement(
        AGENTS, "a clock that is set anew neither opens nor closes a breaker"
    ),
    "bridge.breaker-slot": Requirement(
        AGENTS, "an open breaker refuses before a slot is taken, and whoever waits for one"
    ),
    "bridge.waits-apart": Requirement(AGENTS, "a call that only waits holds no slot of its server"),
    "bridge.depth": Requirement(AGENTS, "whoever asks a fourth server deep is refused, typed"),
    "bridge.no-relay": Requirement(AGENTS, "no server is ever given its caller's own token"),
    "bridge.lists": Requirement(
        AGENTS, "long lists are read to their end, and a storm of changes is a few listings"
    ),
    "bridge.large-results": Requirement(AGENTS, "a very large result is cut with a note"),
    "bridge.cancelled": Requirement(
        AGENTS, "a run that its caller gives up is cancelled at its server, in both eras"
    ),
    "bridge.progress": Requirement(AGENTS, "progress passes through while a run goes on"),
    # Of query_mcp: prompts, patterns, slots.
    "bridge.query": Requirement(
        AGENTS,
        "an agent with just the named tools works on a prompt: text, turns, each call, servers",
    ),
    "bridge.query-patterns": Requirement(
        AGENTS,
        "a pattern is split at its second `__`: mcp__github__* is github and never github_ci",
    ),
    "bridge.query-refused": Requirement(
        AGENTS, "what is wrong with an argument is told with its place, its value and the fix"
    ),
    "bridge.query-unknown": Requirement(
        AGENTS,
        "a server or tool that the caller does not have is refused by name, with the nearest",
    ),
    "bridge.query-turns": Requirement(
        AGENTS, "fewer than three turns are refused, with the reason"
    ),
    "bridge.query-runners": Requirement(
        AGENTS, "without a runner that can, the answer names the variable and what each lacks"
    ),
    "bridge.query-narrow": Requirement(
        AGENTS, "the token of a run opens its tools alone, and ends with it"
    ),
    "bridge.query-breakers": Requirement(
        AGENTS, "an open breaker refuses at once, before a slot is taken, and again after the wait"
    ),
    "bridge.query-blame": Requirement(
        AGENTS, "a failing prompt, agent or model is held against no server, named or not"
    ),
    "bridge.query-slots": Requirement(
        AGENTS, "so many runs at once, for all and for each caller, first come first served"
    ),
    "bridge.query-deadline": Requirement(
        AGENTS, "a run ends in time, and says when tools that write may have been called"
    ),
    "bridge.query-cancel": Requirement(
        AGENTS, "a cancelled call ends its run, which clears up first"
    ),
    "bridge.query-progress": Requirement(
        AGENTS, "each turn is told as it begins, and progress grows"
    ),
    "bridge.query-schema": Requirement(
        AGENTS, "a structured answer fits its schema, or the error names where it does not"
    ),
    "bridge.query-hostile-schema": Requirement(
        AGENTS, "a schema fetches nothing and cannot keep the bridge busy"
    ),
    "bridge.query-text": Requirement(
        AGENTS, "a model's text is cleaned of what cannot be seen, and capped with a note"
    ),
    "bridge.query-questions": Requirement(
        AGENTS, "a runner's question reaches the caller, and the answer the runner that asked"
    ),
    "bridge.query-recursion": Requirement(
        AGENTS, "agents ask agents three deep at most, and never wait for a slot that they hold"
    ),
    "bridge.query-hostile": Requirement(AGENTS, "any argument gets a typed answer"),
    # Of the runner that starts a command.
    "bridge.command-apart": Requirement(
        AGENTS,
        "the command sees its prompt, its tools and its model: no token in arguments or variables, "
        "no secret of another, no file, no settings and no session of anybody",
    ),
    "bridge.command-confined": Requirement(
        AGENTS, "a prompt neither reads a file that it names nor gives the agent itself a command"
    ),
    "bridge.command-failures": Requirement(
        AGENTS, "an agent that fails is told of by a typed error, whoever is to mend it"
    ),
    "bridge.command-leaves-nothing": Requirement(
        AGENTS,
        "200 runs with random kills, timeouts and cancellations leave no process, no zombie, no "
        "file and nothing open",
    ),
    "bridge.command-claude": Requirement(
        AGENTS,
        "the real `claude` calls a tool through the router and hears its result; its token can "
        "call nothing else, and ends with the query's time",
    ),
    # Of the runner that asks the caller's own model.
    "bridge.sampling-turns": Requirement(
        AGENTS, "the caller's own model works on a prompt, a round for each turn, in both eras"
    ),
    "bridge.sampling-tools": Requirement(
        AGENTS, "a model is shown the query's tools and calls no others, by names clients take"
    ),
    "bridge.sampling-parallel": Requirement(
        AGENTS, "reads of one turn run at once, writes one after another as they were asked for"
    ),
    "bridge.sampling-capability": Requirement(
        AGENTS, "a client without sampling.tools is told that it lacks it"
    ),
    "bridge.sampling-refused": Requirement(
        AGENTS, "a person who says no, or a model that says nothing, ends the run: CANCELLED"
    ),
    "bridge.sampling-hostile": Requirement(
        AGENTS, "whatever a model says gets a typed answer, and is held against no server"
    ),
    "bridge.sampling-limit": Requirement(
        AGENTS, "the last turn is asked without tools, and a run ends with it"
    ),
    "bridge.sampling-time": Requirement(
        AGENTS, "the time of a run goes on between its rounds, on whichever replica"
    ),
    "bridge.sampling-slot": Requirement(AGENTS, "no slot is held while a client's model thinks"),
    "bridge.sampling-cancelled": Requirement(
        AGENTS, "a call that is taken back in a round ends the tools that run for it"
    ),
    "bridge.sampling-fresh": Requirement(AGENTS, "two equal queries are two runs"),
    "bridge.sampling-schema": Requirement(
        AGENTS, "a model is told the schema, and its last text is read as JSON, fenced or not"
    ),
    "bridge.sampling-bounded": Requirement(
        AGENTS, "tools' results are cut with a note, and a conversation has its largest size"
    ),
    "bridge.sampling-sealed": Requirement(
        AGENTS, "what travels between rounds is sealed: to its caller, its arguments, its time"
    ),
    "bridge.sampling-replicas": Requirement(
        AGENTS, "any replica with the same secret goes on with a conversation"
    ),
    # Of what agents are told of the mesh, and of calls that are passed on.
    "bridge.breakers-told": Requirement(
        AGENTS, "agents are told of the router's breakers in the seed's words, and of no others"
    ),
    "bridge.capability-text": Requirement(
        AGENTS, "the block for a prompt has the seed's shape, is stable and capped, and unforgeable"
    ),
    "bridge.capability-resources": Requirement(
        AGENTS, "the mesh and its breakers are resources too, read live, in both eras"
    ),
    "bridge.capability-rights": Requirement(
        AGENTS, "whoever asks is told of its own servers and tools alone, and calls no others"
    ),
    "bridge.reset": Requirement(AGENTS, "an admin resets a breaker; others do not see the tool"),
    "bridge.call": Requirement(
        AGENTS, "a tool's result comes back block for block, with its server's breaker afterwards"
    ),
    "bridge.call-errors": Requirement(
        AGENTS, "a failure comes back with its payload; one that may have happened says so"
    ),
    "bridge.call-blame": Requirement(
        AGENTS, "what another server fails at, or is throttled for, is not the bridge's"
    ),
    "bridge.call-names": Requirement(
        AGENTS, "names that clash or hold `__` and `-` reach their server; wrong ones the nearest"
    ),
    "bridge.call-key": Requirement(AGENTS, "an idempotency key goes where somebody keeps it"),
    "bridge.call-large": Requirement(AGENTS, "a very large result is cut visibly, and no error"),
    "bridge.call-relays": Requirement(
        AGENTS, "progress and cancellation pass through a call of a call, in both eras"
    ),
    "bridge.call-depth": Requirement(AGENTS, "the bridge calls itself three deep at most"),
    "bridge.call-tokens": Requirement(
        AGENTS, "the servers at the end see neither the caller's token nor the delegated one"
    ),
    "bridge.call-hostile": Requirement(AGENTS, "any argument gets a typed answer"),
    "bridge.catalog": Requirement(
        AGENTS, "all that the mesh offers in one bounded answer; who is ill costs its own entry"
    ),
    # Of the work at hand in one call.
    "bridge.work-whole": Requirement(WORK, "one call tells all about the work at hand"),
    "bridge.work-found": Requirement(
        WORK, "what twig does not link is found by the branch's name, the texts and the commit"
    ),
    "bridge.work-parallel": Requirement(
        WORK, "no part waits for another that it does not need to know what to ask for"
    ),
    "bridge.work-degrades": Requirement(WORK, "a part that cannot be had costs only itself"),
    "bridge.work-bound": Requirement(
        WORK, "under a bound pull request the work is that one, and nothing else is told"
    ),
    "bridge.work-unled": Requirement(
        WORK, "without a checkout the named branch leads; where nothing does, that is said"
    ),
    "bridge.work-tokens": Requirement(
        WORK, "it keeps within its tokens whatever people wrote, and counts what it left out"
    ),
    "bridge.work-links": Requirement(WORK, "only addresses of Basecamp's to-dos are followed"),
    "bridge.work-cached": Requirement(WORK, "what was read just now is not asked of vendors again"),
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
    "bridge.client-queries": Requirement(
        PROGRAMS, "a program has an agent work on a prompt, and hears of each turn as it begins"
    ),
    "bridge.client-standing": Requirement(
        PROGRAMS, "a program learns how servers stand, in the bridge's words, without the bridge"
    ),
    "bridge.client-light": Requirement(
        PROGRAMS, "whoever builds a client's configuration loads no HTTP client for it"
    ),
    "bridge.client-work": Requirement(
        PROGRAMS, "a program has everything about the work at hand, typed, in one call"
    ),
    # Of shipping it.
    "bridge.shipped-calls": Requirement(
        SHIPPED, "in its container the bridge asks every other server, in its caller's name"
    ),
    "bridge.shipped-alone": Requirement(
        SHIPPED, "what a container holds opens nothing at the router, and the bridge reaches nobody"
    ),
    "bridge.shipped-doctor": Requirement(
        SHIPPED, "the doctor says who answers prompts, and what is missing for it"
    ),
}
