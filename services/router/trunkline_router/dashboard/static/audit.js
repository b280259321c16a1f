// The audit of writes: who changed what, how it ended, and what it made.

import * as api from "./api.js";
import { empty, h, safeAddress, scrolling, setText } from "./dom.js";
import { counted, duration, messageOf, moment, plain } from "./format.js";
import { addressOf } from "./route.js";

/** @typedef {import("./types.js").AuditRecord} AuditRecord */

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @returns {() => void}
 */
export function mountAudit(root, { store }) {
  if (!store.state.session?.scopes.includes("admin")) {
    root.append(
      h(
        "div",
        { class: "card" },
        empty(
          "This needs the scope admin",
          h(
            "p",
            {},
            "Log in with a key that has it: ",
            h("code", {}, "trunkline key create NAME --scope observe --scope admin"),
          ),
        ),
      ),
    );
    return () => {};
  }
  const told = h(
    "p",
    { class: "muted" },
    "Every call that may change something leaves a record; what it said is kept as length and digest only.",
  );
  const refresh = h("button", { type: "button", class: "button small" }, "Refresh");
  const place = h("div", { class: "card flush" });
  root.append(h("div", { class: "toolbar" }, refresh, told), place);
  const load = async () => {
    try {
      const { records } = await api.audit();
      place.replaceChildren(records.length ? auditTable(records, store) : nothing());
      setText(
        told,
        `${counted(records.length, "record")}, newest first. What a write said is kept as length and digest only.`,
      );
    } catch (error) {
      setText(told, messageOf(error));
    }
  };
  refresh.addEventListener("click", load);
  load();
  return () => {};
}

function nothing() {
  return empty("No write yet", h("p", {}, "Calls of tools that change something are recorded here."));
}

/** @param {AuditRecord[]} records @param {import("./store.js").Store} store */
function auditTable(records, store) {
  const heads = ["Time", "Who", "Call", "Arguments", "Result", "Made", "Took", "Trace"].map((name) =>
    h("th", { scope: "col" }, name),
  );
  const rows = records.map((record) => auditRow(record, store));
  const caption = h("caption", { class: "spoken" }, "Writes, newest first");
  return scrolling(
    "Writes",
    h("table", {}, caption, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)),
  );
}

/** @param {AuditRecord} record @param {import("./store.js").Store} store */
function auditRow(record, store) {
  const isWell = record.result === "ok";
  const doubt = record.may_have_happened ? h("span", { class: "muted" }, " may have happened") : null;
  const trace = h(
    "a",
    { href: addressOf("traces", [record.trace_id], store.state.route.filters) },
    record.trace_id.slice(0, 8),
  );
  return h(
    "tr",
    {},
    h("td", {}, h("time", { datetime: record.time }, moment(Date.parse(record.time) / 1000))),
    h("td", {}, record.key || record.subject || "–"),
    h("th", { scope: "row" }, `${record.server}.${record.tool}`),
    h("td", { class: "arguments" }, ...argumentsOf(record.arguments)),
    h("td", {}, h("span", { class: "badge", "data-kind": isWell ? "good" : "bad" }, record.result), doubt),
    h("td", {}, made(record.made ?? {})),
    h("td", { class: "number" }, duration(record.duration_ms)),
    h("td", {}, trace),
  );
}

/** @param {Record<string, unknown>} given */
function argumentsOf(given) {
  return Object.entries(given ?? {}).map(([name, value]) =>
    h("span", { class: "argument" }, h("code", {}, name), " ", shortened(value)),
  );
}

/** @param {unknown} value */
function shortened(value) {
  if (typeof value === "object" && value !== null && "sha256" in value && "length" in value) {
    return `${value.length} bytes, ${String(value.sha256).slice(0, 8)}…`;
  }
  return plain(value);
}

/** @param {Record<string, unknown>} names */
function made(names) {
  const address = names.html_url ?? names.url;
  const text = names.key ?? names.number ?? names.id;
  if (typeof address === "string" && /^https?:/i.test(address) && safeAddress(address)) {
    return h(
      "a",
      { href: address, rel: "noreferrer noopener", target: "_blank" },
      text === undefined ? address.replace(/^https?:\/\//i, "") : plain(text),
    );
  }
  return text === undefined ? "–" : plain(text);
}
