"""What can be seen of a mesh: a trace per call, measurements, logs, and the page that shows it."""

from tests.requirement import OPERATORS, USERS, Requirement

SEEING: dict[str, Requirement] = {
    # One trace per call
    "seeing.disabled": Requirement(
        OPERATORS, "OTEL_SDK_DISABLED switches traces and histograms off, and nothing else"
    ),
    "seeing.followers": Requirement(
        OPERATORS, "a read that joined another one's is linked to the trace of the one who asked"
    ),
    "seeing.store": Requirement(
        OPERATORS, "each time that a call waits for Redis is a step of its trace"
    ),
    "seeing.queue": Requirement(OPERATORS, "the wait for a server's slot is a step of the trace"),
    "seeing.breaker": Requirement(
        OPERATORS, "a call that an open breaker refuses has a trace that says so"
    ),
    "seeing.quota": Requirement(
        OPERATORS, "a call's trace tells what it left of the vendor's quota"
    ),
    "seeing.vendors-traced": Requirement(
        OPERATORS,
        "each request to a vendor names its own span, on every attempt, and nothing besides",
    ),
    "seeing.own-looks": Requirement(
        OPERATORS, "what the router and the servers do by themselves leaves no trace"
    ),
    "seeing.exporters": Requirement(
        OPERATORS,
        "the standard variables choose gRPC or HTTP, and a wrong one is told at the start",
    ),
    "seeing.lost-spans": Requirement(
        OPERATORS,
        "a receiver that is gone or hangs costs its spans, one line and no second at the end",
    ),
    "seeing.to-router": Requirement(
        OPERATORS, "the servers' spans reach their own router and nobody else's secrets go along"
    ),
    "seeing.thousand-calls": Requirement(
        OPERATORS,
        "a thousand calls of all kinds are a thousand whole traces, joined with every log",
    ),
    "seeing.servers-store": Requirement(
        OPERATORS, "each time that a server waits for Redis is a step of the call's trace"
    ),
    "seeing.no-quotations": Requirement(
        OPERATORS, "a failure's text, which may quote what was asked for, is no part of a span"
    ),
    "seeing.trimmed": Requirement(
        OPERATORS, "a server tells its router how much of what vendors sent it did not pass on"
    ),
    "seeing.traces-whole": Requirement(
        OPERATORS, "a call's whole trace can be read as soon as its answer has come, by its id"
    ),
    "seeing.traces-bounded": Requirement(
        OPERATORS, "the newest traces are kept in bounded memory, whatever agents and servers send"
    ),
    "seeing.traces-found": Requirement(
        OPERATORS, "traces are found by server, tool, agent, source and error"
    ),
    "seeing.traces-taken": Requirement(
        OPERATORS, "only the mesh's own servers hand in spans, and nothing they send does harm"
    ),
    "seeing.trace-command": Requirement(
        USERS, "`trunkline trace` lists the newest traces and draws one on the terminal"
    ),
    # What happens now, and has happened
    "seeing.series": Requirement(
        OPERATORS, "an hour of calls is counted in steps of ten seconds, by server, tool and agent"
    ),
    "seeing.live": Requirement(
        OPERATORS, "calls are told as they end, and every two seconds how the mesh stands"
    ),
    "seeing.live-bounded": Requirement(
        OPERATORS, "who reads the live feed slowly costs little, and knows what was left out"
    ),
    "seeing.audit": Requirement(
        OPERATORS, "an admin sees the newest writes, whether or not they are written to a file"
    ),
    # Measurements
    "seeing.tokens": Requirement(
        OPERATORS, "what each call costs an agent's context is counted by one stated rule"
    ),
    "seeing.saved-tokens": Requirement(
        OPERATORS, "what agents did not have to read is counted by why, kept answers included"
    ),
    "seeing.histograms": Requirement(
        OPERATORS,
        "each request is timed once, and each request to a server, in the conventions' histograms",
    ),
    "seeing.pages-unhurried": Requirement(
        OPERATORS, "however much a page has to show, no call waits until it is made"
    ),
    "seeing.exemplars": Requirement(
        OPERATORS, "a bucket names the trace of a request that fell into it"
    ),
    "seeing.counters": Requirement(
        OPERATORS, "refusals, waits, transitions of breakers and what vendors confirmed are counted"
    ),
    "seeing.bounded-labels": Requirement(
        OPERATORS, "whatever agents send, label values stay few, and none shows what was sent"
    ),
    "seeing.otlp-metrics": Requirement(
        OPERATORS, "a collector is sent the same numbers as /metrics shows, and holds nothing up"
    ),
    "seeing.session-durations": Requirement(
        OPERATORS, "sessions are timed that older clients end, and those held at older servers"
    ),
    # The page and the way in
    "seeing.page": Requirement(
        OPERATORS, "a browser at / gets a page that runs its own files alone, and nothing secret"
    ),
    "seeing.login": Requirement(
        OPERATORS, "a key opens the dashboard through a cookie that holds none and ends with it"
    ),
    "seeing.own-page": Requirement(
        OPERATORS, "what another site or port makes a logged-in browser send moves nothing"
    ),
    "seeing.login-limit": Requirement(
        OPERATORS, "who guesses keys waits after ten a minute, and nobody else does"
    ),
    "seeing.session": Requirement(
        OPERATORS, "a session may what its key may at the moment, in every part of the page"
    ),
    "seeing.connect": Requirement(
        OPERATORS, "each client's entry is shown ready to paste, a key by its variable alone"
    ),
    # The page in a browser
    "seeing.page-live": Requirement(
        OPERATORS, "a call is on the page as it happens, also in charts"
    ),
    "seeing.page-filters": Requirement(
        OPERATORS, "feed, charts and traces are narrowed by agent, server and tool, also by a link"
    ),
    "seeing.page-bounded": Requirement(
        OPERATORS, "the page stays small however many calls there are"
    ),
    "seeing.page-outages": Requirement(
        OPERATORS, "what is down is said, the rest stays readable, and nothing has to be reloaded"
    ),
    "seeing.page-breaker": Requirement(
        OPERATORS, "an admin resets a breaker on the page after a question, and nobody else does"
    ),
    "seeing.page-waterfall": Requirement(
        OPERATORS, "a trace is shown down to the last request, at an address of its own"
    ),
    "seeing.page-audit": Requirement(OPERATORS, "writes are shown to an admin, and to nobody else"),
    "seeing.page-catalogue": Requirement(USERS, "every tool is shown with what it takes and does"),
    "seeing.page-try-it": Requirement(
        USERS, "a tool is tried on the page, and a write only once it was agreed to"
    ),
    "seeing.page-connect": Requirement(USERS, "one press copies a client's entry as it is shown"),
    "seeing.page-login": Requirement(
        OPERATORS, "the page shows nothing before a key is shown, nor after it is worth nothing"
    ),
    "seeing.page-no-markup": Requirement(
        OPERATORS, "nothing that agents, servers or links say becomes markup, or turns other text"
    ),
    "seeing.page-accessible": Requirement(
        USERS, "no view breaks a rule of WCAG 2.1 AA, in either theme, at either width"
    ),
    "seeing.page-keyboard": Requirement(
        USERS, "everything is reached and done by keyboard, and the focus is seen"
    ),
    "seeing.page-widths": Requirement(USERS, "no view is wider than its window, from 360 px on"),
    "seeing.page-still": Requirement(USERS, "nothing moves for those who want it still"),
    "seeing.page-themes": Requirement(USERS, "light and dark follow the system, or one's choice"),
    "seeing.page-pictures": Requirement(USERS, "README shows the page as the tests have seen it"),
    # For operators
    "seeing.alerts": Requirement(
        OPERATORS, "each alert is raised by what it is about alone, and leads to what to do"
    ),
    "seeing.profile": Requirement(
        OPERATORS, "the profile's files are whole: pinned, on the loopback, each name defined once"
    ),
    "seeing.queries": Requirement(
        OPERATORS, "every query of dashboard and alerts answers about a router that was called"
    ),
}
