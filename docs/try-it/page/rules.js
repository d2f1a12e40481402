// @ts-check
// The rules desk: a game, its options, the rule sheet.

import { copy, download, element, field, onFile, showProblems } from "./dom.js";
import { AskError } from "./python.js";
import { el } from "./table-cards.js";

/** @typedef {import("./python.js").Python} Python */
/**
 * @typedef {{id: string, title: string, text: string, reading: string, source: string,
 *   needs: string[], excludes: string[], takes: string, default: string}} Option
 */
/** @typedef {{status: "goes" | "idle" | "refused", needs: string[], why: string}} Fit */

// The sheet is paper; on a dark screen it is dark paper, unless it is printed.
const DARK = `<style>@media screen { html { background: transparent } body { margin: 0 auto;
  box-shadow: none } } @media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --quiet: #a5a097; --line: #4a4740; --red: #ff8f8f;
  color-scheme: dark } body { background: #26272b } }</style>`;

export class Rules {
  /**
   * @param {Python} python
   * @param {any} about All games and options.
   */
  constructor(python, about) {
    this.python = python;
    this.about = about;
    /** @type {any} What a rules file would hold. */
    this.table = { extends: about.first, with: [] };
    /** @type {any} What these rules come to. */
    this.found = null;
    /** @type {Record<string, Fit>} */
    this.fits = {};
    this.link = "";
    /** @type {(() => void)[]} */
    this.listeners = [];
    this.turn = 0;
    this.left = /** @type {string[]} */ ([]);
    this.frame = /** @type {HTMLIFrameElement} */ (element("sheet"));
    this.text = /** @type {HTMLTextAreaElement} */ (element("rules-text"));
    /** @type {Option[]} */
    this.options = about.groups.flatMap((/** @type {any} */ group) => group.options);
    this.#build();
  }

  #build() {
    element("game").replaceChildren(
      ...this.about.games.map((/** @type {any} */ game) =>
        el("option", { value: game.name }, game.title)),
    );
    element("options").replaceChildren(
      ...this.about.groups.map((/** @type {any} */ group) =>
        el("details.group", { open: matchMedia("(min-width: 62rem)").matches },
          el("summary", {}, group.title, " ", el("small.quiet")),
          ...group.options.map((/** @type {Option} */ one) => this.#option(one)))),
    );
    field("game").addEventListener("change", () =>
      this.use({ ...this.table, extends: field("game").value }));
    field("title").addEventListener("change", () =>
      this.use({ ...this.table, title: field("title").value.trim() }));
    element("reset").addEventListener("click", () =>
      this.use({ extends: this.table.extends, with: [] }));
    field("search").addEventListener("input", () => this.#filter());
    field("all-options").addEventListener("change", () => this.#filter());
    element("print").addEventListener("click", () => this.frame.contentWindow?.print());
    element("download").addEventListener("click", () =>
      download(`${this.table.extends}-rules.toml`, this.found.file));
    element("share").addEventListener("click", () =>
      copy(`${location.href.split("#")[0]}#${this.link}`, element("rules-done")));
    const form = element("paste-rules");
    element("open-rules").addEventListener("click", () => {
      form.hidden = !form.hidden;
      element("open-rules").setAttribute("aria-expanded", String(!form.hidden));
      if (!form.hidden) this.text.focus();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#openFile();
    });
    onFile(field("rules-upload"), (text) => {
      this.text.value = text;
      this.#openFile();
    });
    this.frame.addEventListener("load", () => this.#fitFrame());
    new ResizeObserver(() => this.#fitFrame()).observe(element("rules"));
  }

  /** @param {Option} one */
  #option(one) {
    const value = one.takes
      ? el("label.value", {}, `${sentence(one.takes)} `,
          el("input", { "data-value": one.id, value: one.default, autocomplete: "off",
            onchange: () => this.#tick(one, true) }))
      : null;
    return el("div.option", { "data-option": one.id },
      el("label.check", {},
        el("input", { type: "checkbox", "data-tick": one.id,
          "aria-describedby": `about-${one.id}`,
          onchange: (/** @type {Event} */ event) =>
            this.#tick(one, /** @type {HTMLInputElement} */ (event.target).checked) }),
        " ", el("b", {}, one.title), " ", el("small.id", {}, one.id)),
      el("div.about", { id: `about-${one.id}` }, el("p", {}, one.text),
        one.needs.length ? this.#needs(one) : null,
        el("p.why", {})),
      value,
      el("details.about", {}, el("summary.quiet", { "aria-label": `More about ${one.id}` }, "More"),
        one.reading ? el("p", {}, `As we read it: ${one.reading}`) : null,
        one.excludes.length
          ? el("p", {}, `Not together with ${one.excludes.join(", ")}.`) : null,
        el("p", {}, `Source: ${one.source}`)));
  }

  /** @param {Option} one */
  #needs(one) {
    const buttons = one.needs.flatMap((id, at) => [
      at ? " or " : "",
      el("button.small", { type: "button", "aria-label": `Add ${id}`, onclick: () => {
        const other = this.options.find((option) => option.id === id);
        if (other) this.#tick(other, true);
      } }, id),
    ]);
    return el("p.quiet", {}, "Needs ", ...buttons, ".");
  }

  // ---------------------------------------------------------------------- changes

  /**
   * @param {Option} option
   * @param {boolean} on
   */
  #tick(option, on) {
    const others = (this.table.with ?? []).filter(
      (/** @type {string} */ one) => one.split("=")[0] !== option.id);
    const given = document.querySelector(`[data-value="${option.id}"]`);
    const value = given instanceof HTMLInputElement ? given.value.trim() : "";
    const text = option.takes ? `${option.id}=${value}` : option.id;
    this.use({ ...this.table, with: on ? [...others, text] : others });
  }

  /**
   * Play by a table of rules.
   * @param {any} table
   * @param {string[]} [left] What was left out of it, in sentences.
   */
  async use(table, left = []) {
    this.table = table;
    this.left = left;
    const turn = ++this.turn;
    const found = await this.python.ask("rules", { table });
    if (turn !== this.turn) return;
    this.found = found;
    const before = this.link;
    this.link = found.link;
    if (before && location.hash.slice(1).split("?")[0] !== "ask"
      && location.hash.slice(1).split("?")[0] !== "play") {
      history.replaceState(null, "", `#${found.link}`);
    }
    this.#show();
    for (const listener of this.listeners) listener();
    this.#fit();
  }

  /** Find out what fits; that takes longer, and nothing waits for it. */
  async #fit() {
    const { turn } = this;
    const fits = await this.python.ask("rules.fits", { table: this.table });
    if (turn !== this.turn) return;
    this.fits = fits;
    this.#showFits();
  }

  /** @param {string} hash */
  async openLink(hash) {
    const { table, problems } = await this.python.ask("rules.link", { text: hash });
    await this.use(table, problems);
  }

  async #openFile() {
    const box = element("rules-text-problems");
    try {
      const { table } = await this.python.ask("rules.file", { text: this.text.value });
      showProblems(box, "", []);
      await this.use(table);
      element("rules-done").textContent = "These rules are in use.";
      element("paste-rules").hidden = true;
      element("open-rules").setAttribute("aria-expanded", "false");
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      showProblems(box, "These rules cannot be used:", error.problems, this.text);
    }
  }

  // ----------------------------------------------------------------------- showing

  /** The rules in a few words. */
  get words() {
    const game = this.about.games.find(
      (/** @type {any} */ one) => one.name === this.table.extends);
    const number = (this.table.with ?? []).length;
    const title = this.table.title || game?.title || this.table.extends;
    const options = number ? ` with ${number} option${number === 1 ? "" : "s"}` : "";
    return `${title}${options}`;
  }

  get possible() {
    return this.found !== null && !this.found.problems.length;
  }

  #show() {
    const { found, table } = this;
    field("game").value = table.extends;
    field("title").value = table.title ?? "";
    element("chosen").textContent = `${this.words}${this.possible ? "" : ": these rules cannot be played"}`;
    const chosen = new Map((table.with ?? []).map((/** @type {string} */ one) => one.split("=")));
    for (const box of document.querySelectorAll("[data-tick]")) {
      const tick = /** @type {HTMLInputElement} */ (box);
      tick.checked = chosen.has(tick.dataset.tick);
    }
    for (const [id, value] of chosen) {
      const given = document.querySelector(`[data-value="${id}"]`);
      if (given instanceof HTMLInputElement && value) given.value = String(value);
    }
    const problems = [
      ...this.left.map((text) => ({ text })),
      ...found.problems,
    ];
    showProblems(element("rules-problems"),
      found.problems.length ? "These rules cannot be played:" : "Part of the link was left out:",
      problems);
    const bad = new Set(found.problems.flatMap((/** @type {any} */ one) => one.options));
    for (const one of document.querySelectorAll("[data-option]")) {
      one.classList.toggle("bad", bad.has(/** @type {HTMLElement} */ (one).dataset.option));
    }
    for (const id of ["print", "download"]) {
      /** @type {HTMLButtonElement} */ (element(id)).disabled = !this.possible;
    }
    element("sheet").hidden = element("differs").hidden = !this.possible;
    element("rules-done").textContent = "";
    element("notices").replaceChildren();
    if (!this.possible) return;
    element("notices").replaceChildren(
      ...found.notices.map((/** @type {string} */ one) => el("p.quiet", {}, `${one}.`)));
    element("differences").replaceChildren(...this.#differences());
    this.frame.srcdoc = found.sheet.replace("</head>", `${DARK}</head>`);
  }

  #differences() {
    const { differs, values } = this.found;
    if (!differs.length && !values.length) return [el("p.quiet", {}, "Nothing: this is the game as written.")];
    return [
      el("dl.differs", {}, ...differs.map((/** @type {any} */ one) =>
        el("div", {}, el("dt", {}, one.section),
          ...one.now.map((/** @type {string} */ text) => el("dd.now", {}, text)),
          ...one.before.map((/** @type {string} */ text) =>
            el("dd.before", {}, el("span.spoken", {}, "instead of: "), el("s", {}, text)))))),
      el("details", {}, el("summary", {}, "As policy values"),
        el("ul", {}, ...values.map((/** @type {any} */ one) =>
          el("li", {}, el("code", {}, `${one.name} = ${one.here}`),
            ` in place of ${one.there} (${one.from})`)))),
    ];
  }

  #showFits() {
    const chosen = new Set((this.table.with ?? []).map((/** @type {string} */ one) => one.split("=")[0]));
    for (const one of this.options) {
      const box = /** @type {HTMLElement} */ (document.querySelector(`[data-option="${one.id}"]`));
      const fit = this.fits[one.id];
      const why = box.querySelector(".why");
      box.dataset.status = chosen.has(one.id) ? "goes" : fit.status;
      if (why) {
        why.textContent = chosen.has(one.id) || fit.status === "goes" ? ""
          : fit.status === "idle" ? `It changes nothing here: ${fit.why}.`
          : `It cannot be added: ${fit.why}.`;
      }
    }
    this.#filter();
  }

  /** Show the options that fit and that are searched for. */
  #filter() {
    const words = field("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const all = field("all-options").checked;
    let shown = 0;
    for (const one of this.options) {
      const box = /** @type {HTMLElement} */ (document.querySelector(`[data-option="${one.id}"]`));
      const text = `${one.id} ${one.title} ${one.text}`.toLowerCase();
      const tick = /** @type {HTMLInputElement} */ (box.querySelector("[data-tick]"));
      const fits = all || tick.checked || (box.dataset.status ?? "goes") === "goes";
      box.hidden = !fits || !words.every((word) => text.includes(word));
      if (!box.hidden) shown += 1;
    }
    for (const one of element("options").children) {
      const group = /** @type {HTMLDetailsElement} */ (one);
      const number = group.querySelectorAll(".option:not([hidden])").length;
      const ticked = group.querySelectorAll("[data-tick]:checked").length;
      const chosen = ticked ? `${ticked} chosen of ` : "";
      /** @type {HTMLElement} */ (group.querySelector("summary small")).textContent = `${chosen}${number}`;
      group.hidden = !number;
      if (words.length) group.open = true;
    }
    element("options-count").textContent = `${shown} of ${this.options.length} options`;
  }

  #fitFrame() {
    const page = this.frame.contentDocument?.documentElement;
    // What is not shown has no height.
    if (!page || !this.frame.offsetWidth) return;
    this.frame.style.height = `${page.querySelector("body")?.scrollHeight ?? 0}px`;
  }
}

/** @param {string} text */
function sentence(text) {
  return text[0].toUpperCase() + text.slice(1);
}
