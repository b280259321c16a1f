// The parts that every list of calls shows: its name, where the answer came from, how it ended.

import { h } from "./dom.js";

/** @typedef {import("./types.js").Row} Row */

/** Where an answer may come from. */
export const SOURCES = ["upstream", "cache", "coalesced", "stale"];

/** @param {Row} row */
export function titleOf(row) {
  if (!row.tool) {
    return row.method || row.name;
  }
  return row.server ? `${row.server}.${row.tool}` : row.tool;
}

/** Return a badge that says where the answer came from; a refused call has none. @param {string} source */
export function sourceBadge(source) {
  if (!source) {
    return h("span", { class: "muted" }, "–");
  }
  const kind = SOURCES.includes(source) ? source : "none";
  return h("span", { class: "badge", "data-source": kind }, source);
}

/** Return a badge for an error, or nothing. @param {string} error */
export function errorBadge(error) {
  return error ? h("span", { class: "badge", "data-kind": "bad" }, error) : null;
}
