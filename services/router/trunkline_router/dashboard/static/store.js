// What the page knows, and who wants to hear when that changes.

/** @typedef {import("./types.js").State} State */

export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {Set<{keys: (keyof State)[], told: () => void}>} */
    this.listeners = new Set();
  }

  /**
   * Remember what is new and tell those who watch it.
   * @param {Partial<State>} changes
   */
  set(changes) {
    this.state = { ...this.state, ...changes };
    for (const listener of [...this.listeners]) {
      if (this.listeners.has(listener) && listener.keys.some((key) => key in changes)) {
        listener.told();
      }
    }
  }

  /**
   * Call back now and whenever one of the keys changes, until the returned function is called.
   * @param {(keyof State)[]} keys
   * @param {() => void} told
   * @returns {() => void}
   */
  watch(keys, told) {
    const listener = { keys, told };
    this.listeners.add(listener);
    told();
    return () => this.listeners.delete(listener);
  }
}
