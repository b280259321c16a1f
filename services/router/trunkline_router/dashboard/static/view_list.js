// Every view of the page, in the order of the navigation.

import { mountAudit } from "./audit.js";
import { mountCatalogue } from "./catalogue.js";
import { mountConnect } from "./connect.js";
import { mountOverview } from "./overview.js";
import { mountTokens } from "./tokens.js";
import { mountTraces } from "./traces.js";

/**
 * @typedef {object} Place Where a view is shown.
 * @property {import("./store.js").Store} store
 * @property {HTMLElement} title
 */

/**
 * @typedef {object} View
 * @property {string} id
 * @property {string} title
 * @property {boolean} narrowed whether the filters apply to it
 * @property {(root: HTMLElement, place: Place) => () => void} mount returns what ends it
 */

/** @type {View[]} */
export const VIEWS = [
  { id: "overview", title: "Overview", narrowed: true, mount: mountOverview },
  { id: "traces", title: "Traces", narrowed: true, mount: mountTraces },
  { id: "catalogue", title: "Catalogue", narrowed: false, mount: mountCatalogue },
  { id: "tokens", title: "Tokens", narrowed: false, mount: mountTokens },
  { id: "audit", title: "Audit", narrowed: false, mount: mountAudit },
  { id: "connect", title: "Connect", narrowed: false, mount: mountConnect },
];
