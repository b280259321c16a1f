// The calls that the page has heard of: how many are kept, and which of them are the same.

/** @typedef {import("./types.js").Row} Row */

export const MOST_CALLS = 300;

/** Return what tells a call from all others. @param {Row} row */
export function keyOf(row) {
  return `${row.trace_id}/${row.started}`;
}

/** Return the newest of both, each once; what `one` says of a call stands. @param {Row[]} one @param {Row[]} other */
export function joined(one, other) {
  const all = new Map([...other, ...one].map((row) => [keyOf(row), row]));
  return [...all.values()].sort((a, b) => b.started - a.started).slice(0, MOST_CALLS);
}
