// The waterfall of a trace: a row per span, indented below its parent, with a bar for its time.

import { h, scrolling, spoken } from "./dom.js";
import { duration, plain } from "./format.js";
import { addressOf } from "./route.js";

/** @typedef {import("./types.js").SpanShown} SpanShown */
/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {import("./types.js").Filters} Filters */

const COLOURS = 6;
const DEEPEST = 8;
const NARROWEST = 0.4;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/**
 * @param {Trace} trace
 * @param {Filters} filters
 */
export function waterfall(trace, filters) {
  const total = totalOf(trace);
  const depths = depthsOf(trace.spans);
  const services = [...new Set(trace.spans.map((span) => span.service))];
  const rows = trace.spans.map((span) =>
    spanRow(span, {
      depth: depths.get(span.span_id) ?? 0,
      total,
      colour: services.indexOf(span.service) % COLOURS,
      filters,
    }),
  );
  const key = h("ul", { class: "service-key", "aria-label": "Services" });
  key.append(
    ...services.map((service, index) =>
      h(
        "li",
        {},
        h("span", { class: "service-dot", "data-colour": String(index % COLOURS), "aria-hidden": "true" }),
        service,
      ),
    ),
  );
  return h(
    "div",
    {},
    key,
    scrolling("Waterfall", h("div", { class: "waterfall" }, axis(total), h("ol", {}, ...rows))),
  );
}

/** @param {Trace} trace */
function totalOf(trace) {
  const ends = trace.spans.map((span) => span.offset_ms + span.duration_ms);
  return Math.max(trace.duration_ms, ...ends, 0.001);
}

/** @param {SpanShown[]} spans @returns {Map<string, number>} */
function depthsOf(spans) {
  const depths = new Map();
  for (const span of spans) {
    const above = depths.get(span.parent_id);
    depths.set(span.span_id, above === undefined ? 0 : above + 1);
  }
  return depths;
}

/** @param {number} total */
function axis(total) {
  const ticks = TICKS.map((share) => h("span", {}, duration(total * share)));
  return h(
    "div",
    { class: "axis", "aria-hidden": "true" },
    h("span", {}),
    h("div", { class: "ticks" }, ...ticks),
    h("span", {}),
  );
}

/**
 * @param {SpanShown} span
 * @param {{depth: number, total: number, colour: number, filters: Filters}} given
 */
function spanRow(span, { depth, total, colour, filters }) {
  const bar = h("span", {
    class: "bar",
    "data-colour": String(colour),
    "data-bad": Boolean(span.error) && "true",
  });
  bar.style.setProperty("--from", `${(span.offset_ms / total) * 100}%`);
  bar.style.setProperty("--long", `${Math.max((span.duration_ms / total) * 100, NARROWEST)}%`);
  const name = h(
    "span",
    { class: "span-name" },
    spoken(`Level ${depth + 1}: `),
    h("span", { class: "span-title" }, span.name),
    h(
      "span",
      { class: "span-service" },
      span.kind === "internal" ? span.service : `${span.service} · ${span.kind}`,
    ),
    span.error ? h("span", { class: "badge", "data-kind": "bad" }, span.error) : null,
  );
  name.style.setProperty("--depth", String(Math.min(depth, DEEPEST)));
  const took = h(
    "span",
    { class: "span-took" },
    duration(span.duration_ms),
    spoken(`, begins at ${duration(span.offset_ms)}`),
  );
  const id = `span-${span.span_id}`;
  const button = h(
    "button",
    { type: "button", class: "span", "aria-expanded": "false", "aria-controls": id },
    name,
    h("span", { class: "track", "aria-hidden": "true" }, bar),
    took,
  );
  const more = h("div", { class: "span-more", id, hidden: true });
  button.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    if (!more.firstChild) {
      more.append(...details(span, filters));
    }
    button.setAttribute("aria-expanded", String(!isOpen));
    more.hidden = isOpen;
  });
  return h("li", {}, button, more);
}

/** @param {SpanShown} span @param {Filters} filters */
function details(span, filters) {
  /** @type {[string, string][]} */
  const known = [
    ["kind", span.kind],
    ["span id", span.span_id],
    ["begins at", duration(span.offset_ms)],
    ...Object.entries(span.attributes)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, value]) => /** @type {[string, string]} */ ([name, plain(value)])),
  ];
  const list = h(
    "dl",
    {},
    ...known.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
  const links = span.links.map((link) =>
    h(
      "li",
      {},
      h("a", { href: addressOf("traces", [link.trace_id], filters) }, "Trace ", h("code", {}, link.trace_id)),
    ),
  );
  return links.length ? [list, h("p", { class: "span-links" }, "Linked to"), h("ul", {}, ...links)] : [list];
}
