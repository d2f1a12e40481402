// @ts-check
// "May I ...": a question of a few facts, and the ruling on it.

import { copy, onFile, rulesInFull, showProblems } from "./dom.js";
import { AskError } from "./python.js";
import { cardElement, cardName, el, prettily } from "./table-cards.js";
import { Table } from "./table.js";

/** @typedef {import("./python.js").Python} Python */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

const RANKS = [..."A23456789TJQK"];
const SUITS = [..."cdhs"];
const PHASES = {
  "": "the draw, or what the question needs",
  draw: "the draw",
  play: "melds and a discard, after the draw",
  call: "a discard may be called",
  offer: "the first upcard is offered",
  buy: "the discard may be bought",
  stock: "the upcard was declined",
  discard: "a discard is owed after a call",
  answer: "the partner is asked",
  layoff: "laying off after a knock",
  choose: "choosing the size of the hand",
};
const VERBS = ["draw", "take", "meld", "lay", "swap", "discard", "knock", "pass"];

export class Asking {
  /**
   * @param {Python} python
   * @param {Rules} rules
   */
  constructor(python, rules) {
    this.python = python;
    this.rules = rules;
    const typed = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
    const input = (/** @type {string} */ id, /** @type {string} */ placeholder, given = {}) =>
      /** @type {HTMLInputElement} */ (el("input.wide", { type: "text", id, placeholder, ...typed, ...given }));
    const area = (/** @type {string} */ id, /** @type {number} */ rows, placeholder = "") =>
      /** @type {HTMLTextAreaElement} */ (el("textarea", { id, rows, placeholder, ...typed }));
    const select = (/** @type {string} */ id, /** @type {[string, string][]} */ options, given = {}) =>
      /** @type {HTMLSelectElement} */ (el("select", { id, ...given },
        ...options.map(([value, text]) => el("option", { value }, text))));

    this.action = input("action", "meld 7h 8h 9h");
    this.facts = {
      hand: input("hand", "7h 8h 9h Kd"),
      pile: input("pile", "5c Kd"),
      melds: area("melds", 2, "Ben: 6h *=7h 8h"),
      players: input("players", "Ann, Ben"),
      phase: select("phase", Object.entries(PHASES)),
      more: area("more", 3, "stock = \"9h 2c\""),
    };
    this.game = select("ask-game",
      rules.about.games.map((/** @type {any} */ one) => [one.name, one.title]),
      { onchange: () => rules.use({ extends: this.game.value, with: [] }) });
    this.options = input("ask-options", "PGV-P4, PGV-E5=300", { onchange: () => {
      const chosen = this.options.value.split(",").map((one) => one.trim());
      rules.use({ ...rules.table, with: chosen.filter(Boolean) });
    } });
    this.pasted = area("pasted", 8);
    this.pasteProblems = el("div.problems", { role: "alert", id: "paste-problems" });
    this.pasteSaid = el("div", { role: "status", id: "paste-said" });
    this.problems = el("div.problems", { role: "alert", id: "ask-problems" });
    this.held = el("div.placed", { role: "group", "aria-label": "Your hand" });
    this.ruling = el("div", { id: "ruling", "aria-live": "polite" });
    this.beside = el("div", { id: "beside" });
    this.tableBox = el("div", { id: "ask-table", hidden: true });
    this.told = el("p.spoken", { role: "status" });
    /** @type {HTMLInputElement | HTMLTextAreaElement} Where a card goes that is pointed at. */
    this.target = this.facts.hand;
    this.turn = 0;
    this.#build();
    this.shown = new Table(this.tableBox, (/** @type {any} */ message) => {
      if (message.type === "do") this.#ask(message.action);
    });
    rules.listeners.push(() => this.#showRules());
    this.#showRules();
  }

  // ------------------------------------------------------------------ what stands where

  #build() {
    const { hand, pile, melds, players, phase, more } = this.facts;
    const label = (/** @type {string} */ text, /** @type {Field} */ of, about = "") =>
      el("label", {}, text, about ? el("span.quiet", {}, ` (${about})`) : null, " ", of);
    const form = el("form.question", {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.#ask(this.action.value);
      },
      oninput: () => this.#clear(),
    },
    el("div.fields", {}, label("Game ", this.game)),
    label("May I", this.action),
    el("p.buttons.verbs", { role: "group", "aria-label": "Kinds of action" },
      ...VERBS.map((verb) => el("button.small", { type: "button", onclick: () => {
        this.action.value = `${verb} `;
        this.action.focus();
        this.#clear();
      } }, verb))),
    label("with this hand?", hand),
    this.held,
    el("p.buttons", {},
      el("button.main", { type: "submit", id: "ask-button" }, "Ask"),
      el("button", { type: "button", id: "look", onclick: () => this.#ask("") }, "What may I do?")),
    this.problems, this.ruling, this.beside,
    el("details", { id: "facts" }, el("summary", {}, "More facts"),
      label("Discard pile", pile, "the top card last"),
      label("Melds on the table", melds, "one a line, and who laid it"),
      label("Players", players, "clockwise, or how many"),
      label("Options", this.options, "by their ids"),
      label("What is next", phase),
      label("Anything else", more, "one a line, as in a scenario file"),
      el("p.buttons", {},
        el("button", { type: "button", id: "example", onclick: () => this.#example() }, "An example"),
        el("button", { type: "button", id: "clear", onclick: () => this.#set({}) }, "Clear all"))));
    for (const one of [this.action, hand, pile, melds]) {
      one.addEventListener("focus", () => {
        this.target = one;
      });
    }
    hand.addEventListener("input", () => this.#draw());
    const chooser = /** @type {HTMLInputElement} */ (el("input", {
      type: "file", accept: ".toml,text/plain", "aria-label": "Choose a file" }));
    onFile(chooser, (text) => {
      this.pasted.value = text;
      this.#paste();
    });
    const open = matchMedia("(min-width: 62rem)").matches;
    document.getElementById("asking")?.append(form, el("div", {},
      el("details", { id: "palette", open }, el("summary", {}, "Point at cards"), this.#palette(), this.told),
      this.tableBox,
      el("details", { id: "paste" }, el("summary", {}, "Paste a position, a scenario or a record"),
        el("form", { onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#paste();
        } },
        el("label", { for: "pasted" }, "As text, in the notation of its file"), this.pasted,
        el("p.buttons", {}, chooser, el("button", { type: "submit" }, "Put it on the table")),
        this.pasteProblems)),
      this.pasteSaid));
  }

  #palette() {
    const card = (/** @type {string} */ text) =>
      el("button.bare", { type: "button", "data-put": text, "aria-label": cardName(text),
        onclick: () => this.#put(text, cardName(text)) }, cardElement(text, { hidden: true }));
    return el("div.palette", { role: "group", "aria-label": "Cards, for the field last used" },
      ...SUITS.map((suit) => el("div.suit", {}, ...RANKS.map((rank) => card(rank + suit)))),
      el("div.suit", {}, card("*"),
        el("button.small", { type: "button", id: "stands-for",
          onclick: () => this.#put("=", "stands for") }, "stands for")));
  }

  /**
   * Put a card, or what it stands for, where the cards go.
   * @param {string} text
   * @param {string} spoken
   */
  #put(text, spoken) {
    const before = this.target.value.trimEnd();
    const joined = text === "=" || /[=\n]$/.test(before) || !before;
    this.target.value = before + (joined ? "" : " ") + text;
    this.told.textContent = `${spoken}: ${this.target.labels?.[0].firstChild?.textContent}`;
    this.#clear();
    if (this.target === this.facts.hand) this.#draw();
  }

  /** Draw the hand; a card of it that is pressed goes into the question. */
  async #draw() {
    const turn = ++this.turn;
    /** @type {string[]} */
    const cards = await this.python.ask("ask.cards", { text: this.facts.hand.value }).catch(() => []);
    if (turn !== this.turn) return;
    this.held.replaceChildren(...cards.map((card) =>
      el("button.bare", { type: "button", "aria-label": cardName(card), onclick: () => {
        this.target = this.action;
        this.#put(card, cardName(card));
      } }, cardElement(card, { hidden: true }))));
  }

  #showRules() {
    this.game.value = this.rules.table.extends;
    this.options.value = (this.rules.table.with ?? []).join(", ");
    this.#clear();
  }

  /**
   * Fill the fields.
   * @param {Record<string, string>} facts
   */
  #set(facts) {
    for (const [key, one] of Object.entries(this.facts)) one.value = facts[key] ?? "";
    this.action.value = "";
    this.#draw();
    this.#clear();
  }

  /** Take away an answer that no longer belongs to what is asked. */
  #clear() {
    for (const one of [this.problems, this.ruling, this.beside]) one.replaceChildren();
    this.tableBox.hidden = true;
  }

  // ------------------------------------------------------------------------- questions

  /** What is asked, without the action. */
  #given() {
    const facts = Object.entries(this.facts).map(([key, one]) => [key, one.value]);
    return { table: this.rules.table, facts: Object.fromEntries(facts) };
  }

  async #example() {
    try {
      const found = await this.python.ask("ask.example", { table: this.rules.table });
      this.#set(found.facts);
      await this.#ask("");
    } catch (error) {
      this.#failed(error);
    }
  }

  async #paste() {
    try {
      const found = await this.python.ask("ask.paste",
        { text: this.pasted.value, table: this.rules.table });
      showProblems(this.pasteProblems, "", []);
      await this.rules.use(found.table);
      this.#set(found.facts);
      const rulings = found.rulings.map((/** @type {any} */ one) =>
        el("li", {}, `${one.seat} ${one.do}: ${one.said}`));
      const differs = found.differs.map((/** @type {string} */ one) => el("li", {}, one));
      this.pasteSaid.replaceChildren(
        el("p", {}, rulings.length ? "On the table, after its steps:" : "It is on the table."),
        el("ul", {}, ...rulings),
        ...(differs.length ? [el("p", {}, "It expects something else:"), el("ul", {}, ...differs)] : []));
      await this.#ask("");
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      showProblems(this.pasteProblems, "This cannot be put on the table:", error.problems, this.pasted);
    }
  }

  /** @param {string} text The action. */
  async #ask(text) {
    const action = text.trim();
    try {
      const found = await this.python.ask("ask", { ...this.#given(), action });
      this.#clear();
      if (action) this.action.value = action;
      this.tableBox.hidden = false;
      this.shown.receive(found.message);
      this.#rule(found);
    } catch (error) {
      this.#failed(error);
    }
    // On a phone the keyboard would cover the answer.
    if (matchMedia("(pointer: coarse)").matches) this.target.blur();
    (this.problems.hasChildNodes() ? this.problems : this.ruling).scrollIntoView({ block: "nearest" });
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!(error instanceof AskError)) throw error;
    this.#clear();
    showProblems(this.problems, "This cannot be answered:", error.problems);
  }

  /** @param {any} found */
  #rule({ ruling, action, rules, player, assumed, scenario }) {
    const made = assumed.length ? el("p.quiet", {}, `Made up: ${assumed.join(", ")}.`) : null;
    if (!ruling) {
      const points = `Below is the table as ${player} sees it: point at cards there.`;
      this.ruling.replaceChildren(el("p", {}, points), made ?? "");
      return;
    }
    const said = el("p.quiet", { role: "status" });
    this.ruling.replaceChildren(
      el(ruling.legal ? "div.verdict.legal" : "div.verdict.refused", {},
        el("h3", {}, ruling.legal ? "Legal" : "Not allowed"),
        el("p", {}, el("b", {}, prettily(action)), ": ", prettily(ruling.reason), ".")),
      ...rulesInFull(rules), made ?? "");
    this.beside.replaceChildren(
      ruling.legal ? "" : this.#allowing(action),
      el("details", {}, el("summary", {}, "The same as a scenario, for a bug report"),
        el("textarea", { readonly: true, rows: 14, "aria-label": "Scenario", id: "scenario" }, scenario),
        el("p.buttons", {}, el("button", { type: "button", onclick: () => copy(scenario, said) }, "Copy"),
          said)));
  }

  /**
   * The question which options would allow what is refused.
   * @param {string} action
   */
  #allowing(action) {
    const box = el("div", { id: "allowed-by", role: "status" });
    box.append(el("button", { type: "button", onclick: async () => {
      box.replaceChildren("Each option is tried…");
      const found = await this.python.ask("ask.allowed_by", { ...this.#given(), action });
      box.replaceChildren(
        el("p", {}, found.length ? "Any of these options would allow it:" : "No option by itself would allow it."),
        el("ul", {}, ...found.map((/** @type {any} */ one) =>
          el("li", {}, el("b", {}, one.title), ` (${one.id}). ${one.text}`))));
    } }, "Which options would allow it?"));
    return box;
  }
}
