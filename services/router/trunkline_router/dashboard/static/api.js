// The router's HTTP API: one function per question, and failures that say what to do.

/** @typedef {import("./types.js").Filters} Filters */

export class ApiFailure extends Error {
  /** @param {number} status 0 when the router was not reached @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Ask the router; return its JSON. Throws ApiFailure.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, options = {}) {
  const response = await reach(path, options);
  const text = await response.text();
  /** @type {any} */
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    body = null;
  }
  if (!response.ok) {
    throw new ApiFailure(response.status, messageOf(body, response.status));
  }
  return body;
}

/**
 * Return the router's answer, whatever it says. Throws ApiFailure when there is none.
 * @param {string} path
 * @param {RequestInit} options
 */
export async function reach(path, options) {
  try {
    return await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") {
      throw error;
    }
    throw new ApiFailure(0, "The router was not reached. It may be restarting.");
  }
}

/** @param {any} body @param {number} status */
function messageOf(body, status) {
  const error = body?.error;
  if (typeof error === "string") {
    return body.fix ? `${error} ${body.fix}` : error;
  }
  if (typeof error?.message === "string") {
    return error.message;
  }
  return typeof body?.message === "string" ? body.message : `The router answered with status ${status}.`;
}

/** @param {string} path @param {unknown} body */
function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/**
 * Return the narrowing that a question carries, as a query.
 * @param {Filters} filters
 * @param {(keyof Filters)[]} names
 */
function queryOf(filters, names) {
  const query = new URLSearchParams();
  for (const name of names) {
    if (filters[name]) {
      query.set(name, String(filters[name]));
    }
  }
  return query;
}

/** @returns {Promise<import("./types.js").Session>} */
export const session = () => ask("api/session");

/** @param {Filters} filters @returns {Promise<import("./types.js").Series>} */
export const series = (filters) =>
  ask(`api/series?${queryOf(filters, ["server", "agent", "tool", "minutes"])}`);

/**
 * @param {Filters} filters
 * @param {number} limit
 * @param {AbortSignal} [signal]
 * @returns {Promise<{kept: number, limit: number, traces: import("./types.js").Row[]}>}
 */
export function traces(filters, limit, signal) {
  const query = queryOf(filters, ["server", "agent", "tool", "source", "error"]);
  query.set("limit", String(limit));
  return ask(`api/traces?${query}`, { signal: signal ?? null });
}

/** @param {string} id @param {AbortSignal} [signal] @returns {Promise<import("./types.js").Trace>} */
export const trace = (id, signal) => ask(`api/traces/${encodeURIComponent(id)}`, { signal: signal ?? null });

/** @returns {Promise<import("./types.js").Tokens>} */
export const tokens = () => ask("api/tokens");

/** @returns {Promise<{records: import("./types.js").AuditRecord[]}>} */
export const audit = () => ask("api/audit?limit=200");

/** @returns {Promise<{clients: import("./types.js").ClientText[]}>} */
export const connect = () => ask("api/connect");

/** @param {string} server @returns {Promise<import("./types.js").BreakerShown>} */
export const resetBreaker = (server) => post(`api/servers/${encodeURIComponent(server)}/breaker`, {});

/** @param {string} key */
export const login = (key) => post("login", { key });

export const logout = () => post("logout", {});
