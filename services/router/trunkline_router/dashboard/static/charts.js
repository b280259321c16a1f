// The charts of the overview: drawn by uPlot, read out by a table.

import { steps } from "./chart_data.js";
import { CHARTS, columns } from "./chart_kinds.js";
import { chartTable } from "./chart_table.js";
import { h, setText } from "./dom.js";
import { clock } from "./format.js";
import { colour, watchTheme } from "./theme.js";
import uPlot from "./vendor/uPlot.esm.js";

/** @typedef {import("./chart_kinds.js").ChartKind} ChartKind */

const HEIGHT = 168;
const AXIS_FONT = "11px system-ui, sans-serif";
const SYNC = uPlot.sync("overview");

/**
 * @param {HTMLElement} root
 * @param {import("./store.js").Store} store
 * @returns {() => void}
 */
export function mountCharts(root, store) {
  const ends = CHARTS.map((kind) => mountChart(root, store, kind));
  return () => ends.forEach((end) => end());
}

/**
 * @param {HTMLElement} root
 * @param {import("./store.js").Store} store
 * @param {ChartKind} kind
 */
function mountChart(root, store, kind) {
  const legend = chartLegend(kind);
  const area = h("div", { class: "chart-area", role: "img" });
  const table = chartTable(kind);
  const card = h("section", { class: "card chart", "aria-labelledby": `chart-${kind.id}` });
  card.append(h("h2", { id: `chart-${kind.id}` }, kind.title), legend.element, area, table.element);
  root.append(card);
  const plot = new uPlot(options(kind, area.clientWidth, legend), [[], ...kind.lines.map(() => [])], area);
  const sizes = new ResizeObserver(() => plot.setSize({ width: area.clientWidth, height: HEIGHT }));
  sizes.observe(area);
  const draw = () => {
    const { series, route } = store.state;
    if (!series) {
      return;
    }
    const now = Date.now() / 1000;
    const points = steps(series, route.filters.minutes, now);
    const data = columns(kind, points, series.step_s, now);
    plot.setData(data);
    legend.show(data, plot.cursor.idx ?? null);
    table.show(data);
    area.setAttribute("aria-label", summary(kind, data, route.filters.minutes));
  };
  const unwatch = store.watch(["series", "route"], draw);
  const untheme = watchTheme(() => plot.redraw(true, true));
  return () => {
    unwatch();
    untheme();
    sizes.disconnect();
    SYNC.unsub(plot);
    plot.destroy();
  };
}

/**
 * @param {ChartKind} kind
 * @param {number} width
 * @param {ReturnType<typeof chartLegend>} legend
 * @returns {uPlot.Options}
 */
function options(kind, width, legend) {
  const axis = {
    stroke: () => colour("muted"),
    font: AXIS_FONT,
    grid: { stroke: () => colour("grid"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(width, 100),
    height: HEIGHT,
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: SYNC.key }, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, low, high) => scaleOf(kind, low, high) } },
    axes: [
      { ...axis, space: 70, size: 26, values: (_, ticks) => ticks.map((tick) => clock(tick).slice(0, 5)) },
      { ...axis, size: 58, values: (_, ticks) => ticks.map((tick) => kind.format(tick)) },
    ],
    series: [
      {},
      ...kind.lines.map((line) => ({
        label: line.label,
        stroke: () => colour(line.colour),
        fill: line.fill ? () => colour(line.fill ?? "") : undefined,
        width: 1.75,
        dash: line.dash,
        spanGaps: false,
        points: { show: true, filter: lonelyPoints, size: 4 },
      })),
    ],
    hooks: {
      setCursor: [(plot) => legend.show(plot.data, plot.cursor.idx ?? null)],
    },
  };
}

/**
 * Return the points that have no neighbour, and so no line: they are shown as dots.
 * @type {(plot: uPlot, series: number) => number[]}
 */
function lonelyPoints(plot, series) {
  const values = plot.data[series] ?? [];
  const isThere = (/** @type {number} */ at) => (values[at] ?? null) !== null;
  return Array.from(values, (_, at) => at).filter(
    (at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1),
  );
}

/**
 * @param {ChartKind} kind
 * @param {number | null} low
 * @param {number | null} high
 * @returns {[number, number]}
 */
function scaleOf(kind, low, high) {
  return [0, kind.most ?? Math.max(high ?? 0, low ?? 0, kind.id === "rate" ? 0.5 : 1) * 1.1];
}

/** @param {ChartKind} kind */
function chartLegend(kind) {
  const entries = kind.lines.map((line) => {
    const value = h("span", { class: "legend-value" }, "–");
    const item = h(
      "li",
      {},
      h("span", { class: `swatch swatch-${line.colour}`, "data-dashed": Boolean(line.dash) && "true" }),
      line.label,
      value,
    );
    return { item, value };
  });
  const at = h("li", { class: "legend-time" });
  const element = h("ul", { class: "legend", "aria-hidden": "true" }, at, ...entries.map(({ item }) => item));
  /** @param {ArrayLike<ArrayLike<number | null | undefined>>} data @param {number | null} index */
  const show = (data, index) => {
    const times = data[0] ?? [];
    const chosen = index ?? times.length - 1;
    setText(at, index === null ? "" : clock(Number(times[chosen])));
    entries.forEach(({ value }, line) => setText(value, kind.format(data[line + 1]?.[chosen] ?? null)));
  };
  return { element, show };
}

/**
 * @param {ChartKind} kind
 * @param {(number | null)[][]} data
 * @param {number} minutes
 */
function summary(kind, data, minutes) {
  const told = kind.lines.map((line, index) => {
    const values = (data[index + 1] ?? []).filter((value) => value !== null);
    const newest = data[index + 1]?.at(-1) ?? null;
    const highest = values.length ? Math.max(...values) : null;
    return `${line.label} now ${kind.format(newest)}, at most ${kind.format(highest)}`;
  });
  return `${kind.title}, last ${minutes} minutes: ${told.join("; ")}`;
}
