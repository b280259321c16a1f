"""What the router promises as a gateway: every client, every server, every key."""

from tests.requirement import CLIENTS, MCP, OPERATORS, USERS, Requirement

GATEWAY: dict[str, Requirement] = {
    "gateway.reload-secrets": Requirement(
        OPERATORS, "a secret that is rotated in its file is in force without a start"
    ),
    "gateway.configuration-docs": Requirement(
        OPERATORS, "each key of trunkline.yaml is explained, and the example is one"
    ),
    "gateway.breaker": Requirement(
        OPERATORS, "a server that fails three times in a row is left alone, and nothing else is"
    ),
    "gateway.breaker-probe": Requirement(
        OPERATORS, "one call finds out whether a server is well again, never all that wait"
    ),
    "gateway.breaker-counts": Requirement(
        OPERATORS, "what a server is to blame for counts, what a caller or a credential is does not"
    ),
    "gateway.breaker-back": Requirement(
        OPERATORS, "a server that could not be reached is found again without a call"
    ),
    "gateway.breaker-shared": Requirement(
        OPERATORS, "what one router finds out about a server all know, and a new one too"
    ),
    "gateway.bulkhead": Requirement(
        OPERATORS, "a slow server has so many calls, a bounded queue, and first come first served"
    ),
    "gateway.bulkhead-waits": Requirement(OPERATORS, "a call that only waits holds no slot"),
    "gateway.bulkhead-breaker": Requirement(
        OPERATORS, "a call that waits is refused in the moment its server's breaker opens"
    ),
    "gateway.throttle": Requirement(
        OPERATORS, "an exhausted quota holds back, for exactly its wait, those that need it"
    ),
    "gateway.result-cap": Requirement(
        CLIENTS, "a result too large for a model is cut with a note, never silently or in half"
    ),
    "gateway.replicas": Requirement(
        OPERATORS, "calls go to replicas that are well, and no write is sent to two of them"
    ),
    "gateway.status": Requirement(OPERATORS, "/status tells each breaker in the shape asked for"),
    "gateway.rolling-restart": Requirement(
        OPERATORS, "replicas are restarted one after the other, and no call fails"
    ),
    "gateway.soak-load": Requirement(
        USERS, "hundreds of clients at once get the right answers, whatever some servers do"
    ),
    "gateway.soak-fuzzing": Requirement(
        OPERATORS, "no hostile request crashes the router, fills it, or makes it tell a secret"
    ),
    "gateway.ending": Requirement(
        OPERATORS, "readiness goes first, calls in flight are answered, and nothing is left"
    ),
    "gateway.ending-streams": Requirement(
        MCP, "a listen stream is ended with its result, and its client knows to come again"
    ),
    "gateway.ending-deadline": Requirement(
        OPERATORS, "what the end cannot wait for is told so, in words that say how to go on"
    ),
    "workers.redis": Requirement(
        OPERATORS, "several workers without Redis do not start, and the message says why"
    ),
    "workers.one": Requirement(OPERATORS, "one worker is the process itself"),
    "workers.shared": Requirement(
        USERS, "what is written through one worker is what the next read through another sees"
    ),
    "workers.restart": Requirement(
        OPERATORS, "a worker that dies costs its own calls only, and another takes its place"
    ),
    "workers.end": Requirement(
        OPERATORS, "several workers end as one does: no call is lost, and a second signal hurries"
    ),
    "workers.orphans": Requirement(OPERATORS, "no worker outlives its supervisor"),
    "workers.reload": Requirement(OPERATORS, "SIGHUP reaches every worker"),
    "workers.metrics": Requirement(
        OPERATORS, "metrics are those of all workers together, and no total ever goes back"
    ),
    "workers.pages": Requirement(
        OPERATORS, "every page and the audit log show all workers, whichever is asked"
    ),
    "workers.sessions": Requirement(
        CLIENTS, "a session works over connections to any of the workers, its streams included"
    ),
    "workers.breakers": Requirement(OPERATORS, "a breaker opens for all workers"),
    "workers.slots": Requirement(
        OPERATORS, "workers divide what is promised of them together, and never exceed it"
    ),
    "gateway.reload": Requirement(
        OPERATORS, "a changed file is in force with the next request, and no request is dropped"
    ),
    "gateway.reload-keys": Requirement(
        OPERATORS, "a revoked key opens nothing any more, and what it has open ends"
    ),
    "gateway.reload-drains": Requirement(
        OPERATORS, "calls to a server that is moved or taken out end well"
    ),
    "gateway.reload-broken": Requirement(
        OPERATORS, "a file that cannot be used changes nothing, and is said once"
    ),
    "gateway.rights": Requirement(
        OPERATORS, "what a key may not call is in no list, and by its name unknown like any other"
    ),
    "gateway.rights-servers": Requirement(
        OPERATORS, "a server none of whose tools a caller may call is gone with all that it offers"
    ),
    "gateway.job-tokens": Requirement(
        OPERATORS, "a job token is narrower than who asks for it, or refused with the reason"
    ),
    "gateway.job-tokens-end": Requirement(
        OPERATORS, "a job token ends with its time and with its key, and is narrowed with it"
    ),
    "gateway.allowed-repos": Requirement(
        OPERATORS, "no call and no context names a repository that the mesh may not touch"
    ),
    "gateway.caller-limits": Requirement(
        OPERATORS, "a caller makes no more calls than it may, and hears when it may again"
    ),
    "gateway.audit": Requirement(
        OPERATORS, "each write leaves one whole line, however it ends, and never what it said"
    ),
    "gateway.credentials": Requirement(
        OPERATORS, "a key's own credential reaches the servers of its vendor, and nobody else"
    ),
    "gateway.toolsets": Requirement(
        OPERATORS, "a key sees the toolsets that it names; one that nobody has is refused at start"
    ),
    "gateway.keys": Requirement(OPERATORS, "with keys on, nothing is answered without a good one"),
    "gateway.key-command": Requirement(
        OPERATORS, "a key is made, listed and revoked, at no cost to the rest of the file"
    ),
    "gateway.key-clients": Requirement(
        USERS, "the commands show a key, and whoever starts the mesh needs none"
    ),
    "gateway.closed-door": Requirement(
        OPERATORS, "no router starts, or goes on, beyond loopback without callers it knows"
    ),
    "gateway.scopes": Requirement(OPERATORS, "each path asks for its scope, and names it"),
    "gateway.oauth": Requirement(MCP, "a token is taken if it is the issuer's and for this router"),
    "gateway.oauth-keys": Requirement(
        OPERATORS, "an issuer's keys are followed as they change, and outlive its outages"
    ),
    "gateway.oauth-metadata": Requirement(MCP, "RFC 9728 metadata where an issuer is trusted"),
    "gateway.upstream-eras": Requirement(
        MCP, "a server of any revision is asked in its own, also when it comes back with another"
    ),
    "gateway.upstream-sessions": Requirement(
        OPERATORS, "sessions at servers: one for each caller, opened again when lost, and ended"
    ),
    "gateway.upstream-resume": Requirement(
        MCP, "an answer whose stream broke is fetched from where it was, and the call made once"
    ),
    "gateway.upstream-subscriptions": Requirement(
        MCP, "what an older server tells is heard for as long as somebody listens"
    ),
    "gateway.upstream-questions": Requirement(
        CLIENTS, "what an older server asks or logs in a call reaches that call's client"
    ),
    "gateway.upstream-stdio": Requirement(
        OPERATORS, "a child is kept alive, its noise does no harm, and nothing outlives the router"
    ),
    "gateway.upstream-secrets": Requirement(
        OPERATORS, "a server's credential is read where it stands, sent nowhere else, never shown"
    ),
    "gateway.conformance-modern": Requirement(
        MCP, "the suite's set of 2026-07-28 passes behind the router, with the header scenarios"
    ),
    "gateway.conformance-legacy": Requirement(
        MCP, "the suite's set of 2025-11-25 passes behind the router"
    ),
    "gateway.conformance-bridged": Requirement(
        MCP, "a server of before 2026-07-28 passes what it can say, asked in either era"
    ),
    "gateway.conformance-upstream": Requirement(
        MCP, "the suite finds no fault in how the router asks the servers behind it"
    ),
    "gateway.sessions": Requirement(
        MCP, "initialize opens a session, whose id is all that is needed to serve it"
    ),
    "gateway.sessions-anywhere": Requirement(
        CLIENTS, "replicas serve one session in turn, and a restarted router goes on with it"
    ),
    "gateway.sessions-forged": Requirement(
        OPERATORS, "a forged session, another mesh's, or another caller's, is not found"
    ),
    "gateway.sessions-free": Requirement(
        OPERATORS, "sessions that are opened for each call and never closed leave nothing behind"
    ),
    "gateway.sessions-streams": Requirement(
        MCP, "a session's streams carry ids, and its open one tells what has changed"
    ),
    "gateway.sessions-resume": Requirement(
        MCP, "a call outlives its connection; its events and answer can be fetched anywhere"
    ),
    "gateway.sessions-cancel": Requirement(
        CLIENTS, "notifications/cancelled ends the call it names, at whichever replica it runs"
    ),
    "gateway.sessions-questions": Requirement(
        MCP, "what a modern server asks reaches an older client as a request, if it declared that"
    ),
    "gateway.sessions-logging": Requirement(
        MCP, "a session's level of logging and its subscriptions hold at every replica"
    ),
    "gateway.batches": Requirement(MCP, "batches are for 2025-03-26, and for no later revision"),
    "gateway.event-streams": Requirement(
        MCP, "clients of 2024-11-05 are served over one event stream, whoever gets their posts"
    ),
    "gateway.mirrored-headers": Requirement(
        MCP, "a header that mirrors an argument equals it, or the call is refused"
    ),
    "gateway.clients": Requirement(
        CLIENTS, "real clients list, call and read in every era, also after a restart"
    ),
    "gateway.habits": Requirement(
        CLIENTS, "what clients do that no specification asks for is served as it comes"
    ),
    "gateway.catalogue": Requirement(
        OPERATORS, "what servers offered is remembered over a restart, marked while they are away"
    ),
    "gateway.names": Requirement(
        CLIENTS, "exposed names are safe, short, unique, and the same in any order of servers"
    ),
    "gateway.shaping": Requirement(
        OPERATORS, "of each server parts are left out, renamed and described as configured"
    ),
    "gateway.policies": Requirement(
        OPERATORS, "what a foreign server declares of itself is not believed"
    ),
    "gateway.pins": Requirement(
        OPERATORS, "a changed tool of a foreign server is flagged, or held back until approved"
    ),
    "gateway.listening": Requirement(
        MCP, "one stream at each server feeds all who listen, and nothing is missed over a break"
    ),
    "gateway.pages": Requirement(
        MCP, "lists have one page, or pages whose cursors every replica reads and nobody forges"
    ),
    "gateway.search": Requirement(
        CLIENTS, "large catalogues are searched: two tools stand for all, under the same rights"
    ),
    "gateway.sick-servers": Requirement(
        USERS, "nobody waits for a sick server but who calls it; a bench states what it costs"
    ),
}
