// The list of kept traces, newest first, and the way to one of them.

import { announce } from "./announce.js";
import * as api from "./api.js";
import { errorBadge, SOURCES, sourceBadge, titleOf } from "./call_parts.js";
import { empty, h, scrolling, setText } from "./dom.js";
import { narrow } from "./filters.js";
import { clock, counted, duration, messageOf, moment, whole } from "./format.js";
import { addressOf, admits } from "./route.js";
import { mountTrace } from "./trace_view.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Row} Row */

const ASKED = 1000;
const SHOWN = 200;

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @returns {() => void}
 */
export function mountTraces(root, place) {
  const [id] = place.store.state.route.parts;
  return id ? mountTrace(root, place, id) : mountList(root, place.store);
}

/** @param {HTMLElement} root @param {Store} store */
function mountList(root, store) {
  const told = h("p", { class: "muted" });
  const refresh = h("button", { type: "button", class: "button small" }, "Refresh");
  const body = h("tbody", {});
  const table = tracesTable(body);
  const none = h("div", {});
  root.append(
    h("div", { class: "toolbar" }, sourceSelect(store), errorBox(store), refresh, told),
    h("div", { class: "card flush" }, table, none),
  );
  let going = new AbortController();
  const load = async () => {
    going.abort();
    going = new AbortController();
    try {
      const { filters } = store.state.route;
      const { traces: asked, kept, limit } = await api.traces(filters, ASKED, going.signal);
      const traces = asked.filter((row) => admits(row, filters)).slice(0, SHOWN);
      newest = Math.max(asked[0]?.started ?? 0, store.state.calls[0]?.started ?? 0);
      count();
      body.replaceChildren(...traces.map((row) => traceRow(row, store)));
      table.hidden = traces.length === 0;
      none.replaceChildren(...(traces.length ? [] : [nothing(kept)]));
      setText(
        told,
        `${counted(traces.length, "call")} shown; ${whole(kept)} of at most ${whole(limit)} traces kept`,
      );
    } catch (error) {
      if (!(error instanceof DOMException)) {
        setText(told, messageOf(error));
      }
    }
  };
  let newest = Date.now() / 1000;
  const count = () => {
    const { calls, route } = store.state;
    const fresh = calls.filter((row) => row.started > newest && admits(row, route.filters)).length;
    setText(refresh, fresh ? `Refresh (${fresh} new)` : "Refresh");
  };
  refresh.addEventListener("click", () => load().then(() => announce(told.textContent ?? "")));
  const unwatch = store.watch(["route"], load);
  const uncount = store.watch(["calls"], count);
  return () => {
    unwatch();
    uncount();
    going.abort();
  };
}

/** @param {HTMLElement} body */
function tracesTable(body) {
  const heads = ["Time", "Call", "Agent", "Source", "Result"].map((name) => h("th", { scope: "col" }, name));
  const numbers = ["Took", "Spans", "Tokens in", "Tokens out"].map((name) =>
    h("th", { scope: "col", class: "number" }, name),
  );
  const head = h("thead", {}, h("tr", {}, ...heads, ...numbers));
  return scrolling(
    "Traces",
    h("table", {}, h("caption", { class: "spoken" }, "Traces, newest first"), head, body),
  );
}

/** @param {Row} row @param {Store} store */
function traceRow(row, store) {
  const href = addressOf("traces", [row.trace_id], store.state.route.filters);
  return h(
    "tr",
    {},
    h(
      "td",
      {},
      h(
        "time",
        { title: moment(row.started), datetime: new Date(row.started * 1000).toISOString() },
        clock(row.started),
      ),
    ),
    h("th", { scope: "row" }, h("a", { href }, titleOf(row))),
    h("td", {}, row.agent || "–"),
    h("td", {}, sourceBadge(row.source)),
    h("td", {}, errorBadge(row.error) ?? "ok"),
    ...[duration(row.duration_ms), whole(row.spans), whole(row.tokens_in), whole(row.tokens_out)].map(
      (text) => h("td", { class: "number" }, text),
    ),
  );
}

/** @param {Store} store */
function sourceSelect(store) {
  const options = SOURCES.map((value) => h("option", { value }, value));
  const select = h(
    "select",
    { "aria-label": "Source" },
    h("option", { value: "" }, "All sources"),
    ...options,
  );
  select.value = store.state.route.filters.source;
  select.addEventListener("change", () => narrow(store, { source: select.value }));
  return select;
}

/** @param {Store} store */
function errorBox(store) {
  const box = h("input", { type: "checkbox" });
  box.checked = Boolean(store.state.route.filters.error);
  box.addEventListener("change", () => narrow(store, { error: box.checked ? "any" : "" }));
  return h("label", { class: "check" }, box, "Errors only");
}

/** @param {number} kept */
function nothing(kept) {
  if (kept) {
    return empty("No trace among these filters", h("p", {}, "Choose other filters, or clear them."));
  }
  return empty(
    "No trace yet",
    h("p", {}, "Every call leaves one. Try: ", h("code", {}, "trunkline call list_projects")),
  );
}
