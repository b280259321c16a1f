// The time range and the filters; they live in the page's address.

import { h } from "./dom.js";
import { addressOf, MINUTES } from "./route.js";
import { VIEWS } from "./view_list.js";

/** @typedef {import("./store.js").Store} Store */

/** @type {{name: "agent" | "server" | "tool", label: string, all: string}[]} */
const CHOICES = [
  { name: "agent", label: "Agent", all: "All agents" },
  { name: "server", label: "Server", all: "All servers" },
  { name: "tool", label: "Tool", all: "All tools" },
];

/**
 * Go to the same view, narrowed anew.
 * @param {Store} store
 * @param {Partial<import("./types.js").Filters>} changes
 */
export function narrow(store, changes) {
  const { view, parts, filters } = store.state.route;
  location.hash = addressOf(view, parts, { ...filters, ...changes });
}

/** @param {Store} store */
export function mountFilters(store) {
  const bar = /** @type {HTMLElement} */ (document.getElementById("filters"));
  const ranges = rangeButtons(store);
  const selects = CHOICES.map((choice) => filterSelect(store, choice));
  const clear = h("button", { type: "button", class: "button quiet small" }, "Clear filters");
  clear.addEventListener("click", () => narrow(store, { agent: "", server: "", tool: "" }));
  bar.append(ranges, ...selects, listsBox(store), clear);
  store.watch(["route", "session"], () => {
    const { route, session } = store.state;
    const view = VIEWS.find((each) => each.id === route.view) ?? VIEWS[0];
    const isTrace = route.view === "traces" && route.parts.length > 0;
    bar.hidden = session === null || !view?.narrowed || isTrace;
    ranges.hidden = route.view === "traces";
    clear.hidden = !route.filters.agent && !route.filters.server && !route.filters.tool;
  });
}

/** @param {Store} store */
function listsBox(store) {
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => narrow(store, { lists: box.checked ? "all" : "" }));
  store.watch(["route"], () => {
    box.checked = Boolean(store.state.route.filters.lists);
  });
  return h("label", { class: "check" }, box, "Show listings too");
}

/** @param {Store} store */
function rangeButtons(store) {
  const buttons = MINUTES.map((minutes) => {
    const button = h("button", { type: "button", class: "segment" }, `${minutes} min`);
    button.addEventListener("click", () => narrow(store, { minutes }));
    return { minutes, button };
  });
  store.watch(["route"], () => {
    for (const { minutes, button } of buttons) {
      button.setAttribute("aria-pressed", String(minutes === store.state.route.filters.minutes));
    }
  });
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": "Time range" },
    ...buttons.map(({ button }) => button),
  );
}

/** @param {Store} store @param {(typeof CHOICES)[number]} choice */
function filterSelect(store, choice) {
  const select = h("select", { "aria-label": choice.label, name: choice.name });
  select.addEventListener("change", () => narrow(store, { [choice.name]: select.value }));
  let offered = "";
  store.watch(["route", "series", "status"], () => {
    const chosen = store.state.route.filters[choice.name];
    const values = offeredBy(store, choice.name, chosen);
    const now = JSON.stringify(values);
    if (now !== offered) {
      offered = now;
      const options = values.map((value) => h("option", { value }, value));
      select.replaceChildren(h("option", { value: "" }, choice.all), ...options);
    }
    select.value = chosen;
    select.classList.toggle("chosen", Boolean(chosen));
  });
  return select;
}

/**
 * @param {Store} store
 * @param {"agent" | "server" | "tool"} name
 * @param {string} chosen
 */
function offeredBy(store, name, chosen) {
  const { series, status } = store.state;
  const known = new Set(series ? series[`${name}s`] : []);
  if (name === "server" && status) {
    Object.keys(status.servers).forEach((server) => known.add(server));
  }
  if (chosen) {
    known.add(chosen);
  }
  return [...known].filter(Boolean).sort();
}
