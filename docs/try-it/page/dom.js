// @ts-check
// Small helpers for elements, shared by the parts of the page.

import { el } from "./table-cards.js";

/** @typedef {{text: string, line?: number | null}} Problem */

/**
 * The element with an id, which must be there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no element ${id}`);
  return found;
}

/**
 * The value of a field.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export function field(id) {
  return /** @type {HTMLInputElement} */ (element(id));
}

/**
 * Rules in full.
 * @param {{id: string, title: string, text: string, reading: string, source: string}[]} rules
 * @returns {HTMLElement[]}
 */
export function rulesInFull(rules) {
  return rules.map((one) => el("div.rule", {},
    el("p", {}, el("b", {}, one.title || one.id), one.title ? ` (${one.id}). ` : "", one.text),
    one.reading ? el("p.quiet", {}, `As we read it: ${one.reading}`) : null,
    one.source ? el("p.quiet", {}, `Source: ${one.source}`) : null));
}

/**
 * List problems in a box, each with its line; a line that is pressed is selected.
 * @param {HTMLElement} box
 * @param {string} heading
 * @param {Problem[]} problems
 * @param {HTMLTextAreaElement} [text] Where the lines are.
 */
export function showProblems(box, heading, problems, text) {
  if (!problems.length) {
    box.replaceChildren();
    return;
  }
  box.replaceChildren(
    el("p", {}, heading),
    el(
      "ul",
      {},
      ...problems.map((one) =>
        el(
          "li",
          {},
          one.line && text
            ? el("button.line", { type: "button", onclick: () => selectLine(text, one.line ?? 1) },
                `Line ${one.line}`)
            : null,
          one.line && text ? ": " : null,
          one.text,
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLTextAreaElement} text
 * @param {number} line
 */
function selectLine(text, line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
}

/**
 * Offer a text as a file to keep.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Copy a text; if the browser does not allow it, the text is selected in a field.
 * @param {string} text
 * @param {HTMLElement} said Where to say what was done.
 */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = "Copied.";
  } catch {
    const shown = /** @type {HTMLInputElement} */ (
      el("input.wide", { readonly: true, "aria-label": "To copy" })
    );
    shown.value = text;
    said.replaceChildren("Copy this: ", shown);
    shown.select();
  }
}

/**
 * Read the file that was chosen in a field, then clear the field.
 * @param {HTMLInputElement} chooser
 * @param {(text: string) => void} use
 */
export function onFile(chooser, use) {
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.[0];
    if (file) use(await file.text());
    chooser.value = "";
  });
}
