// Which charts there are, what each draws, and in which words.

import { passed } from "./chart_data.js";
import { duration, percent, rate } from "./format.js";

/** @typedef {import("./types.js").Point} Point */

/**
 * @typedef {object} Line One line of a chart.
 * @property {string} label
 * @property {string} colour name of a colour of the style sheet
 * @property {number[]} [dash]
 * @property {string} [fill] name of the colour below the line
 * @property {(point: Point, seconds: number) => number | null} value
 */

/**
 * @typedef {object} ChartKind
 * @property {string} id
 * @property {string} title
 * @property {string} unit what the axis says
 * @property {(value: number | null) => string} format
 * @property {number} [most] the top of the scale, where it is fixed
 * @property {Line[]} lines
 */

/** @type {ChartKind[]} */
export const CHARTS = [
  {
    id: "rate",
    title: "Calls per second",
    unit: "calls/s",
    format: rate,
    lines: [
      {
        label: "From cache",
        colour: "line-1",
        fill: "fill-1",
        value: (point, seconds) => point.hits / seconds,
      },
      { label: "Upstream", colour: "line-2", value: (point, seconds) => point.upstream / seconds },
      { label: "Errors", colour: "line-3", dash: [3, 3], value: (point, seconds) => point.errors / seconds },
    ],
  },
  {
    id: "latency",
    title: "Latency",
    unit: "ms",
    format: duration,
    lines: [
      { label: "p50", colour: "line-1", value: (point) => point.p50_ms },
      { label: "p95", colour: "line-2", dash: [7, 3], value: (point) => point.p95_ms },
      { label: "p99", colour: "line-3", dash: [2, 3], value: (point) => point.p99_ms },
    ],
  },
  {
    id: "ratio",
    title: "Answered without the vendor",
    unit: "%",
    format: percent,
    most: 1,
    lines: [
      {
        label: "Hit ratio",
        colour: "line-1",
        fill: "fill-1",
        value: (point) => (point.hits + point.upstream ? point.hits / (point.hits + point.upstream) : null),
      },
    ],
  },
];

/**
 * Return the columns that a chart draws, the times first.
 * @param {ChartKind} kind
 * @param {Point[]} points
 * @param {number} step
 * @param {number} now
 * @returns {[number[], ...(number | null)[][]]}
 */
export function columns(kind, points, step, now) {
  const lines = kind.lines.map((line) => points.map((point) => line.value(point, passed(point, step, now))));
  return [points.map((point) => point.at), ...lines];
}
