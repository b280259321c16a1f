// The shapes of what the router tells and of what the page remembers, as JSDoc types.

/**
 * @typedef {object} Row One call, as lists show it.
 * @property {string} trace_id
 * @property {string} name
 * @property {string} method
 * @property {string} tool
 * @property {string} server
 * @property {string} agent
 * @property {string} source
 * @property {string} error empty when all went well
 * @property {number} started seconds since the epoch
 * @property {number} duration_ms
 * @property {number} spans
 * @property {number} tokens_in
 * @property {number} tokens_out
 * @property {number | null} [age_ms]
 */

/**
 * @typedef {object} SpanShown One span of a trace.
 * @property {string} span_id
 * @property {string} parent_id empty for a root
 * @property {string} name
 * @property {string} kind
 * @property {string} service
 * @property {number} offset_ms
 * @property {number} duration_ms
 * @property {string} error
 * @property {Record<string, unknown>} attributes
 * @property {{trace_id: string, span_id: string}[]} links
 */

/**
 * @typedef {object} Trace
 * @property {string} trace_id
 * @property {boolean} complete
 * @property {number} started
 * @property {number} duration_ms
 * @property {Row | null} row
 * @property {SpanShown[]} spans parents before their children
 */

/**
 * @typedef {object} BreakerShown
 * @property {string} state closed, open or half-open
 * @property {number} consecutiveFailures
 * @property {number} lastFailureTime milliseconds since the epoch, 0 for never
 * @property {number | null} opened_at milliseconds since the epoch
 * @property {number} resets_in_s
 * @property {number} probes
 */

/**
 * @typedef {object} ServerShown
 * @property {boolean} available
 * @property {{p50: number | null, p99: number | null}} latency_ms
 * @property {number} tools
 * @property {number} in_flight
 * @property {number} queued
 * @property {BreakerShown} breaker
 * @property {string} [last_error]
 */

/**
 * @typedef {object} CacheShown
 * @property {boolean} on
 * @property {string} mode
 * @property {number} calls_saved
 * @property {number} quota_saved
 * @property {number | null} hit_ratio
 */

/**
 * @typedef {object} QuotaShown
 * @property {string} [credential]
 * @property {string} [resource]
 * @property {number} [limit]
 * @property {number} [remaining]
 * @property {number} [resets_in_s]
 * @property {string[]} [tools]
 */

/**
 * @typedef {object} Status
 * @property {Record<string, ServerShown>} servers
 * @property {CacheShown} cache
 * @property {QuotaShown[]} quota
 */

/**
 * @typedef {object} Point
 * @property {number} at seconds since the epoch
 * @property {number} calls
 * @property {number} errors
 * @property {number} hits
 * @property {number} upstream
 * @property {number | null} p50_ms
 * @property {number | null} p95_ms
 * @property {number | null} p99_ms
 * @property {number} tokens_in
 * @property {number} tokens_out
 */

/**
 * @typedef {object} Series
 * @property {number} step_s
 * @property {string[]} agents
 * @property {string[]} servers
 * @property {string[]} tools
 * @property {Point[]} points
 */

/**
 * @typedef {object} TokenRow
 * @property {string} agent
 * @property {string} server
 * @property {string} tool
 * @property {number} calls
 * @property {number} tokens_in
 * @property {number} tokens_out
 */

/**
 * @typedef {object} Tokens
 * @property {string} rule
 * @property {TokenRow[]} rows
 * @property {Record<string, number>} saved tokens that agents did not have to read
 * @property {number} [from_cache] tokens of answers that were kept
 */

/**
 * @typedef {object} AuditRecord
 * @property {string} time
 * @property {string | null} [key]
 * @property {string} [subject]
 * @property {string} server
 * @property {string} tool
 * @property {Record<string, unknown>} arguments
 * @property {string} result
 * @property {boolean} [may_have_happened]
 * @property {Record<string, unknown>} [made]
 * @property {number} duration_ms
 * @property {string} trace_id
 */

/**
 * @typedef {object} Session
 * @property {string} subject
 * @property {string[]} scopes
 * @property {boolean} authenticates
 * @property {string} version
 * @property {string} [base]
 */

/**
 * @typedef {object} ClientText How one client is connected.
 * @property {string} client
 * @property {string} file
 * @property {string} format
 * @property {string} text
 * @property {string} command
 * @property {string} note
 */

/** @typedef {Record<string, any>} Schema A JSON Schema. */

/**
 * @typedef {object} Tool One entry of tools/list.
 * @property {string} name
 * @property {string} [title]
 * @property {string} [description]
 * @property {Record<string, unknown>} [annotations]
 * @property {Schema} inputSchema
 * @property {Schema} [outputSchema]
 * @property {Record<string, any>} [_meta]
 */

/**
 * @typedef {object} Filters What charts, feed and traces are narrowed to.
 * @property {string} agent
 * @property {string} server
 * @property {string} tool
 * @property {string} source
 * @property {string} error
 * @property {string} lists whether listings and greetings are shown too
 * @property {number} minutes
 */

/**
 * @typedef {object} Route Where the page is, as its address says.
 * @property {string} view
 * @property {string[]} parts
 * @property {Filters} filters
 */

/**
 * @typedef {object} Connection How the live stream stands.
 * @property {"connecting" | "live" | "lost" | "refused"} state
 * @property {number} since milliseconds since the epoch
 * @property {number} retryAt milliseconds since the epoch, 0 when none is planned
 */

/**
 * @typedef {object} State
 * @property {Session | null} session
 * @property {Connection} connection
 * @property {Status | null} status
 * @property {number} statusAt milliseconds since the epoch, 0 for never
 * @property {Series | null} series
 * @property {Tokens | null} tokens
 * @property {Row[]} calls newest first
 * @property {boolean} paused
 * @property {number} held calls that came while paused
 * @property {number} skipped calls that were too many to be told
 * @property {Route} route
 */

export {};
