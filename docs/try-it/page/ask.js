// @ts-check
// A position put together by pointing or typing, and the ruling on an action in it.

import { copy, onFile, rulesInFull, showProblems } from "./dom.js";
import { AskError } from "./python.js";
import { cardElement, cardName, el, prettily } from "./table-cards.js";
import { Table } from "./table.js";

/** @typedef {import("./python.js").Python} Python */
/** @typedef {import("./rules.js").Rules} Rules */
/**
 * A place for cards: its field holds them as text.
 * @typedef {{id: string, label: string, input: HTMLInputElement, row: HTMLElement,
 *   cards: HTMLElement, choose: HTMLInputElement}} Place
 */

const RANKS = [..."A23456789TJQK"];
const SUITS = [..."cdhs"];
const CARD = /(?<![\w*=])(\*|10[cdhs]|[A2-9TJQK][cdhs])(=(?:\*|[A2-9TJQK][cdhs]?))?(?!\w)/gi;
const PHASES = {
  draw: "before the draw",
  play: "after the draw",
  call: "a discard may be called",
  offer: "the first upcard is offered",
  buy: "the discard may be bought",
  stock: "the upcard was declined",
  discard: "a discard is owed after a call",
  answer: "the partner is asked",
  layoff: "laying off after a knock",
  choose: "choosing the size of the hand",
};
const VERBS = ["draw", "take 1", "meld", "lay", "swap", "discard", "knock", "declare", "pass"];

export class Asking {
  /**
   * @param {Python} python
   * @param {Rules} rules
   */
  constructor(python, rules) {
    this.python = python;
    this.rules = rules;
    /** @type {Place[]} */
    this.places = [];
    /** @type {Place | null} Where a card goes that is pointed at. */
    this.target = null;
    this.melds = 0;
    const input = (/** @type {object} */ given) =>
      /** @type {HTMLInputElement} */ (el("input", {
        type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...given,
      }));
    const select = (/** @type {object} */ given, /** @type {[string, string][]} */ ...options) =>
      /** @type {HTMLSelectElement} */ (el("select", given,
        ...options.map(([value, text]) => el("option", { value }, text))));

    this.by = el("p.quiet");
    this.seats = input({ id: "seats", onchange: () => this.#seat() });
    this.turn = select({ id: "turn" });
    this.phase = select({ id: "phase", onchange: () => this.#showDrawn() },
      .../** @type {[string, string][]} */ (Object.entries(PHASES)));
    this.wild = select({ id: "wild" }, ["", "none"],
      ...RANKS.map((rank) => /** @type {[string, string]} */ ([rank, cardName(rank)])));
    this.drawn = input({ id: "drawn", placeholder: "stock 5h, or take 5h 6h" });
    this.drawnLabel = el("label", {}, "What was drawn ", this.drawn);
    this.fill = input({ type: "checkbox", id: "fill", checked: true });
    this.hands = el("div");
    this.table = el("div", { id: "melds" });
    this.piles = el("div");
    this.onMelds = el("span.buttons");
    this.more = /** @type {HTMLTextAreaElement} */ (el("textarea", {
      id: "more", rows: 4, spellcheck: "false", placeholder: "round = 3",
    }));
    this.pasted = /** @type {HTMLTextAreaElement} */ (el("textarea", {
      id: "pasted", rows: 8, spellcheck: "false",
    }));
    this.pasteProblems = el("div.problems", { role: "alert", id: "paste-problems" });
    this.pasteSaid = el("div", { role: "status", id: "paste-said" });
    this.problems = el("div.problems", { role: "alert", id: "ask-problems" });
    this.seat = select({ id: "asker" });
    this.ruling = el("div", { id: "ruling", "aria-live": "polite" });
    this.tableBox = el("div", { id: "ask-table" });
    this.as = el("button", {
      type: "button", "aria-pressed": "false", id: "stands-for",
      onclick: () => this.#standsFor(this.as.getAttribute("aria-pressed") !== "true"),
    }, "Next: what the last card stands for");
    this.question = this.#place("action", "The action", "lay 9h on 1", "in words");
    this.#build();
    this.shown = new Table(this.tableBox, (/** @type {any} */ message) => {
      if (message.type === "do") this.#ask(message.action);
    });
    this.tableBox.hidden = true;
    rules.listeners.push(() => this.#showRules());
    this.#showRules();
    this.#set({ seats: ["Ann", "Ben"], turn: "Ann", phase: "play" }, "");
  }

  // ------------------------------------------------------------------ what stands where

  #build() {
    const { question } = this;
    const box = /** @type {HTMLElement} */ (document.getElementById("asking"));
    const chooser = /** @type {HTMLInputElement} */ (el("input", { type: "file", accept: ".toml,text/plain", "aria-label": "Choose a file" }));
    box.append(
      this.by,
      el("p.buttons", {},
        el("button", { type: "button", id: "example", onclick: () => this.#example() }, "An example"),
        el("button", { type: "button", id: "clear", onclick: () =>
          this.#set({ seats: this.#names(), turn: this.turn.value, phase: "play" }, "") },
        "An empty table")),
      el("details", { id: "paste" }, el("summary", {}, "Paste a position or a scenario"),
        el("form", { onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#paste();
        } },
        el("label", { for: "pasted" }, "In the notation of scenario files"), this.pasted,
        el("p.buttons", {}, chooser, el("button", { type: "submit" }, "Put it on the table")),
        this.pasteProblems)),
      this.pasteSaid,
      el("div.columns", {},
        el("section", { "aria-label": "The position" },
          el("h3", {}, "The position"),
          el("div.fields", {},
            el("label", {}, "Players, clockwise ", this.seats),
            el("label", {}, "Whose turn ", this.turn),
            el("label", {}, "What is next ", this.phase),
            el("label", {}, "Wild rank of the deal ", this.wild),
            this.drawnLabel),
          this.hands, this.table,
          el("p.buttons", {}, el("button", { type: "button", id: "add-meld", onclick: () =>
            this.#aim(this.#meld(`${this.turn.value}: `)) }, "Another meld")),
          this.piles,
          el("label.check", {}, this.fill, " All other cards are in the stock, below these"),
          el("details", {}, el("summary", {}, "Further keys of a position"),
            el("label", { for: "more" }, "One a line, as in a scenario file"), this.more)),
        el("section.cards", { "aria-label": "Cards" },
          el("h3", {}, "Cards"),
          this.#palette())),
      el("form.question", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.#ask(question.input.value);
      } },
      el("h3", {}, "The question"),
      el("label", {}, "Who asks ", this.seat),
      el("p.buttons", { role: "group", "aria-label": "Kinds of action" },
        ...VERBS.map((verb) => el("button", { type: "button", onclick: () => {
          question.input.value = verb.includes(" ") || verb === "draw" || verb === "pass"
            ? verb : `${verb} `;
          this.#aim(question);
        } }, verb)),
        el("button", { type: "button", "aria-label": "Next meld", onclick: () =>
          this.#append(question, "/") }, "/"),
        this.onMelds),
      question.row,
      el("p.buttons", {}, el("button.main", { type: "submit", id: "ask-button" }, "Is it legal?"),
        el("button", { type: "button", id: "look", onclick: () => this.#ask("") },
          "What may be done?"))),
      this.problems, this.ruling, this.tableBox,
    );
    this.piles.append(
      this.#place("discards", "Discard pile, the top card last", "5c Kd").row,
      this.#place("stock", "Stock, the next card first", "9h").row,
    );
    onFile(chooser, (text) => {
      this.pasted.value = text;
      this.#paste();
    });
  }

  #palette() {
    const card = (/** @type {string} */ text) =>
      el("button.bare", { type: "button", "data-put": text, "aria-label": cardName(text),
        onclick: () => this.#put(text) }, cardElement(text, { hidden: true }));
    return el("div.palette", { role: "group", "aria-label": "Cards to put there" },
      ...SUITS.map((suit) => el("div.suit", {}, ...RANKS.map((rank) => card(rank + suit)))),
      el("div.suit", {}, card("*"), this.as));
  }

  /**
   * A place for cards.
   * @param {string} id
   * @param {string} label
   * @param {string} hint
   * @param {string} [beside] What the field says about itself.
   * @returns {Place}
   */
  #place(id, label, hint, beside = "") {
    const input = /** @type {HTMLInputElement} */ (el("input", {
      type: "text", id: `at-${id}`, placeholder: hint, autocomplete: "off",
      autocapitalize: "off", spellcheck: "false",
    }));
    const choose = /** @type {HTMLInputElement} */ (el("input", {
      type: "radio", name: "target", id: `to-${id}`, "aria-label": `Put cards here: ${label}`,
    }));
    const cards = el("div.placed");
    const row = el("div.place", { "data-place": id },
      choose,
      el("label", { for: `at-${id}` }, label, beside ? el("span.quiet", {}, ` (${beside})`) : null),
      input, cards);
    const place = { id, label, input, row, cards, choose };
    input.addEventListener("input", () => this.#draw(place));
    choose.addEventListener("change", () => this.#aim(place));
    this.places.push(place);
    return place;
  }

  /**
   * A meld that is put on the table.
   * @param {string} text
   */
  #meld(text) {
    this.melds += 1;
    const place = this.#place(`meld-${this.melds}`, `Meld ${this.melds}`, "Ben: 6h *=7h 8h",
      "who laid it, a colon, its cards");
    place.input.value = text;
    this.table.append(place.row);
    this.#draw(place);
    const number = this.melds;
    this.onMelds.append(el("button", { type: "button", onclick: () =>
      this.#append(this.question, `on ${number}`) }, `on meld ${number}`));
    return place;
  }

  // -------------------------------------------------------------------------- pointing

  /** @param {Place} place */
  #aim(place) {
    this.target = place;
    place.choose.checked = true;
    for (const one of this.places) one.row.classList.toggle("target", one === place);
    this.#standsFor(false);
  }

  /** @param {boolean} on */
  #standsFor(on) {
    this.as.setAttribute("aria-pressed", String(on));
  }

  /**
   * Put a card where the cards go.
   * @param {string} card
   */
  #put(card) {
    const place = this.target;
    if (!place) return;
    if (this.as.getAttribute("aria-pressed") === "true") {
      place.input.value = `${place.input.value.trimEnd()}=${card}`;
      this.#standsFor(false);
      this.#draw(place);
    } else this.#append(place, card);
  }

  /**
   * @param {Place} place
   * @param {string} word
   */
  #append(place, word) {
    place.input.value = `${place.input.value.trimEnd()} ${word}`.trimStart();
    this.#draw(place);
  }

  /**
   * Draw the cards of a place; one that is pressed is taken away, or named in the action.
   * @param {Place} place
   */
  #draw(place) {
    place.cards.replaceChildren(
      ...[...place.input.value.matchAll(CARD)].map((found) => {
        const text = found[0].replace("10", "T");
        const card = text === "*" ? text : text[0].toUpperCase() + text.slice(1);
        return el("button.bare", {
          type: "button", "aria-label": cardName(card), title: "Take it away, or name it in the action",
          onclick: () => this.#touch(place, found.index, found[0]),
        }, cardElement(card, { hidden: true }));
      }),
    );
  }

  /**
   * @param {Place} place
   * @param {number} at
   * @param {string} text
   */
  #touch(place, at, text) {
    if (this.target === this.question && place !== this.question) {
      this.#append(this.question, text.split("=")[0]);
      return;
    }
    const { value } = place.input;
    const rest = value.slice(at + text.length);
    place.input.value = `${value.slice(0, at)}${rest.replace(/^ /, "")}`.trimEnd();
    this.#draw(place);
    place.input.focus();
  }

  // ------------------------------------------------------------------------- the fields

  #names() {
    return this.seats.value.split(",").map((name) => name.trim()).filter(Boolean);
  }

  /** Give every player a hand, and offer them for the turn. */
  #seat() {
    const names = this.#names();
    for (const list of [this.turn, this.seat]) {
      const { value } = list;
      list.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
      if (names.includes(value)) list.value = value;
    }
    const held = new Map(this.places.filter((one) => one.id.startsWith("hand-"))
      .map((one, at) => [at, one.input.value]));
    this.places = this.places.filter((one) => !one.id.startsWith("hand-"));
    this.hands.replaceChildren();
    names.forEach((name, at) => {
      const place = this.#place(`hand-${at}`, `Hand of ${name}`, "7h 9h Kc");
      place.input.value = held.get(at) ?? "";
      this.hands.append(place.row);
      this.#draw(place);
    });
    if (!this.target || !this.places.includes(this.target)) this.#aim(this.#at("hand-0") ?? this.question);
  }

  /** @param {string} id */
  #at(id) {
    return this.places.find((one) => one.id === id);
  }

  #showDrawn() {
    this.drawnLabel.hidden = this.phase.value !== "play" && this.phase.value !== "answer";
  }

  #showRules() {
    this.by.replaceChildren("By the rules: ", el("b", {}, this.rules.words), " (",
      el("a", { href: "#rules" }, "change them"), ").");
  }

  /** What the fields hold, as a position. */
  #position() {
    const names = this.#names();
    const value = (/** @type {string} */ id) => this.#at(id)?.input.value.trim() ?? "";
    const playing = !this.drawnLabel.hidden;
    return {
      seats: names,
      turn: this.turn.value,
      phase: this.phase.value,
      wild: this.wild.value,
      drawn: playing ? this.drawn.value.trim() : "",
      discards: value("discards"),
      stock: value("stock"),
      table: this.places.filter((one) => one.id.startsWith("meld-"))
        .map((one) => one.input.value.trim()).filter((text) => !/^[^:]*:?$/.test(text)),
      hands: Object.fromEntries(names.map((name, at) => [name, value(`hand-${at}`)])),
    };
  }

  /**
   * Fill the fields.
   * @param {any} position
   * @param {string} more
   */
  #set(position, more) {
    this.seats.value = position.seats.join(", ");
    this.places = this.places.filter((one) => !one.id.startsWith("meld-"));
    this.table.replaceChildren();
    this.onMelds.replaceChildren();
    this.melds = 0;
    this.#seat();
    this.turn.value = position.turn ?? position.seats[0];
    this.seat.value = this.turn.value;
    this.phase.value = position.phase ?? "draw";
    this.wild.value = position.wild ?? "";
    this.drawn.value = position.drawn ?? "";
    this.more.value = more;
    position.seats.forEach((/** @type {string} */ name, /** @type {number} */ at) =>
      this.#enter(`hand-${at}`, position.hands?.[name]));
    this.#enter("discards", position.discards);
    this.#enter("stock", position.stock);
    for (const meld of position.table ?? []) this.#meld(meld);
    this.fill.checked = !position.stock;
    this.#showDrawn();
    this.problems.replaceChildren();
    this.ruling.replaceChildren();
    this.tableBox.hidden = true;
  }

  /**
   * @param {string} id
   * @param {string} [text]
   */
  #enter(id, text = "") {
    const place = this.#at(id);
    if (!place) return;
    place.input.value = text;
    this.#draw(place);
  }

  // ------------------------------------------------------------------------- questions

  async #example() {
    try {
      const found = await this.python.ask("ask.example", { table: this.rules.table });
      this.#set(found.position, found.more);
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
      this.#set(found.position, found.more);
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

  /** @param {string} action */
  async #ask(action) {
    try {
      const found = await this.python.ask("ask", {
        table: this.rules.table, position: this.#position(), more: this.more.value,
        action: action.trim(), seat: this.seat.value, fill: this.fill.checked,
      });
      showProblems(this.problems, "", []);
      if (action) this.question.input.value = action;
      this.#draw(this.question);
      this.tableBox.hidden = false;
      this.shown.receive(found.message);
      this.#rule(found);
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!(error instanceof AskError)) throw error;
    this.ruling.replaceChildren();
    this.tableBox.hidden = true;
    showProblems(this.problems, "This cannot be answered:", error.problems);
  }

  /** @param {any} found */
  #rule(found) {
    const { ruling } = found;
    if (!ruling) {
      this.ruling.replaceChildren(el("p.quiet", {},
        `This is the table as ${found.seat} sees it. Point at cards there, or write an action.`));
      return;
    }
    const said = el("p.quiet", { role: "status" });
    this.ruling.replaceChildren(
      el(ruling.legal ? "div.verdict.legal" : "div.verdict.refused", {},
        el("h3", {}, ruling.legal ? "Legal" : "Not allowed"),
        el("p", {}, el("b", {}, prettily(found.action)), ": ", prettily(ruling.reason), ".")),
      ...rulesInFull(found.rules),
      el("details", {}, el("summary", {}, "The same as a scenario, for a bug report"),
        el("textarea", { readonly: true, rows: 14, "aria-label": "Scenario", id: "scenario" },
          found.scenario),
        el("p.buttons", {}, el("button", { type: "button", onclick: () =>
          copy(found.scenario, said) }, "Copy"), said)));
  }
}
