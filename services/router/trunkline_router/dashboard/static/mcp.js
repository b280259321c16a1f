// MCP 2026-07-28 towards the router: lists tools and calls one, as any client would.

import { ApiFailure, reach } from "./api.js";

/** @typedef {import("./types.js").Tool} Tool */

const PROTOCOL = "2026-07-28";
const PREFIX = "io.modelcontextprotocol";

/**
 * Return the fields that every request carries.
 * @param {string} version of the page
 */
export function metaOf(version) {
  return {
    [`${PREFIX}/protocolVersion`]: PROTOCOL,
    [`${PREFIX}/clientCapabilities`]: {},
    [`${PREFIX}/clientInfo`]: { name: "trunkline-dashboard", version: version || "0" },
  };
}

/**
 * Return the headers that mirror a body.
 * @param {string} method
 * @param {string} [name]
 * @param {Record<string, string>} [own]
 * @returns {Record<string, string>}
 */
export function headersOf(method, name, own = {}) {
  return {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": PROTOCOL,
    "Mcp-Method": method,
    ...(name ? { "Mcp-Name": headerText(name) } : {}),
    ...own,
  };
}

/** Return a text as a header may carry it. @param {string} text */
function headerText(text) {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  if (isPlain) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

/**
 * Return the headers for arguments that a tool's schema wants mirrored.
 * @param {Tool} tool
 * @param {Record<string, unknown>} given
 */
export function mirrored(tool, given) {
  /** @type {Record<string, string>} */
  const headers = {};
  for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
    const header = schema["x-mcp-header"];
    const value = given[name];
    if (typeof header === "string" && value !== undefined && value !== null) {
      headers[`Mcp-Param-${header}`] = headerText(String(value));
    }
  }
  return headers;
}

/**
 * Send one request; return its result. Throws ApiFailure.
 * @param {string} server
 * @param {string} method
 * @param {Record<string, unknown>} params
 * @param {{version: string, name?: string, own?: Record<string, string>, signal?: AbortSignal}} given
 * @returns {Promise<any>}
 */
async function request(server, method, params, given) {
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: metaOf(given.version) } };
  const response = await reach(`servers/${encodeURIComponent(server)}/mcp`, {
    method: "POST",
    headers: headersOf(method, given.name, given.own),
    body: JSON.stringify(body),
    signal: given.signal ?? null,
  });
  const answer = answerIn(await response.text(), response.headers.get("Content-Type") ?? "");
  if (answer?.result) {
    return answer.result;
  }
  const error = answer?.error;
  const message = typeof error === "string" ? error : error?.message;
  const code = typeof error?.code === "number" ? ` (${error.code})` : "";
  throw new ApiFailure(
    response.status,
    message ? `${message}${code}` : `The router answered with status ${response.status}.`,
  );
}

/**
 * Return the answer in a body: the body itself, or the last message of a stream that is one.
 * @param {string} text
 * @param {string} type
 */
function answerIn(text, type) {
  const texts = type.startsWith("text/event-stream") ? text.split(/\r?\n\r?\n/).map(dataOf) : [text];
  const messages = texts.map(parsed).filter((message) => message !== null && typeof message === "object");
  return messages.findLast((message) => "result" in message || "error" in message) ?? null;
}

/** @param {string} event */
function dataOf(event) {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.map((line) => line.slice(5).trimStart()).join("\n");
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const REMEMBERED_MS = 60000;
/** @type {Map<string, {at: number, tools: Promise<Tool[]>}>} */
const remembered = new Map();

/**
 * Return all tools of a server; asked for again once a minute at most.
 * @param {string} server
 * @param {string} version
 * @returns {Promise<Tool[]>}
 */
export function listTools(server, version) {
  const known = remembered.get(server);
  if (known && Date.now() - known.at < REMEMBERED_MS) {
    return known.tools;
  }
  const tools = allPages(server, version);
  remembered.set(server, { at: Date.now(), tools });
  tools.catch(() => remembered.delete(server));
  return tools;
}

/** Forget what was listed: another reader may see other tools. */
export function forgetTools() {
  remembered.clear();
}

/**
 * @param {string} server
 * @param {string} version
 */
async function allPages(server, version) {
  /** @type {Tool[]} */
  const tools = [];
  let cursor;
  do {
    const page = await request(server, "tools/list", cursor ? { cursor } : {}, { version });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

/**
 * Call a tool; return the whole result, an error of the tool included.
 * @param {string} server
 * @param {Tool} tool
 * @param {Record<string, unknown>} given
 * @param {{version: string, signal: AbortSignal}} how
 */
export function callTool(server, tool, given, { version, signal }) {
  const params = { name: tool.name, arguments: given };
  return request(server, "tools/call", params, {
    version,
    signal,
    name: tool.name,
    own: mirrored(tool, given),
  });
}
