// The numbers at the top of the overview.

import { totals } from "./chart_data.js";
import { h, setText } from "./dom.js";
import { percent, short, whole } from "./format.js";
import { addressOf } from "./route.js";

/** @typedef {import("./types.js").State} State */

/**
 * @typedef {object} Figure One number.
 * @property {string} label
 * @property {string} [view] the view that tells more of it
 * @property {(state: State) => {value: string, note: string}} read
 */

/** @param {State} state */
function inRange(state) {
  const { series, route } = state;
  const first = Date.now() / 1000 - route.filters.minutes * 60;
  // The step that has just begun counts as well: what the feed shows is in the numbers.
  return series ? totals(series.points.filter((point) => point.at >= first)) : null;
}

/** @type {Figure[]} */
const NUMBERS = [
  {
    label: "Calls",
    read: (state) => {
      const sum = inRange(state);
      return { value: sum ? short(sum.calls) : "–", note: `last ${state.route.filters.minutes} min` };
    },
  },
  {
    label: "Errors",
    read: (state) => {
      const sum = inRange(state);
      const share = sum?.calls ? percent(sum.errors / sum.calls) : "–";
      return { value: sum ? short(sum.errors) : "–", note: `${share} of calls` };
    },
  },
  {
    label: "Hit ratio",
    read: (state) => {
      const sum = inRange(state);
      const asked = sum ? sum.hits + sum.upstream : 0;
      return {
        value: sum && asked ? percent(sum.hits / asked) : "–",
        note: `${sum ? whole(sum.hits) : "–"} without a server`,
      };
    },
  },
  {
    label: "Upstream calls saved",
    read: (state) => ({
      value: state.status ? short(state.status.cache.calls_saved) : "–",
      note: "since start",
    }),
  },
  {
    label: "Vendor requests saved",
    read: (state) => ({
      value: state.status ? short(state.status.cache.quota_saved) : "–",
      note: "quota, since start",
    }),
  },
  {
    label: "Tokens in / out",
    view: "tokens",
    read: (state) => {
      const sum = inRange(state);
      const note = `last ${state.route.filters.minutes} min, estimated`;
      return { value: sum ? `${short(sum.tokens_in)} / ${short(sum.tokens_out)}` : "–", note };
    },
  },
  {
    label: "Tokens saved",
    view: "tokens",
    read: (state) => {
      const { tokens } = state;
      const saved = tokens ? Object.values(tokens.saved).reduce((sum, each) => sum + each, 0) : null;
      return { value: saved === null ? "–" : short(saved), note: "since start, estimated" };
    },
  },
];

/**
 * @param {HTMLElement} root
 * @param {import("./store.js").Store} store
 * @returns {() => void}
 */
export function mountNumbers(root, store) {
  const shown = NUMBERS.map((number) => {
    const value = h("span", { class: "tile-value" }, "–");
    const note = h("span", { class: "tile-note" });
    const more = number.view ? h("a", {}, number.label) : null;
    const tile = h("div", { class: "tile" }, h("dt", {}, more ?? number.label), h("dd", {}, value, note));
    return { number, value, note, more, tile };
  });
  root.append(
    h("section", { "aria-label": "Numbers" }, h("dl", { class: "tiles" }, ...shown.map(({ tile }) => tile))),
  );
  return store.watch(["series", "status", "tokens", "route"], () => {
    for (const { number, value, note, more } of shown) {
      const read = number.read(store.state);
      setText(value, read.value);
      setText(note, read.note);
      more?.setAttribute("href", addressOf(number.view ?? "", [], store.state.route.filters));
      more?.setAttribute("title", store.state.tokens?.rule ?? "");
    }
  });
}
