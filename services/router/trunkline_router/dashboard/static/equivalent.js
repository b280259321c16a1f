// The same call for a terminal: as `trunkline call`, and as curl.

import { headersOf, metaOf, mirrored } from "./mcp.js";

/** @typedef {import("./types.js").Tool} Tool */
/** @typedef {import("./types.js").Session} Session */

/** Where `trunkline` looks for a router by itself. */
const USUAL = "http://127.0.0.1:8470";

/** @param {Session | null} session */
function baseOf(session) {
  return (session?.base || location.origin).replace(/\/$/, "");
}

/** Return a text as one word of a POSIX shell. @param {string} text */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {string} server
 * @param {Tool} tool
 * @param {Record<string, unknown>} given
 * @param {Session | null} session
 */
export function cliCommand(server, tool, given, session) {
  const base = baseOf(session);
  const where = base === USUAL ? [] : [`TRUNKLINE_PUBLIC_URL=${quoted(base)}`];
  const words = Object.entries(given).map(([name, value]) => quoted(`${name}=${wordOf(value)}`));
  return [...where, "trunkline call", quoted(`${server}.${tool.name}`), ...words].join(" ");
}

/** A text that reads as JSON is given as JSON, so that it stays a text. @param {unknown} value */
function wordOf(value) {
  if (typeof value !== "string") {
    return JSON.stringify(value);
  }
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return /^[@-]/.test(value) || value === "" ? JSON.stringify(value) : value;
  }
}

/**
 * @param {string} server
 * @param {Tool} tool
 * @param {Record<string, unknown>} given
 * @param {Session | null} session
 */
export function curlCommand(server, tool, given, session) {
  const params = { name: tool.name, arguments: given, _meta: metaOf(session?.version ?? "") };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = Object.entries(headersOf("tools/call", tool.name, mirrored(tool, given)));
  const lines = headers.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`);
  if (session?.authenticates) {
    lines.push('  -H "Authorization: Bearer $TRUNKLINE_API_KEY"');
  }
  return [`curl -sS ${quoted(`${baseOf(session)}/servers/${server}/mcp`)}`, ...lines, `  -d ${quoted(body)}`].join(
    " \\\n",
  );
}
