// The live stream: calls and states as they happen, taken up again when it breaks off.

import { keyOf, MOST_CALLS } from "./known_calls.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types.js").Row} Row */

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30000;
const SILENT_MS = 10000;
const GATHER_MS = 200;

/** Keeps one stream open and puts what it tells into the store. */
export class LiveStream {
  /**
   * @param {Store} store
   * @param {{onPoint: (point: import("./types.js").Point) => void, onBack: () => void}} told
   */
  constructor(store, told) {
    this.store = store;
    this.told = told;
    /** @type {EventSource | null} */
    this.source = null;
    this.wait = FIRST_WAIT_MS;
    this.timer = 0;
    this.heardAt = 0;
    this.gathering = 0;
    /** @type {Row[]} */
    this.gathered = [];
    window.addEventListener("online", () => this.retryNow());
  }

  open() {
    this.close();
    this.heardAt = Date.now();
    const source = new EventSource("api/events");
    this.source = source;
    source.addEventListener("state", (event) => this.#state(JSON.parse(event.data)));
    source.addEventListener("call", (event) => this.#call(JSON.parse(event.data)));
    source.addEventListener("skipped", (event) => this.#skipped(JSON.parse(event.data)));
    source.addEventListener("gap", () => this.#missed());
    source.addEventListener("refused", () => this.#refused());
    source.addEventListener("error", () => this.#lost());
    this.timer = window.setTimeout(() => this.#watch(), SILENT_MS);
  }

  close() {
    window.clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** Try again at once, unless it is live. */
  retryNow() {
    if (this.store.state.connection.state === "lost") {
      this.wait = FIRST_WAIT_MS;
      this.open();
    }
  }

  /** Take the stream up again that the router has ended, though the session stands. */
  retryIfRefused() {
    if (this.store.state.connection.state === "refused") {
      this.#lost();
    }
  }

  /** @param {import("./types.js").Status & {point: import("./types.js").Point | null}} state */
  #state(state) {
    this.heardAt = Date.now();
    this.wait = FIRST_WAIT_MS;
    const { connection } = this.store.state;
    const wasLost = connection.state === "lost";
    const live =
      connection.state === "live"
        ? connection
        : { state: /** @type {const} */ ("live"), since: Date.now(), retryAt: 0 };
    const { servers, cache, quota } = state;
    this.store.set({ status: { servers, cache, quota }, statusAt: Date.now(), connection: live });
    if (state.point) {
      this.told.onPoint(state.point);
    }
    if (wasLost) {
      this.told.onBack();
    }
  }

  /** @param {Row} row */
  #call(row) {
    this.heardAt = Date.now();
    this.gathered.push(row);
    if (!this.gathering) {
      this.gathering = window.setTimeout(() => this.#flush(), GATHER_MS);
    }
  }

  /** @param {{calls: number}} told */
  #skipped(told) {
    this.heardAt = Date.now();
    this.store.set({ skipped: this.store.state.skipped + told.calls });
  }

  /** Some of what happened was not told at all: ask for everything again. */
  #missed() {
    this.#skipped({ calls: 1 });
    this.told.onBack();
  }

  #flush() {
    this.gathering = 0;
    const fresh = this.gathered.reverse();
    this.gathered = [];
    const known = new Set(this.store.state.calls.map(keyOf));
    const added = fresh.filter((row) => !known.has(keyOf(row)));
    const calls = [...added, ...this.store.state.calls].slice(0, MOST_CALLS);
    this.store.set({ calls, held: this.store.state.paused ? this.store.state.held + added.length : 0 });
  }

  #watch() {
    if (Date.now() - this.heardAt >= SILENT_MS) {
      this.#lost();
    } else {
      this.timer = window.setTimeout(() => this.#watch(), 1000);
    }
  }

  #refused() {
    this.close();
    this.store.set({ connection: { state: "refused", since: Date.now(), retryAt: 0 } });
  }

  #lost() {
    this.close();
    const { connection, statusAt } = this.store.state;
    const since = connection.state === "lost" ? connection.since : statusAt || Date.now();
    this.store.set({ connection: { state: "lost", since, retryAt: Date.now() + this.wait } });
    this.timer = window.setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }
}
