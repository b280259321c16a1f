// Buttons that copy a text, and say that they have.

import { announce } from "./announce.js";
import { h } from "./dom.js";

const SHOWN_MS = 1600;

/**
 * Return a button that copies what `text` returns when it is pressed.
 * @param {() => string} text
 * @param {string} what named to screen readers
 */
export function copyButton(text, what) {
  const word = h("span", {}, "Copy");
  const button = h("button", { type: "button", class: "button small", "aria-label": `Copy ${what}` }, word);
  button.addEventListener("click", async () => {
    const copied = await copy(text());
    word.textContent = copied ? "Copied" : "Select and copy";
    announce(copied ? `${what} copied` : `${what} could not be copied; select it by hand`);
    window.setTimeout(() => {
      word.textContent = "Copy";
    }, SHOWN_MS);
  });
  return button;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Copy where the clipboard is kept from pages without TLS. @param {string} text */
function copyBySelection(text) {
  const area = h("textarea", { class: "spoken", "aria-hidden": "true", tabindex: "-1" });
  area.value = text;
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) {
    before.focus();
  }
  return copied;
}

/**
 * Return a text in a box of its own, with a button that copies it.
 * @param {string} text
 * @param {string} what
 */
export function copyable(text, what) {
  return h(
    "div",
    { class: "copyable" },
    h("pre", { tabindex: "0", role: "region", "aria-label": what }, h("code", {}, text)),
    copyButton(() => text, what),
  );
}
