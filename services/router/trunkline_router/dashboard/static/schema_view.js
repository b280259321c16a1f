// A schema as people read it: each property with its type, limits and description.

import { copyable } from "./copy.js";
import { h } from "./dom.js";
import { json } from "./format.js";
import { limitsText, objectIn, resolved, typeText } from "./schema.js";

/** @typedef {import("./types.js").Schema} Schema */

const DEEPEST = 3;

/**
 * @param {Schema | undefined} schema
 * @param {string} what
 * @param {boolean} [marks] whether it says what is required
 */
export function schemaView(schema, what, marks = true) {
  if (!schema) {
    return h("p", { class: "muted" }, "Not declared.");
  }
  const raw = h(
    "details",
    {},
    h("summary", {}, "As JSON Schema"),
    copyable(json(schema), `${what} as JSON Schema`),
  );
  const list = propertyList(schema, schema, 0, marks);
  return h("div", { class: "schema" }, list ?? h("p", { class: "muted" }, "Takes nothing."), raw);
}

/**
 * @param {Schema} given
 * @param {Schema} root
 * @param {number} depth
 * @param {boolean} marks
 * @returns {HTMLElement | null}
 */
function propertyList(given, root, depth, marks) {
  const object = objectIn(given, root);
  const properties = Object.entries(object?.properties ?? {});
  if (!object || properties.length === 0 || depth > DEEPEST) {
    return null;
  }
  const required = new Set(marks ? (object.required ?? []) : []);
  return h(
    "ul",
    { class: "properties" },
    ...properties.map(([name, schema]) => propertyItem(name, schema, { root, depth, required, marks })),
  );
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {{root: Schema, depth: number, required: Set<string>, marks: boolean}} given
 */
function propertyItem(name, schema, { root, depth, required, marks }) {
  const limits = limitsText(schema, root);
  const { description } = resolved(schema, root).schema;
  return h(
    "li",
    {},
    h("code", { class: "property" }, name),
    " ",
    h("span", { class: "type" }, typeText(schema, root)),
    required.has(name) ? h("span", { class: "tag" }, "required") : null,
    limits ? h("span", { class: "muted" }, ` ${limits}`) : null,
    description ? h("p", {}, String(description)) : null,
    propertyList(schema, root, depth + 1, marks),
  );
}
