// The feed of calls as they happen: newest first, held while paused.

import { announce } from "./announce.js";
import * as api from "./api.js";
import { errorBadge, sourceBadge, titleOf } from "./call_parts.js";
import { empty, h, setText, spoken } from "./dom.js";
import { clock, counted, duration, short } from "./format.js";
import { joined, keyOf, MOST_CALLS } from "./known_calls.js";
import { addressOf, admits } from "./route.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Row} Row */

const SHOWN = 60;
const SAY_EVERY_MS = 15000;

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @returns {() => void}
 */
export function mountFeed(root, store) {
  const list = h("ol", { class: "calls", tabindex: "0", "aria-label": "Latest calls, newest first" });
  const none = h("div", {});
  const pause = h("button", { type: "button", class: "button small" });
  pause.addEventListener("click", () => store.set({ paused: !store.state.paused, held: 0 }));
  const head = h("div", { class: "card-head" }, h("h2", { id: "feed" }, "Live calls"), pause);
  root.append(h("section", { class: "card feed", "aria-labelledby": "feed" }, head, list, none));
  /** @type {Row[]} */
  let frozen = [];
  let wasPaused = false;
  const show = () => {
    const { calls, paused, held, route } = store.state;
    if (paused && !wasPaused) {
      frozen = calls;
    }
    wasPaused = paused;
    pause.setAttribute("aria-pressed", String(paused));
    setText(pause, paused ? `Resume${held ? ` (${held} new)` : ""}` : "Pause");
    const rows = (paused ? frozen : calls).filter((row) => admits(row, route.filters)).slice(0, SHOWN);
    update(list, rows, store);
    list.hidden = rows.length === 0;
    none.replaceChildren(...(rows.length === 0 ? [nothing(store)] : []));
  };
  const unwatch = store.watch(["calls", "paused", "held", "route"], show);
  const unfill = store.watch(["route", "connection", "skipped"], filling(store));
  const unsay = sayNews(store);
  return () => {
    unwatch();
    unfill();
    unsay();
  };
}

/**
 * Bring the list up to date: what stays is not touched, so that focus and scroll stay too.
 * @param {HTMLElement} list
 * @param {Row[]} rows
 * @param {Store} store
 */
function update(list, rows, store) {
  const known = new Map([...list.children].map((item) => [item.getAttribute("data-key"), item]));
  const wanted = new Set(rows.map(keyOf));
  for (const [key, item] of known) {
    if (!wanted.has(key ?? "")) {
      item.remove();
    }
  }
  /** @type {Element | null} */
  let after = null;
  for (const row of rows) {
    /** @type {Element} */
    const item = known.get(keyOf(row)) ?? callItem(row, store);
    /** @type {Element | null} */
    const expected = after ? after.nextElementSibling : list.firstElementChild;
    if (item !== expected) {
      list.insertBefore(item, expected);
    }
    after = item;
  }
}

/** @param {Row} row @param {Store} store */
function callItem(row, store) {
  const href = addressOf("traces", [row.trace_id], store.state.route.filters);
  const parts = [
    h(
      "time",
      { class: "call-time", datetime: new Date(row.started * 1000).toISOString() },
      clock(row.started),
    ),
    h("span", { class: "call-name", title: titleOf(row) }, titleOf(row)),
    h("span", { class: "call-agent" }, spoken("by "), row.agent || "–"),
    h("span", { class: "call-badges" }, errorBadge(row.error), row.source ? sourceBadge(row.source) : null),
    h("span", { class: "call-took" }, duration(row.duration_ms)),
    h(
      "span",
      { class: "call-tokens" },
      row.tokens_in || row.tokens_out ? `${short(row.tokens_in)} → ${short(row.tokens_out)} tok` : "",
    ),
  ];
  const link = h("a", { href, class: "call", "data-bad": Boolean(row.error) && "true" }, ...parts);
  return h("li", { "data-key": keyOf(row) }, link);
}

/** @param {Store} store */
function nothing(store) {
  const { filters } = store.state.route;
  if (filters.agent || filters.server || filters.tool) {
    return empty("No call among these filters", h("p", {}, "Clear the filters to see all calls."));
  }
  const connect = h("a", { href: addressOf("connect", [], filters) }, "connect a client");
  const first = h("code", {}, "trunkline call list_projects");
  return empty(
    "No call yet",
    h("p", {}, "Calls appear here as they happen: ", connect, ", or try one: ", first),
  );
}

/** Return what fetches the calls that the stream has not told. @param {Store} store */
function filling(store) {
  let asked = "";
  return () => {
    const { connection, route, skipped } = store.state;
    const { agent, server, tool } = route.filters;
    const question = JSON.stringify([agent, server, tool, connection.since, skipped]);
    if (connection.state !== "live" || question === asked) {
      return;
    }
    asked = question;
    api.traces({ ...route.filters, source: "", error: "" }, MOST_CALLS).then(
      ({ traces }) => store.set({ calls: joined(store.state.calls, traces) }),
      () => announce("Earlier calls could not be read"),
    );
  };
}

/** Tell screen readers how many calls there were, now and then. @param {Store} store */
function sayNews(store) {
  let newest = Date.now() / 1000;
  const timer = window.setInterval(() => {
    const { calls, paused, route } = store.state;
    const fresh = calls.filter((row) => row.started > newest && admits(row, route.filters));
    if (fresh.length && !paused) {
      const bad = fresh.filter((row) => row.error).length;
      announce(`${counted(fresh.length, "new call")}${bad ? `, ${counted(bad, "error")}` : ""}`);
    }
    newest = Math.max(newest, calls[0]?.started ?? 0);
  }, SAY_EVERY_MS);
  return () => window.clearInterval(timer);
}
