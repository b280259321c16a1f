// What is left of the vendors' quotas, per credential, and when it comes back.

import { empty, h, keepItems, setText } from "./dom.js";
import { clock, counted, span, whole } from "./format.js";

/** @typedef {import("./types.js").QuotaShown} QuotaShown */

/**
 * @param {HTMLElement} root
 * @param {import("./store.js").Store} store
 * @returns {() => void}
 */
export function mountQuota(root, store) {
  const list = h("ul", { class: "quota" });
  const none = empty("No quota known yet", h("p", {}, "It is shown once a vendor has told what is left."));
  root.append(
    h(
      "section",
      { class: "card", "aria-labelledby": "quota" },
      h("div", { class: "card-head" }, h("h2", { id: "quota" }, "Vendor quota left")),
      list,
      none,
    ),
  );
  /** @type {Map<string, ReturnType<typeof quotaItem>>} */
  const items = new Map();
  return store.watch(["status"], () => {
    const quotas = store.state.status?.quota ?? [];
    const known = new Map(quotas.map((quota) => [keyOf(quota), quota]));
    keepItems(list, items, [...known.keys()], (key) => quotaItem(/** @type {QuotaShown} */ (known.get(key))));
    for (const [key, item] of items) {
      item.show(/** @type {QuotaShown} */ (known.get(key)));
    }
    none.hidden = quotas.length > 0;
  });
}

/** @param {QuotaShown} quota */
function keyOf(quota) {
  return `${quota.credential ?? ""}\n${quota.resource ?? ""}`;
}

/** @param {QuotaShown} first */
function quotaItem(first) {
  const name = `${first.resource || "all"}`;
  const label = h(
    "span",
    { class: "quota-name" },
    name,
    h("code", { class: "muted" }, first.credential ?? ""),
  );
  const left = h("span");
  const meter = h("meter", {
    min: "0",
    max: "1",
    low: "0.15",
    optimum: "1",
    high: "0.4",
    "aria-label": `Quota ${name} left`,
  });
  const reset = h("span", { class: "quota-reset" });
  const element = h("li", {}, h("div", { class: "quota-head" }, label, left), meter, reset);
  /** @param {QuotaShown} quota */
  const show = (quota) => {
    const { limit, remaining, resets_in_s: resets } = quota;
    const isKnown = limit !== undefined && limit !== null && limit > 0 && remaining !== undefined;
    meter.hidden = !isKnown;
    if (isKnown) {
      meter.value = Math.max(0, Math.min(1, remaining / limit));
    }
    setText(left, isKnown ? `${whole(remaining)} of ${whole(limit)}` : remaining === 0 ? "exhausted" : "");
    const users = quota.tools?.length ? ` · used by ${counted(quota.tools.length, "tool")}` : "";
    const when =
      resets && resets > 0
        ? `resets in ${span(resets)}, at ${clock(Date.now() / 1000 + resets).slice(0, 5)}`
        : "reset time unknown";
    setText(reset, when + users);
    element.title = quota.tools?.join(", ") ?? "";
  };
  return { element, show };
}
