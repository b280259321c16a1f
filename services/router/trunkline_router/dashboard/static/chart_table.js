// A chart's values as a table, for those who read rather than look.

import { h, scrolling } from "./dom.js";
import { clock } from "./format.js";

/** @param {import("./chart_kinds.js").ChartKind} kind */
export function chartTable(kind) {
  const body = h("tbody", {});
  const head = h("tr", {}, h("th", { scope: "col" }, "Time"));
  head.append(...kind.lines.map((line) => h("th", { scope: "col", class: "number" }, line.label)));
  const table = h("table", {}, h("caption", { class: "spoken" }, kind.title), h("thead", {}, head), body);
  const element = h(
    "details",
    { class: "chart-table" },
    h("summary", {}, "As a table", h("span", { class: "spoken" }, `: ${kind.title}`)),
    scrolling(`${kind.title}, values`, table),
  );
  /** @type {(number | null)[][]} */
  let latest = [];
  const fill = () => {
    if (element.open) {
      body.replaceChildren(...rowsOf(kind, latest));
    }
  };
  element.addEventListener("toggle", fill);
  /** @param {(number | null)[][]} data */
  const show = (data) => {
    latest = data;
    fill();
  };
  return { element, show };
}

/**
 * @param {import("./chart_kinds.js").ChartKind} kind
 * @param {(number | null)[][]} data
 */
function rowsOf(kind, data) {
  const [times = [], ...lines] = data;
  return times
    .map((at, index) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, clock(at ?? 0)),
        ...lines.map((line) => h("td", { class: "number" }, kind.format(line[index] ?? null))),
      ),
    )
    .reverse();
}
