// Starts the page: who is there, what is known, which view is shown.

import { announce } from "./announce.js";
import * as api from "./api.js";
import { mergePoint } from "./chart_data.js";
import { h } from "./dom.js";
import { mountFilters } from "./filters.js";
import { mountHeader } from "./header.js";
import { mountLogin } from "./login.js";
import { forgetTools } from "./mcp.js";
import { readRoute } from "./route.js";
import { Store } from "./store.js";
import { LiveStream } from "./stream.js";
import { VIEWS } from "./view_list.js";

const SERIES_EVERY_MS = 10000;

const store = new Store({
  session: null,
  connection: { state: "connecting", since: Date.now(), retryAt: 0 },
  status: null,
  statusAt: 0,
  series: null,
  tokens: null,
  calls: [],
  paused: false,
  held: 0,
  skipped: 0,
  route: readRoute(location.hash),
});

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const stream = new LiveStream(store, { onPoint, onBack: refresh });
let leave = () => {};
let shown = "";

/** @param {import("./types.js").Point} point */
function onPoint(point) {
  const { series, route } = store.state;
  if (series && !route.filters.agent && !route.filters.server && !route.filters.tool) {
    store.set({ series: mergePoint(series, point) });
  }
}

/** Ask again for what is not told by the stream. */
async function refresh() {
  const { filters } = store.state.route;
  const [series, tokens] = await Promise.allSettled([api.series(filters), api.tokens()]);
  const isCurrent = filters === store.state.route.filters;
  if (series.status === "fulfilled" && isCurrent) {
    store.set({ series: series.value });
  }
  if (tokens.status === "fulfilled") {
    store.set({ tokens: tokens.value });
  }
}

/** @param {boolean} byReader whether the reader went there, so that the focus follows */
function show(byReader) {
  const { route, session } = store.state;
  const view = VIEWS.find((each) => each.id === route.view) ?? VIEWS[0];
  const wanted = session === null ? "login" : `${view?.id}/${route.parts.join("/")}`;
  if (wanted === shown || !view) {
    return;
  }
  shown = wanted;
  leave();
  main.replaceChildren();
  document.body.dataset.view = session === null ? "login" : view.id;
  if (session === null) {
    leave = mountLogin(main, begin);
    return;
  }
  const title = h("h1", { tabindex: "-1" }, view.title);
  main.append(title);
  document.title = `${view.title} – Trunkline`;
  leave = view.mount(main, { store, title });
  if (byReader) {
    window.scrollTo(0, 0);
    title.focus({ preventScroll: true });
  }
}

/** Find out who is there, and begin. */
async function begin() {
  try {
    store.set({ session: await api.session() });
  } catch (error) {
    if (isRefusal(error)) {
      leaveSession();
      return;
    }
    window.setTimeout(begin, 3000);
    store.set({ connection: { state: "lost", since: Date.now(), retryAt: Date.now() + 3000 } });
    return;
  }
  stream.open();
  show(shown === "login");
  await refresh();
}

window.addEventListener("hashchange", () => {
  const before = store.state.route.filters;
  const route = readRoute(location.hash);
  store.set({ route });
  show(true);
  if (JSON.stringify(before) !== JSON.stringify(route.filters)) {
    refresh().then(() => announce("Narrowed"));
  }
});

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && store.state.connection.state === "live") {
    refresh();
  }
});

window.setInterval(() => {
  if (store.state.connection.state === "live" && !document.hidden) {
    refresh();
  }
}, SERIES_EVERY_MS);

/** Find out whether a stream was lost because the session has ended. */
async function verify() {
  try {
    await api.session();
    stream.retryIfRefused();
  } catch (error) {
    if (isRefusal(error)) {
      leaveSession();
    }
  }
}

/** @param {unknown} error */
function isRefusal(error) {
  return error instanceof api.ApiFailure && (error.status === 401 || error.status === 403);
}

function leaveSession() {
  stream.close();
  store.set({ session: null, connection: { state: "refused", since: Date.now(), retryAt: 0 } });
  store.set({ status: null, calls: [], series: null, tokens: null });
  show(false);
}

store.watch(["connection"], () => {
  const { connection, session } = store.state;
  if (session !== null && (connection.state === "refused" || connection.state === "lost")) {
    verify();
  }
});

store.watch(["session"], forgetTools);
mountHeader(store, { stream, again: begin });
mountFilters(store);
begin();
