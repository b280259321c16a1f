// The overview: numbers, charts, servers, quota and the feed of calls.

import { mountCharts } from "./charts.js";
import { h } from "./dom.js";
import { mountFeed } from "./feed.js";
import { mountNumbers } from "./numbers.js";
import { mountQuota } from "./quota.js";
import { mountServers } from "./servers.js";

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @returns {() => void}
 */
export function mountOverview(root, { store, title }) {
  title.classList.add("spoken");
  const numbers = h("div");
  const charts = h("div", { class: "charts" });
  const state = h("div", { class: "column" });
  const feed = h("div", { class: "column" });
  root.append(numbers, charts, h("div", { class: "columns" }, state, feed));
  const ends = [
    mountNumbers(numbers, store),
    mountCharts(charts, store),
    mountServers(state, store),
    mountQuota(state, store),
    mountFeed(feed, store),
  ];
  return () => ends.forEach((end) => end());
}
