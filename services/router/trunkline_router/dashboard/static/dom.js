// Elements out of plain values: text is always text, and an address only leads where it may.

/** @typedef {Node | string | number | null | undefined | false} Child */

const REFUSED = new Set(["style", "srcdoc", "innerhtml", "outerhtml"]);
const ADDRESSES = new Set(["href", "src", "action", "formaction"]);
/** Characters that turn the direction of what stands around them. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Return an element; a function under `onEVENT` listens, `false`, `null` and `undefined` are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    put(element, name, value);
  }
  element.append(...children.filter(isShown).map(asNode));
  return element;
}

/** @param {Child} child @returns {child is Node | string | number} */
function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}

/** @param {Node | string | number} child */
function asNode(child) {
  return child instanceof Node ? child : seen(child);
}

/** Return a text that turns nothing around it. @param {string | number} text */
function seen(text) {
  return String(text).replace(
    TURNING,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** @param {Element} element @param {string} name @param {unknown} value */
function put(element, name, value) {
  const plain = name.toLowerCase();
  if (value === false || value === null || value === undefined) {
    return;
  }
  if (plain.startsWith("on")) {
    element.addEventListener(plain.slice(2), /** @type {EventListener} */ (value));
  } else if (ADDRESSES.has(plain)) {
    const address = safeAddress(String(value));
    if (address) {
      element.setAttribute(plain, address);
    }
  } else if (!REFUSED.has(plain)) {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Return an address that a link may have: one of this page, or of http and https; else nothing.
 * @param {string} address
 */
export function safeAddress(address) {
  if (address.startsWith("#")) {
    return address;
  }
  try {
    const { protocol } = new URL(address, document.baseURI);
    return protocol === "https:" || protocol === "http:" ? address : "";
  } catch {
    return "";
  }
}

/**
 * Show a text, without touching the page when it is there already.
 * @param {Node} node
 * @param {string | number} text
 */
export function setText(node, text) {
  const shown = seen(text);
  if (node.textContent !== shown) {
    node.textContent = shown;
  }
}

/**
 * Return text for those who listen in place of looking.
 * @param {string} text
 */
export function spoken(text) {
  return h("span", { class: "spoken" }, text);
}

/**
 * Return a region that scrolls by itself, reachable by keyboard.
 * @param {string} label
 * @param {...Child} children
 */
export function scrolling(label, ...children) {
  return h("div", { class: "scrolling", role: "region", "aria-label": label, tabindex: "0" }, ...children);
}

/**
 * Return what stands where nothing is yet: what that means, and what to do.
 * @param {string} title
 * @param {...Child} more
 */
export function empty(title, ...more) {
  return h("div", { class: "empty" }, h("p", { class: "empty-title" }, title), ...more);
}

/**
 * Keep one item in a list for each key: what is gone is taken out, what is new is made and put at the end.
 * @template {{element: HTMLElement}} Item
 * @param {HTMLElement} list
 * @param {Map<string, Item>} items
 * @param {string[]} keys
 * @param {(key: string) => Item} make
 */
export function keepItems(list, items, keys, make) {
  for (const [key, item] of items) {
    if (!keys.includes(key)) {
      item.element.remove();
      items.delete(key);
    }
  }
  for (const key of keys.filter((each) => !items.has(each))) {
    const item = make(key);
    items.set(key, item);
    list.append(item.element);
  }
}
