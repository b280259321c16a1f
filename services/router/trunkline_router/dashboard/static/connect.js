// How clients are connected: the file or command of each, to copy.

import * as api from "./api.js";
import { copyable } from "./copy.js";
import { h } from "./dom.js";

const KEY_BELONGS =
  " must hold the key where the client starts; trunkline key create makes one. No file holds the key itself.";

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
 * @param {import("./view_list.js").Place} place
 * @returns {() => void}
 */
export function mountConnect(root, { store }) {
  const key = h("p", { class: "muted" }, h("code", {}, "TRUNKLINE_API_KEY"), KEY_BELONGS);
  const clients = h("div", { class: "clients", "aria-busy": "true" });
  root.append(
    h(
      "p",
      { class: "muted" },
      "One address for every tool. Copy the command, or put the text into the file.",
    ),
    ...(store.state.session?.authenticates ? [key] : []),
    clients,
  );
  api
    .connect()
    .then(
      (told) => clients.replaceChildren(...told.clients.map(clientCard)),
      (error) => clients.replaceChildren(h("p", { class: "fault" }, error.message)),
    )
    .finally(() => clients.removeAttribute("aria-busy"));
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
