"""What the cache promises: repeated reads cost nothing, and none is ever stale."""

from tests.requirement import CLIENTS, OPERATORS, USERS, Requirement

CACHE: dict[str, Requirement] = {
    # Freshness, from outside
    "cache.reads-cost-nothing": Requirement(
        CLIENTS, "a read that was answered is not asked again, by anyone who may have it"
    ),
    "cache.read-write-read": Requirement(
        CLIENTS,
        "a read after a write is fresh, whatever the write touched: the object, above or beneath",
    ),
    "cache.read-in-flight": Requirement(
        CLIENTS, "a read underway during a write is neither kept nor joined by who begins after it"
    ),
    "cache.write-through-the-other": Requirement(
        CLIENTS, "a write through one router spoils what every other one keeps"
    ),
    "cache.failed-writes": Requirement(
        CLIENTS, "a write that failed, timed out or was cut off spoils like one that succeeded"
    ),
    "cache.writes-reach-the-server": Requirement(
        CLIENTS, "writes are neither kept nor coalesced: seven reach the server seven times"
    ),
    "cache.settles": Requirement(
        CLIENTS, "what is read right after a change is not kept: the vendor may lag behind itself"
    ),
    "cache.writer-leaves": Requirement(
        CLIENTS, "a caller that leaves during its write keeps nobody else from the truth"
    ),
    "cache.never-errors": Requirement(
        CLIENTS, "no error is kept, neither a tool's nor the protocol's"
    ),
    "cache.never-continuations": Requirement(
        CLIENTS, "no question back and no continuation is kept, or answered from what is"
    ),
    "cache.only-declared": Requirement(
        CLIENTS, "only what a tool declares, and its answer does not forbid, is kept"
    ),
    "cache.foreign-servers": Requirement(
        CLIENTS, "what a foreign server says of its own reuse is not believed"
    ),
    "cache.audience": Requirement(
        CLIENTS, "an answer is given to nobody whose credential could not have produced it"
    ),
    "cache.rights-first": Requirement(
        CLIENTS, "who may not call a tool is not answered from what others were"
    ),
    "cache.bindings": Requirement(
        CLIENTS, "an answer under one binding is not given under another that its server enforces"
    ),
    "cache.coalesced": Requirement(
        CLIENTS, "the same read, asked many times at once, reaches the server once"
    ),
    "cache.coalesced-leaving": Requirement(
        CLIENTS,
        "a client that leaves takes nobody along; when all have left the read is called off",
    ),
    "cache.coalesced-failing": Requirement(
        CLIENTS, "a read that fails frees or informs all who wait for it, and is not kept"
    ),
    "cache.coalesced-deadlines": Requirement(
        CLIENTS, "each who waits for another's read has his own time, neither more nor less"
    ),
    "cache.expires": Requirement(
        CLIENTS, "an answer is over when its tool says, or when it has said so itself"
    ),
    "cache.stale-if-error": Requirement(
        CLIENTS, "what is over stands in for a server that cannot be had, marked, with its age"
    ),
    "cache.never-stale-after-a-bump": Requirement(
        CLIENTS, "nothing that a write has spoiled stands in for anything"
    ),
    "cache.bounded": Requirement(
        OPERATORS, "what is kept in the process is bounded in bytes, least recently used first"
    ),
    "cache.soak-freshness": Requirement(
        CLIENTS, "whatever becomes of Redis or a router, no history holds a read that is too old"
    ),
    "cache.shared": Requirement(
        CLIENTS, "what one router was answered all have, and what is changed through one is for all"
    ),
    "cache.coalesced-everywhere": Requirement(
        CLIENTS, "a thousand identical reads at once on two routers reach the server once"
    ),
    "cache.outages": Requirement(
        OPERATORS, "without Redis calls go through, one warning is given, and it mends by itself"
    ),
    "cache.services": Requirement(
        CLIENTS, "after any write of the GitHub servers, every read at once shows what is there"
    ),
    "cache.eras": Requirement(
        CLIENTS,
        "an answer that was kept looks in every era like one that was not, but for its note",
    ),
    # What operators see and do of it
    "cache.feed": Requirement(
        OPERATORS, "each bump is heard at every router, or else that some may have been missed"
    ),
    "cache.page": Requirement(
        OPERATORS, "/api/cache tells what the cache does, to those who may observe"
    ),
    "cache.invalidate": Requirement(
        OPERATORS, "an admin spoils what is kept under a tag, at every router, and others cannot"
    ),
    "cache.watch": Requirement(
        OPERATORS, "bumps can be watched as they happen, by those who may, until the router ends"
    ),
    "cache.status": Requirement(
        OPERATORS, "/status and `trunkline status` say whether the cache is on, and if not why"
    ),
    "cache.metrics": Requirement(
        OPERATORS, "/metrics is what Prometheus reads, and counts each thing once"
    ),
    "cache.command": Requirement(
        OPERATORS, "`trunkline cache` shows, invalidates and watches, and says what is wrong"
    ),
    "cache.terms": Requirement(
        OPERATORS, "the cache's keys of trunkline.yaml are checked, and act on a reload"
    ),
    # Quotas of vendors
    "cache.shared-answers": Requirement(
        OPERATORS, "what one server was answered, any with the same credential has confirmed (304)"
    ),
    "cache.shared-answers-secret": Requirement(
        OPERATORS, "names of shared answers tell neither what was asked nor by whom"
    ),
    "cache.shared-answers-away": Requirement(
        OPERATORS, "a store of shared answers that is away fails no call"
    ),
    "cache.quota-noted": Requirement(
        OPERATORS, "each result tells the router what it has cost and what is left, agents never"
    ),
    "cache.quota-saved": Requirement(
        OPERATORS, "what hits did not cost of a vendor's quota is counted"
    ),
    "cache.quota-spared": Requirement(
        CLIENTS, "with a tenth of a quota left, older answers are served, marked stale"
    ),
    "cache.tags-complete": Requirement(
        CLIENTS, "each write of the mesh's own servers spoils every read that shows what it changes"
    ),
    # Webhooks, and who waits for what they tell
    "webhook.proof": Requirement(
        OPERATORS, "a delivery is proven before it is read: signature, token, or the URL's secret"
    ),
    "webhook.secrets": Requirement(
        OPERATORS, "secrets can be rotated while the router runs, and weak ones are refused"
    ),
    "webhook.silence": Requirement(
        OPERATORS, "no secret of a webhook is ever in a log, a span or an answer"
    ),
    "webhook.once": Requirement(
        OPERATORS, "a delivery is carried out once, and again only if it was not carried out"
    ),
    "webhook.spoils": Requirement(
        CLIENTS, "each event of a vendor spoils every read that shows what it tells of"
    ),
    "webhook.lives": Requirement(
        CLIENTS, "answers live longer only where every event that could spoil them is known to come"
    ),
    "webhook.wakes": Requirement(
        CLIENTS, "whoever subscribes to a resource hears of each change, through any router"
    ),
    "webhook.bound": Requirement(
        CLIENTS, "a subscription reaches nothing that its context, its key or the mesh bars"
    ),
    "cache.model-holds": Requirement(
        USERS,
        "no interleaving of reads, a write and faults of Redis breaks what the cache promises",
    ),
    "cache.model-rules": Requirement(
        OPERATORS, "each rule of the cache is needed: without it a history breaks a promise"
    ),
    "cache.model-page": Requirement(
        OPERATORS, "docs/proofs/coherence.md says what the searches found, and what no rule covers"
    ),
    "cache.model-histories": Requirement(
        USERS, "the histories that break a promise without a rule break none in the cache itself"
    ),
    # What several routers share
    "cache.generations": Requirement(
        OPERATORS, "a generation stays until it is changed, and never comes back"
    ),
    "cache.generations-faults": Requirement(
        OPERATORS,
        "a Redis that is flushed, full, paused, rolled back or failed over brings none back",
    ),
    "cache.routers": Requirement(
        OPERATORS, "while a router gives no sign, or owes a change, nothing kept is used by any"
    ),
    "cache.entries": Requirement(
        OPERATORS, "of all routers one fetches an answer, and the others wait for it"
    ),
    "cache.replay": Requirement(
        USERS, "agents who review one pull request share what they read, and none of it is stale"
    ),
    "cache.hit-cost": Requirement(OPERATORS, "what a hit costs is measured, small and large"),
    "cache.same-answer": Requirement(
        CLIENTS, "an answer that was kept is, but for its note, the one that was not, in each era"
    ),
}
