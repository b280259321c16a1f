// A question that has to be answered before something is done.

import { h } from "./dom.js";

/**
 * Ask; resolves to whether it was agreed to. The focus returns to where it was.
 * @param {string} title
 * @param {string} text
 * @param {string} action
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, action) {
  const no = h("button", { type: "button", class: "button", value: "no" }, "Cancel");
  const yes = h("button", { type: "button", class: "button strong", value: "yes" }, action);
  const dialog = h(
    "dialog",
    { "aria-labelledby": "question", "aria-describedby": "question-text" },
    h("h2", { id: "question" }, title),
    h("p", { id: "question-text" }, text),
    h("div", { class: "dialog-actions" }, no, yes),
  );
  no.addEventListener("click", () => dialog.close("no"));
  yes.addEventListener("click", () => dialog.close("yes"));
  document.body.append(dialog);
  dialog.showModal();
  no.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
