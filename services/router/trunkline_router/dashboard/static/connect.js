// How clients are connected: the file or command of each, to copy.

import * as api from "./api.js";
import { copyable } from "./copy.js";
import { h } from "./dom.js";

/** @type {Record<string, string>} */
const NAMES = {
  claude: "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
  cursor: "Cursor",
  vscode: "VS Code",
  gemini: "Gemini CLI",
  goose: "Goose",
  opencode: "opencode",
};

/**
 * @param {HTMLElement} root
 * @returns {() => void}
 */
export function mountConnect(root) {
  const place = h("div", { class: "clients", "aria-busy": "true" });
  root.append(
    h(
      "p",
      { class: "muted" },
      "One address for every tool. Copy the command, or put the text into the file.",
    ),
    place,
  );
  api
    .connect()
    .then(
      ({ clients }) => place.replaceChildren(...clients.map(clientCard)),
      (error) => place.replaceChildren(h("p", { class: "fault" }, error.message)),
    )
    .finally(() => place.removeAttribute("aria-busy"));
  return () => {};
}

/** @param {import("./types.js").ClientText} client */
function clientCard(client) {
  const name = NAMES[client.client] ?? client.client;
  const id = `client-${client.client}`;
  const card = h("section", { class: "card client", "aria-labelledby": id }, h("h2", { id }, name));
  if (client.command) {
    card.append(h("p", { class: "label" }, "Run"), copyable(client.command, `command for ${name}`));
  }
  if (client.text) {
    card.append(
      h("p", { class: "label" }, client.command ? "or put into " : "Put into ", h("code", {}, client.file)),
      copyable(client.text, `configuration for ${name}`),
    );
  }
  if (client.note) {
    card.append(h("p", { class: "muted" }, client.note));
  }
  return card;
}
