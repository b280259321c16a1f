// One row per server: whether it is there, what its breaker says, how it does.

import { announce } from "./announce.js";
import * as api from "./api.js";
import { confirmed } from "./confirm.js";
import { empty, h, keepItems, setText } from "./dom.js";
import { clock, counted, duration, messageOf, span, whole } from "./format.js";
import { addressOf } from "./route.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").ServerShown} ServerShown */

/**
 * @param {HTMLElement} root
 * @param {Store} store
 * @returns {() => void}
 */
export function mountServers(root, store) {
  const list = h("ul", { class: "servers" });
  const none = empty(
    "No server is configured",
    h("p", {}, "Name them in TRUNKLINE_SERVERS or trunkline.yaml."),
  );
  root.append(
    h(
      "section",
      { class: "card", "aria-labelledby": "servers" },
      h("div", { class: "card-head" }, h("h2", { id: "servers" }, "Servers")),
      list,
      none,
    ),
  );
  /** @type {Map<string, ReturnType<typeof serverRow>>} */
  const rows = new Map();
  return store.watch(["status", "route"], () => {
    const { status, route } = store.state;
    const servers = status?.servers ?? {};
    keepItems(list, rows, Object.keys(servers), (id) => serverRow(id, store));
    for (const [id, row] of rows) {
      row.show(/** @type {ServerShown} */ (servers[id]));
      row.element.hidden = Boolean(route.filters.server) && route.filters.server !== id;
    }
    none.hidden = !status || Object.keys(servers).length > 0;
  });
}

/** @param {string} label */
function fact(label) {
  const value = h("dd", {}, "–");
  return { element: h("div", { class: "fact" }, h("dt", {}, label), value), value };
}

/** @param {string} id @param {Store} store */
function serverRow(id, store) {
  const state = h("span", { class: "badge" });
  const name = h("a", {}, id);
  const why = h("p", { class: "server-why" });
  const facts = {
    tools: fact("Tools"),
    flight: fact("In flight"),
    queued: fact("Queued"),
    p50: fact("p50"),
    p99: fact("p99"),
    breaker: fact("Breaker"),
  };
  const reset = h(
    "button",
    { type: "button", class: "button small" },
    "Reset breaker",
    h("span", { class: "spoken" }, ` of ${id}`),
  );
  reset.addEventListener("click", () => resetAfterAsking(id, store));
  const element = h(
    "li",
    { class: "server" },
    h("div", { class: "server-name" }, h("h3", {}, name), state),
    h("dl", { class: "facts" }, ...Object.values(facts).map((each) => each.element)),
    h("div", { class: "server-action" }, why, reset),
  );
  /** @param {ServerShown} server */
  const show = (server) => {
    const standing = standingOf(server);
    state.dataset.kind = standing.kind;
    setText(state, standing.word);
    element.dataset.kind = standing.kind;
    name.setAttribute("href", addressOf("catalogue", [id], store.state.route.filters));
    setText(facts.tools.value, whole(server.tools));
    setText(facts.flight.value, whole(server.in_flight));
    setText(facts.queued.value, whole(server.queued));
    setText(facts.p50.value, duration(server.latency_ms.p50));
    setText(facts.p99.value, duration(server.latency_ms.p99));
    setText(facts.breaker.value, server.breaker.state);
    facts.breaker.value.dataset.state = server.breaker.state;
    setText(why, reasonOf(server));
    why.hidden = !why.textContent;
    const mayReset = store.state.session?.scopes.includes("admin") ?? false;
    reset.hidden = server.breaker.state === "closed" || !mayReset;
  };
  return { element, show };
}

/** @param {ServerShown} server */
function standingOf(server) {
  if (server.breaker.state === "open") {
    return { kind: "bad", word: "breaker open" };
  }
  if (server.breaker.state === "half-open") {
    return { kind: "warn", word: "probing" };
  }
  return server.available ? { kind: "good", word: "available" } : { kind: "bad", word: "down" };
}

/** Say why, since when, and what comes next. @param {ServerShown} server */
function reasonOf(server) {
  const { breaker, last_error: error } = server;
  const parts = [];
  if (error) {
    parts.push(`last error ${error}`);
  }
  if (breaker.consecutiveFailures) {
    parts.push(`${counted(breaker.consecutiveFailures, "failure")} in a row`);
  }
  if (breaker.state !== "closed" && breaker.opened_at) {
    parts.push(`open since ${clock(breaker.opened_at / 1000)}`);
  }
  if (breaker.state === "open") {
    parts.push(breaker.resets_in_s > 0 ? `next probe in ${span(breaker.resets_in_s)}` : "next call probes");
  }
  if (breaker.state !== "closed" && breaker.probes) {
    parts.push(counted(breaker.probes, "probe"));
  }
  return parts.join(" · ");
}

/** @param {string} id @param {Store} store */
async function resetAfterAsking(id, store) {
  const agreed = await confirmed(
    `Reset the breaker of ${id}?`,
    "Calls go to this server again at once, from every router of the mesh. If it still fails, the breaker opens again.",
    "Reset breaker",
  );
  if (!agreed) {
    return;
  }
  try {
    const breaker = await api.resetBreaker(id);
    const { status } = store.state;
    const server = status?.servers[id];
    if (status && server) {
      store.set({ status: { ...status, servers: { ...status.servers, [id]: { ...server, breaker } } } });
    }
    announce(`The breaker of ${id} is ${breaker.state}`);
    document.getElementById("servers")?.focus();
  } catch (error) {
    announce(`Not reset: ${messageOf(error)}`);
  }
}
