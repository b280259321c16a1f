// The catalogue: every server's tools, and one of them with its schemas and a form to try it.

import { empty, h, setText } from "./dom.js";
import { counted } from "./format.js";
import { listTools } from "./mcp.js";
import { addressOf } from "./route.js";
import { schemaView } from "./schema_view.js";
import { tryIt } from "./tryit.js";

const NEEDED = "Log in with a key that has it: what is listed and may be tried is what a key may call.";

/** @typedef {import("./types.js").Tool} Tool */
/** @typedef {import("./store.js").Store} Store */

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @returns {() => void}
 */
export function mountCatalogue(root, { store, title }) {
  const [server, tool] = store.state.route.parts;
  if (!store.state.session?.scopes.includes("tools")) {
    // What is known to be refused is not asked: each refusal would stand in everybody's feed.
    root.append(h("div", { class: "card" }, empty("This needs the scope tools", h("p", {}, NEEDED))));
    return () => {};
  }
  if (server && tool) {
    return mountTool(root, { store, title }, { server, name: tool });
  }
  return mountList(root, store, server ?? "");
}

/** @param {HTMLElement} root @param {Store} store @param {string} only */
function mountList(root, store, only) {
  const search = h("input", {
    type: "search",
    "aria-label": "Find a tool",
    placeholder: "Find a tool",
    autocomplete: "off",
  });
  const place = h("div", { class: "catalogue" });
  root.append(
    h(
      "div",
      { class: "toolbar" },
      search,
      only ? h("a", { href: addressOf("catalogue", [], store.state.route.filters) }, "All servers") : null,
    ),
    place,
  );
  /** @type {Map<string, HTMLElement>} */
  const cards = new Map();
  const none = h("div", {});
  root.append(none);
  const find = () => {
    const wanted = search.value.trim();
    const found = narrowTo(place, wanted.toLowerCase());
    none.replaceChildren(...(wanted && !found ? [empty(`No tool tells of “${wanted}”`)] : []));
  };
  search.addEventListener("input", find);
  return store.watch(["status"], () => {
    for (const id of Object.keys(store.state.status?.servers ?? {})) {
      if (!cards.has(id) && (!only || only === id)) {
        const card = serverCard(id, store, find);
        cards.set(id, card);
        place.append(card);
      }
    }
    if (only && store.state.status && cards.size === 0) {
      none.replaceChildren(empty(`There is no server ${only}`));
    }
  });
}

/**
 * Show the tools that tell of what is wanted; return how many these are.
 * @param {HTMLElement} place
 * @param {string} wanted
 */
function narrowTo(place, wanted) {
  let found = 0;
  for (const card of place.querySelectorAll("section")) {
    let shown = 0;
    for (const item of card.querySelectorAll("li")) {
      item.hidden = !(item.textContent ?? "").toLowerCase().includes(wanted);
      shown += Number(!item.hidden);
    }
    card.hidden = Boolean(wanted) && shown === 0;
    found += shown;
  }
  return found;
}

/** @param {string} server @param {Store} store @param {() => void} done */
function serverCard(server, store, done) {
  const id = `tools-${server}`;
  const count = h("span", { class: "muted" });
  const list = h("ul", { class: "tools" });
  const card = h(
    "section",
    { class: "card", "aria-labelledby": id },
    h("div", { class: "card-head" }, h("h2", { id }, server), count),
    list,
  );
  listTools(server, store.state.session?.version ?? "").then(
    (tools) => {
      setText(count, counted(tools.length, "tool"));
      list.replaceChildren(...tools.map((tool) => toolItem(server, tool, store)));
      done();
    },
    (error) => card.append(empty("Its tools could not be listed", h("p", {}, error.message))),
  );
  return card;
}

/** @param {string} server @param {Tool} tool @param {Store} store */
function toolItem(server, tool, store) {
  const href = addressOf("catalogue", [server, tool.name], store.state.route.filters);
  return h(
    "li",
    {},
    h("a", { href }, tool.name),
    " ",
    ...annotationTags(tool),
    h("p", {}, firstSentence(tool.description ?? "")),
  );
}

/** @param {string} text */
function firstSentence(text) {
  return text.split(/(?<=\.)\s+(?=[A-Z])/, 1)[0] ?? "";
}

/** @param {Tool} tool */
function annotationTags(tool) {
  const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {};
  if (readOnlyHint === true) {
    return [h("span", { class: "tag soft" }, "reads")];
  }
  const tags = [h("span", { class: "tag" }, "writes")];
  if (destructiveHint === true) {
    tags.push(h("span", { class: "badge", "data-kind": "bad" }, "destructive"));
  }
  if (idempotentHint === true) {
    tags.push(h("span", { class: "tag soft" }, "idempotent"));
  }
  return tags;
}

/**
 * @param {HTMLElement} root
 * @param {import("./view_list.js").Place} place
 * @param {{server: string, name: string}} wanted
 */
function mountTool(root, { store, title }, { server, name }) {
  let isLeft = false;
  const { filters } = store.state.route;
  setText(title, name);
  document.title = `${name} – Trunkline`;
  root.prepend(h("a", { href: addressOf("catalogue", [], filters), class: "back" }, "← All tools"));
  const place = h("div", { "aria-busy": "true" }, h("p", { class: "muted" }, "Reading the catalogue …"));
  root.append(place);
  listTools(server, store.state.session?.version ?? "").then(
    (tools) => {
      const tool = tools.find((each) => each.name === name);
      if (!isLeft) {
        place.removeAttribute("aria-busy");
        place.replaceChildren(
          ...(tool ? toolParts(server, tool, store) : [empty(`${server} has no tool ${name}`)]),
        );
      }
    },
    (error) =>
      place.replaceChildren(empty("The tools of this server could not be listed", h("p", {}, error.message))),
  );
  return () => {
    isLeft = true;
  };
}

/** @param {string} server @param {Tool} tool @param {Store} store */
function toolParts(server, tool, store) {
  const about = h(
    "p",
    { class: "tool-about" },
    h("code", {}, server),
    " ",
    ...annotationTags(tool),
    ...policyTags(tool),
  );
  const text = h("p", { class: "tool-text" }, tool.description ?? "");
  const schemas = h(
    "div",
    { class: "column" },
    h(
      "section",
      { class: "card", "aria-labelledby": "takes" },
      h("h2", { id: "takes" }, "Takes"),
      schemaView(tool.inputSchema, "input"),
    ),
    h(
      "section",
      { class: "card", "aria-labelledby": "returns" },
      h("h2", { id: "returns" }, "Returns"),
      schemaView(tool.outputSchema, "output", false),
    ),
  );
  const form = h(
    "section",
    { class: "card", "aria-labelledby": "try" },
    h("h2", { id: "try" }, "Try it"),
    tryIt(server, tool, store),
  );
  return [about, text, h("div", { class: "columns tool" }, h("div", { class: "column" }, form), schemas)];
}

/** Say how long answers are reused. @param {Tool} tool */
function policyTags(tool) {
  const ttl = tool._meta?.["dev.trunkline/policy"]?.reads?.ttl_s;
  return ttl ? [h("span", { class: "tag soft" }, `reused for ${ttl} s`)] : [];
}
