// The theme: the system's unless the reader has chosen; the choice is remembered.

import { h } from "./dom.js";

const KEY = "trunkline.theme";
const DARK = window.matchMedia("(prefers-color-scheme: dark)");
/** @type {Set<() => void>} */
const watchers = new Set();

/** @returns {"light" | "dark"} */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") {
    return chosen;
  }
  return DARK.matches ? "dark" : "light";
}

/** Call back when colours have changed. @param {() => void} told */
export function watchTheme(told) {
  watchers.add(told);
  return () => watchers.delete(told);
}

function tell() {
  for (const told of watchers) {
    told();
  }
}

DARK.addEventListener("change", tell);

/** @param {"light" | "dark"} chosen */
function choose(chosen) {
  const followed = chosen === (DARK.matches ? "dark" : "light");
  if (followed) {
    delete document.documentElement.dataset.theme;
  } else {
    document.documentElement.dataset.theme = chosen;
  }
  try {
    if (followed) {
      localStorage.removeItem(KEY);
    } else {
      localStorage.setItem(KEY, chosen);
    }
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  tell();
}

/** Return the button that turns the theme over. */
export function themeButton() {
  const button = h("button", { type: "button", class: "button quiet", id: "theme" });
  const show = () => {
    button.textContent = theme() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use the ${theme() === "dark" ? "light" : "dark"} theme`);
  };
  button.addEventListener("click", () => choose(theme() === "dark" ? "light" : "dark"));
  watchTheme(show);
  show();
  return button;
}

const probe = h("span", { hidden: true });

/** Return one of the style sheet's colours, as the theme has it now. @param {string} name */
export function colour(name) {
  if (!probe.isConnected) {
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
