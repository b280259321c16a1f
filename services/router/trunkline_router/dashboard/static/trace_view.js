// One trace: what it was, how long it took, and its waterfall.

import * as api from "./api.js";
import { errorBadge, sourceBadge, titleOf } from "./call_parts.js";
import { copyButton } from "./copy.js";
import { empty, h, setText } from "./dom.js";
import { counted, duration, messageOf, moment, whole } from "./format.js";
import { addressOf } from "./route.js";
import { waterfall } from "./waterfall.js";

/** @typedef {import("./types.js").Trace} Trace */

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @param {string} id
 * @returns {() => void}
 */
export function mountTrace(root, { store, title }, id) {
  const { filters } = store.state.route;
  setText(title, "Trace");
  const back = h("a", { href: addressOf("traces", [], filters), class: "back" }, "← All traces");
  root.prepend(back);
  const place = h("div", { "aria-busy": "true" }, h("p", { class: "muted" }, "Reading the trace …"));
  root.append(place);
  const going = new AbortController();
  const load = async () => {
    try {
      const trace = await api.trace(id, going.signal);
      setText(title, trace.row ? titleOf(trace.row) : (trace.spans[0]?.name ?? "Trace"));
      document.title = `${title.textContent} – Trunkline`;
      place.replaceChildren(...shown(trace, filters, load));
    } catch (error) {
      if (!(error instanceof DOMException)) {
        place.replaceChildren(missing(id, error));
      }
    }
    place.removeAttribute("aria-busy");
  };
  load();
  return () => going.abort();
}

/** @param {string} id @param {unknown} error */
function missing(id, error) {
  return h(
    "div",
    { class: "card" },
    empty("This trace is not here", h("p", {}, messageOf(error)), h("p", {}, h("code", {}, id))),
  );
}

/**
 * @param {Trace} trace
 * @param {import("./types.js").Filters} filters
 * @param {() => void} again
 */
function shown(trace, filters, again) {
  /** @type {HTMLElement[]} */
  const parts = [about(trace)];
  if (!trace.complete) {
    const button = h("button", { type: "button", class: "button small" }, "Read again");
    button.addEventListener("click", again);
    parts.push(
      h(
        "p",
        { class: "notice" },
        "Parts of this trace are missing: a server has not sent its spans yet, or keeps them to itself. ",
        button,
      ),
    );
  }
  parts.push(h("div", { class: "card flush" }, waterfall(trace, filters)));
  return parts;
}

/** @param {Trace} trace */
function about(trace) {
  const { row } = trace;
  const services = new Set(trace.spans.map((span) => span.service));
  /** @type {[string, Node | string][]} */
  const facts = [
    ["Started", moment(trace.started)],
    ["Took", duration(trace.duration_ms)],
    ["Spans", `${whole(trace.spans.length)} in ${counted(services.size, "service")}`],
  ];
  if (row) {
    facts.push(
      ["Agent", row.agent || "–"],
      ["Source", sourceBadge(row.source)],
      ["Result", errorBadge(row.error) ?? "ok"],
    );
    facts.push(["Tokens", `${whole(row.tokens_in)} in, ${whole(row.tokens_out)} out`]);
    if (row.age_ms) {
      facts.push(["Age of the answer", duration(row.age_ms)]);
    }
  }
  const id = h(
    "span",
    { class: "copy-line" },
    h("code", {}, trace.trace_id),
    copyButton(() => trace.trace_id, "trace id"),
  );
  facts.push(["Trace id", id]);
  return h(
    "dl",
    { class: "card about" },
    ...facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}
