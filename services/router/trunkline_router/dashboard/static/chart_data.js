// The series as charts draw it: a point for every step of the range, gaps filled.

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Series} Series */

/** The part of a step that must have passed for its rate to mean something. */
const ENOUGH = 0.3;

/**
 * Return the series with a newer state of one of its steps.
 * @param {Series} series
 * @param {Point} point
 * @returns {Series}
 */
export function mergePoint(series, point) {
  const others = series.points.filter((each) => each.at !== point.at);
  const points = [...others, point].sort((one, other) => one.at - other.at);
  return { ...series, points };
}

/** @param {number} at @returns {Point} */
function quiet(at) {
  return {
    at,
    calls: 0,
    errors: 0,
    hits: 0,
    upstream: 0,
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    tokens_in: 0,
    tokens_out: 0,
  };
}

/**
 * Return one point for each step of the last minutes, oldest first; a step that has just begun is left out.
 * @param {Series} series
 * @param {number} minutes
 * @param {number} now seconds since the epoch
 * @returns {Point[]}
 */
export function steps(series, minutes, now) {
  const step = series.step_s;
  const known = new Map(series.points.map((point) => [Math.floor(point.at / step), point]));
  const last = Math.floor(now / step - ENOUGH);
  const first = last - Math.round((minutes * 60) / step) + 1;
  const all = [];
  for (let index = first; index <= last; index += 1) {
    all.push(known.get(index) ?? quiet(index * step));
  }
  return all;
}

/**
 * Return how many seconds of a step have passed.
 * @param {Point} point
 * @param {number} step
 * @param {number} now
 */
export function passed(point, step, now) {
  return Math.max(step * ENOUGH, Math.min(step, now - point.at));
}

/**
 * Return what happened in all points together.
 * @param {Point[]} points
 */
export function totals(points) {
  const sum = { calls: 0, errors: 0, hits: 0, upstream: 0, tokens_in: 0, tokens_out: 0 };
  for (const point of points) {
    sum.calls += point.calls;
    sum.errors += point.errors;
    sum.hits += point.hits;
    sum.upstream += point.upstream;
    sum.tokens_in += point.tokens_in;
    sum.tokens_out += point.tokens_out;
  }
  return sum;
}
