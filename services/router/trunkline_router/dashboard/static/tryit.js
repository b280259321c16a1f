// The form that tries a tool: checks what is given, calls, shows what came back.

import { announce } from "./announce.js";
import { copyable } from "./copy.js";
import { h, setText } from "./dom.js";
import { cliCommand, curlCommand } from "./equivalent.js";
import { messageOf } from "./format.js";
import { callTool } from "./mcp.js";
import { failureView, resultView } from "./result_view.js";
import { Fault } from "./schema_checks.js";
import { fieldOf } from "./schema_fields.js";

/** @typedef {import("./types.js").Tool} Tool */
/** @typedef {import("./schema_fields.js").Field} Field */

const FEW = 4;

/** @param {Tool} tool */
function fieldsOf(tool) {
  const root = tool.inputSchema;
  const required = new Set(root.required ?? []);
  const policy = tool._meta?.["dev.trunkline/policy"] ?? {};
  const needed = new Set((policy.needs ?? []).flatMap((/** @type {string} */ name) => name.split("|")));
  return Object.entries(root.properties ?? {}).map(([name, schema]) => {
    const usual = policy.defaults?.[name] ? "defaulted" : "";
    return fieldOf(name, schema, {
      root,
      required: required.has(name),
      note: usual || (needed.has(name) ? "needed" : ""),
    });
  });
}

/** @param {Field[]} fields */
function arranged(fields) {
  const isNear = (/** @type {Field} */ field) =>
    field.required || field.element.querySelector(".tag") !== null;
  const near = fields.filter(isNear);
  const others = fields.filter((field) => !isNear(field));
  const more = h(
    "details",
    {},
    h("summary", {}, `Optional (${others.length})`),
    ...others.map((field) => field.element),
  );
  more.open = others.length > 0 && near.length + others.length <= FEW;
  return [...near.map((field) => field.element), ...(others.length ? [more] : [])];
}

/**
 * Return what is given. A fault is shown at its field.
 * @param {Field[]} fields
 * @param {boolean} blames
 * @returns {{given: Record<string, unknown>, bad: Field[]}}
 */
function readAll(fields, blames) {
  /** @type {Record<string, unknown>} */
  const given = {};
  /** @type {Field[]} */
  const bad = [];
  for (const field of fields) {
    let message = "";
    try {
      const value = field.read();
      if (value !== undefined) {
        given[field.name] = value;
      }
    } catch (error) {
      if (!(error instanceof Fault)) {
        throw error;
      }
      message = error.message;
      bad.push(field);
    }
    if (blames) {
      field.blame(message);
    }
  }
  return { given, bad };
}

/** @param {Tool} tool */
function confirmation(tool) {
  if (tool.annotations?.readOnlyHint === true) {
    return null;
  }
  const box = h("input", { type: "checkbox", id: "agreed", "aria-describedby": "agreed-fault" });
  const fault = h("p", { class: "fault", id: "agreed-fault" });
  const words =
    tool.annotations?.destructiveHint === true
      ? "I know that this deletes or overwrites something for real"
      : "I know that this changes something for real";
  const element = h(
    "div",
    { class: "field agreed" },
    h("label", { class: "check", for: "agreed" }, box, words),
    fault,
  );
  return { box, fault, element };
}

/**
 * @param {string} server
 * @param {Tool} tool
 * @param {import("./store.js").Store} store
 */
export function tryIt(server, tool, store) {
  const fields = fieldsOf(tool);
  const agreed = confirmation(tool);
  const send = h("button", { type: "submit", class: "button strong" }, "Call");
  const stop = h("button", { type: "button", class: "button", hidden: true }, "Cancel");
  const said = h("p", { class: "fault", role: "alert" });
  const result = h("div", { class: "result", tabindex: "-1" });
  const commands = h("div", { class: "commands" });
  const form = h(
    "form",
    { novalidate: true },
    ...arranged(fields),
    agreed?.element,
    h("div", { class: "form-actions" }, send, stop),
    said,
  );
  const show = () => {
    const { given } = readAll(fields, false);
    commands.replaceChildren(
      h("h3", {}, "The same in a terminal"),
      copyable(cliCommand(server, tool, given, store.state.session), "trunkline command"),
      copyable(curlCommand(server, tool, given, store.state.session), "curl command"),
    );
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { given, bad } = readAll(fields, true);
    const isRefused = agreed !== null && !agreed.box.checked;
    if (agreed) {
      setText(agreed.fault, isRefused ? "Confirm this first." : "");
    }
    const first = bad[0]?.control ?? (isRefused ? agreed.box : null);
    setText(said, first ? `Not sent: ${bad.length + Number(isRefused)} to mend.` : "");
    if (first) {
      first.closest("details")?.setAttribute("open", "");
      first.focus();
      return;
    }
    await run(server, tool, given, { store, send, stop, result });
    if (agreed) {
      agreed.box.checked = false;
    }
  });
  show();
  return h("div", {}, form, result, commands);
}

/**
 * @param {string} server
 * @param {Tool} tool
 * @param {Record<string, unknown>} given
 * @param {object} parts
 * @param {import("./store.js").Store} parts.store
 * @param {HTMLButtonElement} parts.send
 * @param {HTMLButtonElement} parts.stop
 * @param {HTMLElement} parts.result
 */
async function run(server, tool, given, { store, send, stop, result }) {
  const going = new AbortController();
  const cancel = () => going.abort();
  stop.addEventListener("click", cancel);
  stop.hidden = false;
  send.disabled = true;
  result.setAttribute("aria-busy", "true");
  const began = performance.now();
  try {
    const version = store.state.session?.version ?? "";
    const answer = await callTool(server, tool, given, { version, signal: going.signal });
    result.replaceChildren(...resultView(answer, performance.now() - began, store.state.route.filters));
    announce(answer.isError ? `${tool.name} failed` : `${tool.name} answered`);
  } catch (error) {
    const isStopped = error instanceof DOMException;
    result.replaceChildren(failureView(isStopped ? "Cancelled." : messageOf(error)));
  } finally {
    result.removeAttribute("aria-busy");
    stop.removeEventListener("click", cancel);
    stop.hidden = true;
    send.disabled = false;
    result.focus({ preventScroll: false });
  }
}
