// The way in where keys are on: the key goes to the router once and is not kept by the page.

import * as api from "./api.js";
import { h, setText } from "./dom.js";
import { messageOf } from "./format.js";

/**
 * @param {HTMLElement} root
 * @param {() => void} done
 * @returns {() => void}
 */
export function mountLogin(root, done) {
  document.title = "Log in – Trunkline";
  const key = h("input", {
    id: "key",
    name: "key",
    type: "password",
    required: true,
    autocomplete: "current-password",
    spellcheck: "false",
    "aria-describedby": "key-help key-fault",
    placeholder: "tl_…",
  });
  const fault = h("p", { class: "fault", id: "key-fault", role: "alert" });
  const button = h("button", { type: "submit", class: "button strong" }, "Log in");
  const form = h(
    "form",
    { class: "login card" },
    h("h1", { tabindex: "-1" }, "Log in"),
    h("input", {
      type: "text",
      name: "username",
      autocomplete: "username",
      value: "trunkline",
      hidden: true,
    }),
    h("label", { for: "key" }, "API key"),
    key,
    h(
      "p",
      { class: "help", id: "key-help" },
      "A key with the scope ",
      h("code", {}, "observe"),
      ". Make one with ",
      h("code", {}, "trunkline key create NAME --scope observe"),
      ".",
    ),
    fault,
    button,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    setText(fault, "");
    try {
      await api.login(key.value.trim());
      key.value = "";
      done();
    } catch (error) {
      setText(fault, messageOf(error));
      key.setAttribute("aria-invalid", "true");
      key.focus();
    } finally {
      button.disabled = false;
    }
  });
  root.append(form);
  key.focus();
  return () => {};
}
