// JSON Schemas as far as tools use them: references followed, null set apart, types in words.

import { counted } from "./format.js";

/** @typedef {import("./types.js").Schema} Schema */

const DEEPEST_REFERENCE = 10;

/**
 * Return what a schema says when references are followed and null is set apart.
 * @param {Schema} schema
 * @param {Schema} root
 * @returns {{schema: Schema, nullable: boolean}}
 */
export function resolved(schema, root) {
  let current = schema;
  let nullable = false;
  for (let depth = 0; depth < DEEPEST_REFERENCE; depth += 1) {
    const step = once(current, root);
    nullable ||= step.nullable;
    if (step.schema === current) {
      break;
    }
    current = { ...told(current), ...step.schema };
  }
  return { schema: current, nullable };
}

/** @param {Schema} schema @param {Schema} root */
function once(schema, root) {
  if (typeof schema.$ref === "string") {
    return { schema: pointed(schema.$ref, root), nullable: false };
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) {
    const others = options.filter((option) => option.type !== "null");
    if (others.length === 1) {
      return { schema: others[0], nullable: others.length < options.length };
    }
  }
  if (Array.isArray(schema.allOf) && schema.allOf.length === 1) {
    return { schema: schema.allOf[0], nullable: false };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    if (types.length === 1) {
      return { schema: { ...schema, type: types[0] }, nullable: types.length < schema.type.length };
    }
  }
  return { schema, nullable: false };
}

/** What the outer schema says beside the reference stays. @param {Schema} schema */
function told(schema) {
  const { description, default: usual, title } = schema;
  return {
    ...(description ? { description } : {}),
    ...(title ? { title } : {}),
    ...(usual === undefined ? {} : { default: usual }),
  };
}

/** @param {string} pointer @param {Schema} root @returns {Schema} */
function pointed(pointer, root) {
  /** @type {any} */
  let at = root;
  for (const part of pointer.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    at = at?.[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return at ?? {};
}

/**
 * Return a type in words: `list of string`, `integer or null`, `one of a, b`.
 * @param {Schema} given
 * @param {Schema} root
 * @returns {string}
 */
export function typeText(given, root) {
  const { schema, nullable } = resolved(given, root);
  return nullable ? `${bareText(schema, root)} or null` : bareText(schema, root);
}

/** @param {Schema} schema @param {Schema} root @returns {string} */
function bareText(schema, root) {
  if (Array.isArray(schema.enum)) {
    return `one of ${schema.enum.map(String).join(", ")}`;
  }
  if ("const" in schema) {
    return `always ${JSON.stringify(schema.const)}`;
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) {
    return options.map((option) => typeText(option, root)).join(" or ");
  }
  if (schema.type === "array") {
    return schema.items ? `list of ${typeText(schema.items, root)}` : "list";
  }
  return schema.format ? `${schema.type ?? "any"} (${schema.format})` : String(schema.type ?? "any");
}

/** @type {[string, (value: any) => string][]} */
const LIMITS = [
  ["minimum", (value) => `at least ${value}`],
  ["maximum", (value) => `at most ${value}`],
  ["exclusiveMinimum", (value) => `more than ${value}`],
  ["exclusiveMaximum", (value) => `less than ${value}`],
  ["minLength", (value) => `at least ${counted(value, "character")}`],
  ["maxLength", (value) => `up to ${counted(value, "character")}`],
  ["minItems", (value) => `at least ${counted(value, "entry", "entries")}`],
  ["maxItems", (value) => `up to ${counted(value, "entry", "entries")}`],
  ["pattern", (value) => `matches ${value}`],
];

/** Return a schema's limits and default in words. @param {Schema} given @param {Schema} root */
export function limitsText(given, root) {
  const { schema } = resolved(given, root);
  const limits = LIMITS.filter(([name]) => schema[name] !== undefined).map(([name, say]) =>
    say(schema[name]),
  );
  const usual = schema.default;
  const isTold = usual !== undefined && usual !== null && usual !== "" && JSON.stringify(usual) !== "[]";
  return [...limits, ...(isTold ? [`default ${JSON.stringify(usual)}`] : [])].join(", ");
}

/**
 * Return the properties of what a schema describes, looking through lists.
 * @param {Schema} given
 * @param {Schema} root
 * @returns {Schema | null}
 */
export function objectIn(given, root) {
  const { schema } = resolved(given, root);
  if (schema.type === "array" && schema.items) {
    return objectIn(schema.items, root);
  }
  return schema.properties ? schema : null;
}
