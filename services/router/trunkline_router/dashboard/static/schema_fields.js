// One field of a form per property of a schema: what is shown, what is read out of it.

import { h } from "./dom.js";
import { messageOf } from "./format.js";
import { limitsText, resolved } from "./schema.js";
import { check, Fault } from "./schema_checks.js";

/** @typedef {import("./types.js").Schema} Schema */
/** @typedef {"choice" | "boolean" | "number" | "text" | "long" | "lines" | "json"} Kind */
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {boolean} required
 * @property {HTMLElement} element
 * @property {Control} control
 * @property {() => unknown} read `undefined` for what is not sent; throws Fault
 * @property {(message: string) => void} blame shows a fault, or takes it back
 */

const LONG_NAMES = /body|content|text|description|patch|message|jql|query|suggestion/i;
const SIMPLE = new Set(["string", "integer", "number"]);
let fieldsMade = 0;

/** @param {string} name @param {Schema} schema @param {Schema} root @returns {Kind} */
function kindOf(name, schema, root) {
  if (Array.isArray(schema.enum)) {
    return "choice";
  }
  if (schema.type === "boolean") {
    return "boolean";
  }
  if (schema.type === "integer" || schema.type === "number") {
    return "number";
  }
  if (schema.type === "string") {
    return LONG_NAMES.test(name) && !schema.format ? "long" : "text";
  }
  const items = schema.type === "array" && schema.items ? resolved(schema.items, root).schema : null;
  return items && SIMPLE.has(items.type) ? "lines" : "json";
}

/** Return the default that is worth showing, or null. @param {Schema} schema */
function usualOf(schema) {
  return schema.default === undefined || schema.default === "" ? null : schema.default;
}

/** @param {Schema} schema @param {boolean} required @param {unknown[]} values */
function selectOf(schema, required, values) {
  const usual = usualOf(schema) === null ? "" : ` (default ${usualOf(schema)})`;
  const none = h("option", { value: "" }, required ? "Choose …" : `Not sent${usual}`);
  return h(
    "select",
    {},
    none,
    ...values.map((value) => h("option", { value: String(value) }, String(value))),
  );
}

/** @param {Kind} kind @param {Schema} schema @param {boolean} required @returns {Control} */
function controlOf(kind, schema, required) {
  const usual = usualOf(schema);
  switch (kind) {
    case "choice":
      return selectOf(schema, required, schema.enum);
    case "boolean":
      return selectOf(schema, required, [true, false]);
    case "number":
      return h("input", {
        type: "text",
        inputmode: schema.type === "integer" ? "numeric" : "decimal",
        placeholder: usual,
      });
    case "text":
      return h("input", { type: "text", placeholder: usual, spellcheck: "false" });
    case "long":
      return h("textarea", { rows: "3", placeholder: usual });
    case "lines":
      return h("textarea", { rows: "2", spellcheck: "false", placeholder: "one per line" });
    case "json":
      return h("textarea", {
        rows: "4",
        spellcheck: "false",
        class: "mono",
        placeholder: schema.type === "array" ? "[ … ]" : "{ … }",
      });
  }
}

/**
 * @param {string} name
 * @param {Schema} given
 * @param {{root: Schema, required: boolean, note: string}} more
 * @returns {Field}
 */
export function fieldOf(name, given, { root, required, note }) {
  const { schema } = resolved(given, root);
  const kind = kindOf(name, schema, root);
  const control = controlOf(kind, schema, required);
  // Names may hold blanks, which would part an id into several.
  fieldsMade += 1;
  const id = `argument-${fieldsMade}`;
  const fault = h("p", { class: "fault", id: `${id}-fault` });
  const told = [
    schema.description,
    kind === "lines" ? "One entry per line." : "",
    kind === "json" ? "As JSON." : "",
    limitsText(given, root),
  ];
  const help = told.filter(Boolean).join(" · ");
  control.id = id;
  control.name = name;
  control.setAttribute("aria-describedby", `${id}-help ${id}-fault`);
  control.setAttribute("aria-required", String(required));
  const mark = required
    ? h("span", { class: "tag" }, "required")
    : note
      ? h("span", { class: "tag soft" }, note)
      : null;
  const label = h("label", { for: id }, h("code", {}, name), " ", mark);
  const element = h(
    "div",
    { class: "field" },
    label,
    control,
    h("p", { class: "help", id: `${id}-help` }, help),
    fault,
  );
  const blame = (/** @type {string} */ message) => {
    fault.textContent = message;
    control.setAttribute("aria-invalid", String(Boolean(message)));
  };
  const read = () => readValue(kind, control.value, schema, required, root);
  return { name, required, element, control, read, blame };
}

/**
 * @param {Kind} kind
 * @param {string} raw
 * @param {Schema} schema
 * @param {boolean} required
 * @param {Schema} root
 */
function readValue(kind, raw, schema, required, root) {
  if (raw.trim() === "") {
    if (required) {
      throw new Fault("This is required.");
    }
    return undefined;
  }
  const value = valueOf(kind, raw, schema, root);
  check(value, schema);
  return value;
}

/** @param {Kind} kind @param {string} raw @param {Schema} schema @param {Schema} root @returns {unknown} */
function valueOf(kind, raw, schema, root) {
  switch (kind) {
    case "choice":
      return schema.enum.find((/** @type {unknown} */ value) => String(value) === raw);
    case "boolean":
      return raw === "true";
    case "number":
      return numberOf(raw, schema.type === "integer");
    case "lines":
      return linesOf(raw, resolved(schema.items, root).schema);
    case "json":
      return jsonOf(raw);
    default:
      return raw;
  }
}

/** @param {string} raw @param {boolean} isWhole */
function numberOf(raw, isWhole) {
  const value = Number(raw.trim());
  if (!Number.isFinite(value) || (isWhole && !Number.isInteger(value))) {
    throw new Fault(isWhole ? "Must be a whole number." : "Must be a number.");
  }
  return value;
}

/** @param {string} raw @param {Schema} items */
function linesOf(raw, items) {
  const lines = raw
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const values =
    items.type === "string" ? lines : lines.map((line) => numberOf(line, items.type === "integer"));
  const strange = Array.isArray(items.enum) ? values.find((value) => !items.enum.includes(value)) : undefined;
  if (strange !== undefined) {
    throw new Fault(`${strange} is none of ${items.enum.join(", ")}.`);
  }
  return values;
}

/** @param {string} raw */
function jsonOf(raw) {
  try {
    return JSON.parse(raw);
  } catch (error) {
    throw new Fault(`This is no JSON: ${messageOf(error)}`);
  }
}
