// The page's address: which view, of what, narrowed to what; shared by copying it.

/** @typedef {import("./types.js").Route} Route */
/** @typedef {import("./types.js").Filters} Filters */

export const MINUTES = [5, 15, 60];
const USUAL_MINUTES = 15;
/** @type {("agent" | "server" | "tool" | "source" | "error" | "lists")[]} */
const TEXTS = ["agent", "server", "tool", "source", "error", "lists"];
/** What clients ask to find their way, not to get something done. */
const FINDING = /^(initialize|ping|server\/discover|logging\/.*|notifications\/.*|.*\/list)$/;

/** Read an address. @param {string} hash @returns {Route} */
export function readRoute(hash) {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view = "", ...parts] = path.split("/").filter(Boolean).map(decoded);
  const given = new URLSearchParams(query);
  const minutes = Number(given.get("minutes"));
  /** @type {Filters} */
  const filters = {
    agent: "",
    server: "",
    tool: "",
    source: "",
    error: "",
    lists: "",
    minutes: MINUTES.includes(minutes) ? minutes : USUAL_MINUTES,
  };
  for (const name of TEXTS) {
    filters[name] = given.get(name) ?? "";
  }
  return { view: view || "overview", parts, filters };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Return the address of a view.
 * @param {string} view
 * @param {string[]} parts
 * @param {Filters} filters
 */
export function addressOf(view, parts, filters) {
  const query = new URLSearchParams();
  for (const name of TEXTS) {
    if (filters[name]) {
      query.set(name, filters[name]);
    }
  }
  if (filters.minutes !== USUAL_MINUTES) {
    query.set("minutes", String(filters.minutes));
  }
  const path = [view === "overview" ? "" : view, ...parts].map(encodeURIComponent).join("/");
  const text = query.toString();
  return `#/${path}${text ? `?${text}` : ""}`;
}

/**
 * Say whether a call is among those that the page is narrowed to.
 * @param {import("./types.js").Row} row
 * @param {Filters} filters
 */
export function admits(row, filters) {
  return (
    (!filters.agent || row.agent === filters.agent) &&
    (!filters.server || row.server === filters.server) &&
    (!filters.tool || row.tool === filters.tool) &&
    (Boolean(filters.lists) || Boolean(row.error) || !FINDING.test(row.method))
  );
}
