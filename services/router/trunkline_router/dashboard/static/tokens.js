// Tokens by agent, server and tool, and what was saved.

import * as api from "./api.js";
import { empty, h, scrolling, setText } from "./dom.js";
import { whole } from "./format.js";
import { addressOf } from "./route.js";

/** @typedef {import("./types.js").Tokens} Tokens */
/** @typedef {import("./types.js").TokenRow} TokenRow */

/** @type {Record<string, string>} */
const SAVED = { fields: "Fields not asked for", truncation: "Cut long texts", logs: "Trimmed logs" };
/** @type {(keyof TokenRow)[]} */
const TEXTS = ["agent", "server", "tool"];
/** @type {[keyof TokenRow, string][]} */
const NUMBERS = [
  ["calls", "Calls"],
  ["tokens_in", "Tokens in"],
  ["tokens_out", "Tokens out"],
];

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @returns {() => void}
 */
export function mountTokens(root, { store }) {
  const rule = h("p", { class: "muted" });
  const saved = h("dl", { class: "tiles" });
  const body = h("tbody", {});
  const foot = h("tfoot", {});
  const table = tokensTable(body, foot);
  const none = h("div", {});
  root.append(
    rule,
    h("h2", {}, "Saved"),
    saved,
    h("h2", {}, "By agent, server and tool"),
    h("div", { class: "card flush" }, table, none),
  );
  api.tokens().then(
    (tokens) => store.set({ tokens }),
    (error) => setText(rule, error.message),
  );
  return store.watch(["tokens"], () => {
    const { tokens } = store.state;
    if (!tokens) {
      return;
    }
    setText(rule, tokens.rule);
    saved.replaceChildren(...savedTiles(tokens));
    const rows = [...tokens.rows].sort(
      (one, other) => other.tokens_out + other.tokens_in - one.tokens_out - one.tokens_in,
    );
    body.replaceChildren(...rows.map(tokenRow));
    foot.replaceChildren(sumRow(rows));
    table.hidden = rows.length === 0;
    const connect = h("a", { href: addressOf("connect", [], store.state.route.filters) }, "Connect a client");
    none.replaceChildren(
      ...(rows.length
        ? []
        : [empty("No call yet", h("p", {}, connect, " and its tokens are counted here."))]),
    );
  });
}

/** @param {Tokens} tokens */
function savedTiles(tokens) {
  const tiles = Object.entries(tokens.saved).map(([name, count]) =>
    tile(SAVED[name] ?? name, count, "tokens saved since start"),
  );
  return tokens.from_cache === undefined
    ? tiles
    : [...tiles, tile("Read from the cache", tokens.from_cache, "tokens that cost no call")];
}

/** @param {string} name @param {number} count @param {string} note */
function tile(name, count, note) {
  const value = h("span", { class: "tile-value" }, whole(count));
  return h(
    "div",
    { class: "tile" },
    h("dt", {}, name),
    h("dd", {}, value, h("span", { class: "tile-note" }, note)),
  );
}

/** @param {HTMLElement} body @param {HTMLElement} foot */
function tokensTable(body, foot) {
  const heads = [
    ...["Agent", "Server", "Tool"].map((name) => h("th", { scope: "col" }, name)),
    ...NUMBERS.map(([, name]) => h("th", { scope: "col", class: "number" }, name)),
  ];
  const caption = h("caption", { class: "spoken" }, "Tokens by agent, server and tool, most first");
  return scrolling(
    "Tokens",
    h("table", {}, caption, h("thead", {}, h("tr", {}, ...heads)), body, foot),
  );
}

/** @param {TokenRow} row */
function tokenRow(row) {
  const texts = TEXTS.map((name) => h("td", {}, row[name] || "–"));
  const numbers = NUMBERS.map(([name]) => h("td", { class: "number" }, whole(Number(row[name]))));
  return h("tr", {}, ...texts, ...numbers);
}

/** @param {TokenRow[]} rows */
function sumRow(rows) {
  const sums = NUMBERS.map(([name]) =>
    h("td", { class: "number" }, whole(rows.reduce((sum, row) => sum + Number(row[name]), 0))),
  );
  return h("tr", {}, h("th", { scope: "row", colspan: "3" }, "All"), ...sums);
}
