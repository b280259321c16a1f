// Which values a schema's limits allow, and what is said of those it does not.

/** A value that cannot be sent, and why. */
export class Fault extends Error {}

/** @type {[string, (value: any, limit: any) => boolean, (limit: any) => string][]} */
const CHECKS = [
  ["minimum", (value, limit) => typeof value !== "number" || value >= limit, (limit) => `At least ${limit}.`],
  ["maximum", (value, limit) => typeof value !== "number" || value <= limit, (limit) => `At most ${limit}.`],
  [
    "minLength",
    (value, limit) => typeof value !== "string" || [...value].length >= limit,
    (limit) => `At least ${limit} characters.`,
  ],
  [
    "maxLength",
    (value, limit) => typeof value !== "string" || [...value].length <= limit,
    (limit) => `At most ${limit} characters.`,
  ],
  [
    "minItems",
    (value, limit) => !Array.isArray(value) || value.length >= limit,
    (limit) => `At least ${limit} entries.`,
  ],
  [
    "maxItems",
    (value, limit) => !Array.isArray(value) || value.length <= limit,
    (limit) => `At most ${limit} entries.`,
  ],
  [
    "pattern",
    (value, limit) => typeof value !== "string" || matches(value, limit),
    (limit) => `Must match ${limit}.`,
  ],
];

/**
 * A pattern that browsers do not read is left to the server.
 * @param {string} value
 * @param {string} pattern
 */
function matches(value, pattern) {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

/**
 * Throw Fault for a value that its schema does not allow, as far as a form can tell.
 * @param {unknown} value
 * @param {import("./types.js").Schema} schema
 */
export function check(value, schema) {
  for (const [name, holds, say] of CHECKS) {
    if (schema[name] !== undefined && !holds(value, schema[name])) {
      throw new Fault(say(schema[name]));
    }
  }
}
