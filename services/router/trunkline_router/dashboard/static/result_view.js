// What a tool answered: text, structure or failure, and where the answer came from.

import { errorBadge, sourceBadge } from "./call_parts.js";
import { copyable } from "./copy.js";
import { h } from "./dom.js";
import { duration, json, plain } from "./format.js";
import { addressOf } from "./route.js";

/**
 * @param {any} result
 * @param {number} took_ms
 * @param {import("./types.js").Filters} filters
 * @returns {HTMLElement[]}
 */
export function resultView(result, took_ms, filters) {
  const note = result._meta?.["dev.trunkline/call"] ?? {};
  const failure = result.isError ? failureIn(result) : null;
  const head = h(
    "p",
    { class: "result-head" },
    result.isError
      ? errorBadge(plain(failure?.error_code ?? "error"))
      : h("span", { class: "badge", "data-kind": "good" }, "ok"),
    note.source ? sourceBadge(String(note.source)) : null,
    h("span", {}, duration(took_ms)),
    note.age_ms ? h("span", {}, `${duration(Number(note.age_ms))} old`) : null,
    note.trace_id
      ? h("a", { href: addressOf("traces", [String(note.trace_id)], filters) }, "Open the trace")
      : null,
  );
  const title = h("h3", {}, result.isError ? "It failed" : "Answer");
  return [title, head, ...(failure ? [toolFailure(failure)] : answer(result))];
}

/** @param {string} message */
export function failureView(message) {
  return h("div", {}, h("h3", {}, "No answer"), h("p", { class: "fault" }, message));
}

/** @param {any} result @returns {Record<string, any> | null} */
function failureIn(result) {
  try {
    const payload = JSON.parse(result.content?.[0]?.text ?? "");
    return payload && typeof payload === "object" ? payload : null;
  } catch {
    return null;
  }
}

/** @param {Record<string, any>} failure */
function toolFailure(failure) {
  const again = failure.retryable
    ? `Worth trying again${failure.retry_after ? ` in ${failure.retry_after} s` : ""}.`
    : "";
  return h(
    "div",
    { class: "failure" },
    h("p", {}, plain(failure.message ?? "")),
    failure.hint ? h("p", {}, h("strong", {}, "Hint: "), plain(failure.hint)) : null,
    again ? h("p", {}, again) : null,
    h("details", {}, h("summary", {}, "All of it"), copyable(json(failure), "failure")),
  );
}

/** @param {any} result @returns {HTMLElement[]} */
function answer(result) {
  const shown = [];
  const structured = result.structuredContent;
  if (structured !== undefined) {
    shown.push(copyable(json(structured), "structured answer"));
  }
  const blocks = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.filter(
    (/** @type {any} */ block) => block.type !== "text" || !repeats(block.text, structured),
  );
  for (const block of texts) {
    shown.push(copyable(block.type === "text" ? pretty(block.text) : json(block), "text of the answer"));
  }
  if (result.resultType && result.resultType !== "complete") {
    shown.push(
      h("p", { class: "notice" }, `The tool wants more before it goes on: ${plain(result.resultType)}.`),
      copyable(json(result), "whole result"),
    );
  }
  return shown.length ? shown : [h("p", { class: "muted" }, "The answer is empty.")];
}

/** Say whether a text is the structure once more. @param {string} text @param {unknown} structured */
function repeats(text, structured) {
  if (structured === undefined) {
    return false;
  }
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? json(value) : text;
  } catch {
    return text;
  }
}
