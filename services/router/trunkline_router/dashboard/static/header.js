// The header: health, connection, theme, session, navigation.

import { announce } from "./announce.js";
import * as api from "./api.js";
import { h, setText } from "./dom.js";
import { clock, counted, messageOf, span } from "./format.js";
import { addressOf } from "./route.js";
import { themeButton } from "./theme.js";
import { VIEWS } from "./view_list.js";

/** @typedef {import("./store.js").Store} Store */

/** @param {string} id */
function place(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * @param {Store} store
 * @param {{stream: import("./stream.js").LiveStream, again: () => void}} means
 */
export function mountHeader(store, means) {
  mountHealth(store);
  mountBanner(store, means.stream);
  mountSession(store, means.again);
  mountNavigation(store);
}

/** @param {Store} store */
function mountHealth(store) {
  const dot = h("span", { class: "dot", "aria-hidden": "true" });
  const word = h("span", {});
  place("health").append(dot, word);
  store.watch(["status", "connection", "session"], () => {
    const { kind, text } = healthOf(store);
    dot.dataset.kind = kind;
    setText(word, text);
    setText(place("version"), store.state.session?.version ?? "");
  });
}

/** @param {Store} store */
function healthOf(store) {
  const { status, connection, session } = store.state;
  if (session === null && connection.state === "refused") {
    return { kind: "off", text: "Not logged in" };
  }
  if (connection.state === "lost") {
    return { kind: "bad", text: "Router not reached" };
  }
  if (!status) {
    return { kind: "off", text: "Connecting …" };
  }
  const servers = Object.values(status.servers);
  const up = servers.filter((server) => server.available).length;
  const down = servers.length - up;
  const text = down
    ? `${up} of ${counted(servers.length, "server")} available`
    : `${counted(up, "server")} available`;
  return { kind: down ? (up ? "warn" : "bad") : "good", text };
}

/** @param {Store} store @param {import("./stream.js").LiveStream} stream */
function mountBanner(store, stream) {
  const text = h("span", {});
  const countdown = h("span", { "aria-hidden": "true" });
  const again = h(
    "button",
    { type: "button", class: "button small", onclick: () => stream.retryNow() },
    "Try now",
  );
  const banner = place("banner");
  const row = h("div", { class: "banner-row" });
  const wait = () => {
    const { state, retryAt } = store.state.connection;
    if (state === "lost") {
      const left = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
      setText(countdown, left ? `Next attempt in ${left} s.` : "Trying …");
    }
  };
  window.setInterval(wait, 1000);
  let before = "";
  store.watch(["connection"], () => {
    const { state, since } = store.state.connection;
    if (state === "lost" && before !== "lost") {
      const known = store.state.statusAt ? ` What you see is what was known at ${clock(since / 1000)}.` : "";
      setText(text, `The router is not reached.${known}`);
      row.replaceChildren(text, countdown, again);
      banner.replaceChildren(row);
    } else if (state === "live" && before === "lost") {
      announce("Live again");
    }
    banner.hidden = state !== "lost";
    before = state;
    wait();
  });
}

/** @param {Store} store @param {() => void} again */
function mountSession(store, again) {
  const live = h("span", { class: "live" });
  const who = h("span", { class: "who" });
  const out = h("button", { type: "button", class: "button quiet" }, "Log out");
  out.addEventListener("click", async () => {
    try {
      await api.logout();
      store.set({ session: null, status: null, calls: [], series: null, tokens: null });
      again();
    } catch (error) {
      announce(`Not logged out: ${messageOf(error)}`);
    }
  });
  place("actions").append(live, who, themeButton(), out);
  store.watch(["connection", "session", "statusAt"], () => {
    const { connection, session } = store.state;
    live.dataset.state = connection.state;
    setText(live, { live: "Live", lost: "Offline", connecting: "Connecting", refused: "" }[connection.state]);
    live.title = connection.state === "live" ? `Live since ${clock(connection.since / 1000)}` : "";
    out.hidden = !session?.authenticates;
    setText(who, session?.authenticates ? session.subject : "");
  });
  window.setInterval(() => {
    const { connection, statusAt } = store.state;
    if (connection.state === "lost" && statusAt) {
      setText(live, `Offline for ${span((Date.now() - statusAt) / 1000)}`);
    }
  }, 1000);
}

/** @param {Store} store */
function mountNavigation(store) {
  const links = VIEWS.map((view) => ({ view, link: h("a", {}, view.title) }));
  place("views").append(h("ul", {}, ...links.map(({ link }) => h("li", {}, link))));
  store.watch(["route", "session"], () => {
    const { route, session } = store.state;
    place("views").hidden = session === null;
    const current = VIEWS.some((view) => view.id === route.view) ? route.view : "overview";
    for (const { view, link } of links) {
      link.setAttribute("href", addressOf(view.id, [], { ...route.filters, source: "", error: "" }));
      if (view.id === current) {
        link.setAttribute("aria-current", "page");
        link.scrollIntoView({ block: "nearest", inline: "nearest" });
      } else {
        link.removeAttribute("aria-current");
      }
    }
  });
}
