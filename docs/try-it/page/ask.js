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
const SOURCES = /** @type {[string, string][]} */ ([
  ["stock", "from the stock"],
  ["take", "from the discard pile"],
  ["rummy", "by a call, from the pile"],
]);
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
    /** @type {HTMLInputElement[]} By player. */
    this.scores = [];
    const input = (/** @type {object} */ given) =>
      /** @type {HTMLInputElement} */ (el("input", {
        type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...given,
      }));
    const select = (/** @type {object} */ given, /** @type {[string, string][]} */ ...options) =>
      /** @type {HTMLSelectElement} */ (el("select", given,
        ...options.map(([value, text]) => el("option", { value }, text))));

    this.by = el("p.quiet");
    this.seats = input({ id: "seats", onchange: () => this.#seat() });
    this.turn = select({ id: "turn", onchange: () => {
      this.seat.value = this.turn.value;
    } });
    this.dealer = select({ id: "dealer" });
    this.round = input({ type: "number", id: "round", min: 1 });
    this.phase = select({ id: "phase", onchange: () => this.#showDrawn() },
      .../** @type {[string, string][]} */ (Object.entries(PHASES)));
    this.wild = select({ id: "wild" }, ["", "none"],
      ...RANKS.map((rank) => /** @type {[string, string]} */ ([rank, cardName(rank)])));
    this.source = select({ id: "source", "aria-label": "Where it was drawn" }, ...SOURCES);
    this.drawn = this.#place("drawn", "What was drawn", "5h", "in the hand as well", this.source);
    this.fill = input({ type: "checkbox", id: "fill", checked: true });
    this.hands = el("div");
    this.table = el("div", { id: "melds" });
    this.layers = el("div");
    this.onMelds = el("span.buttons");
    this.told = el("p.spoken", { role: "status" });
    this.more = /** @type {HTMLTextAreaElement} */ (el("textarea", {
      id: "more", rows: 4, spellcheck: "false", placeholder: "idle_turns = 3",
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
    const box = /** @type {HTMLElement} */ (document.getElementById("asking"));
    const chooser = /** @type {HTMLInputElement} */ (el("input", { type: "file", accept: ".toml,text/plain", "aria-label": "Choose a file" }));
    box.append(
      this.by,
      el("p.buttons", {},
        el("button", { type: "button", id: "example", onclick: () => this.#example() }, "An example"),
        el("button", { type: "button", id: "clear", onclick: () =>
          this.#set({ seats: this.#names(), turn: this.turn.value, phase: "play" }, "") },
        "An empty table")),
      el("details", { id: "paste" }, el("summary", {}, "Paste a position, a scenario or a record"),
        el("form", { onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#paste();
        } },
        el("label", { for: "pasted" }, "As text, in the notation of its file"), this.pasted,
        el("p.buttons", {}, chooser, el("button", { type: "submit" }, "Put it on the table")),
        this.pasteProblems)),
      this.pasteSaid,
      el("div.columns", {},
        el("div", {}, this.#fields(), this.#asks()),
        el("section.cards", { "aria-label": "Cards" },
          el("h3", {}, "Cards"), this.#palette(), this.told)),
      this.problems, this.ruling, this.tableBox,
    );
    onFile(chooser, (text) => {
      this.pasted.value = text;
      this.#paste();
    });
  }

  #fields() {
    return el("section", { "aria-label": "The position",
      onchange: (/** @type {any} */ event) => {
        if (event.target.type !== "radio") this.#clear();
      } },
    el("h3", {}, "The position"),
    el("div.fields", {},
      el("label", {}, "Players, clockwise ", this.seats),
      el("label", {}, "Whose turn ", this.turn),
      el("label", {}, "What is next ", this.phase),
      el("label", {}, "Wild rank of the deal ", this.wild),
      el("label", {}, "Dealer ", this.dealer),
      el("label", {}, "Round ", this.round)),
    this.hands, this.drawn.row, this.table, this.layers,
    this.#place("discards", "Discard pile, the top card last", "5c Kd").row,
    this.#place("stock", "Stock, the next card first", "9h").row,
    el("label.check", {}, this.fill, " All other cards are in the stock, below these"),
    el("details", {}, el("summary", {}, "Further keys of a position"),
      el("label", { for: "more" }, "One a line, as in a scenario file"), this.more));
  }

  #asks() {
    const { question } = this;
    return el("form.question", { onsubmit: (/** @type {Event} */ event) => {
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
      el("button", { type: "button", onclick: () => this.#append(question, "/") },
        "another meld"),
      this.onMelds),
    question.row,
    el("p.buttons", {}, el("button.main", { type: "submit", id: "ask-button" }, "Is it legal?"),
      el("button", { type: "button", id: "look", onclick: () => this.#ask("") },
        "What may be done?")));
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
   * @param {string} [about] What the field says about itself.
   * @param {HTMLElement | null} [beside] What stands beside the label.
   * @returns {Place}
   */
  #place(id, label, hint, about = "", beside = null) {
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
      el("label", { for: `at-${id}` }, label, about ? el("span.quiet", {}, ` (${about})`) : null),
      beside, input, cards);
    const place = { id, label, input, row, cards, choose };
    input.addEventListener("input", () => this.#draw(place));
    choose.addEventListener("change", () => this.#aim(place));
    this.places.push(place);
    return place;
  }

  /** @param {string[]} melds All melds on the table, as text. */
  #lay(melds) {
    this.places = this.places.filter((one) => !one.id.startsWith("meld-"));
    this.table.replaceChildren();
    this.onMelds.replaceChildren();
    for (const one of melds) this.#meld(one);
    this.#aimAnywhere();
  }

  /**
   * A meld that is put on the table.
   * @param {string} text
   */
  #meld(text) {
    const number = this.#melds().length + 1;
    const place = this.#place(`meld-${number}`, `Meld ${number}`, "Ben: 6h *=7h 8h",
      "who laid it, a colon, its cards",
      el("button.small", { type: "button", "aria-label": `Remove meld ${number}`, onclick: () => {
        this.#lay(this.#melds().filter((one) => one !== place).map((one) => one.input.value));
        this.target?.choose.focus();
        this.#clear();
      } }, "Remove"));
    place.input.value = text;
    this.table.append(place.row);
    this.#draw(place);
    this.onMelds.append(el("button", { type: "button", onclick: () =>
      this.#append(this.question, `on ${number}`) }, `on meld ${number}`));
    return place;
  }

  #melds() {
    return this.places.filter((one) => one.id.startsWith("meld-"));
  }

  /**
   * Cards laid off by a player: on the meld that cards go to, or on the last one.
   * @param {string} name
   */
  #layOff(name) {
    const melds = this.#melds();
    const place = melds.find((one) => one === this.target) ?? melds.at(-1);
    if (!place) return;
    this.#append(place, `| ${name}:`);
    this.#aim(place);
  }

  // -------------------------------------------------------------------------- pointing

  /** @param {Place} place */
  #aim(place) {
    this.target = place;
    place.choose.checked = true;
    for (const one of this.places) one.row.classList.toggle("target", one === place);
    this.#standsFor(false);
  }

  /** If the place that cards go to is no longer there, take another. */
  #aimAnywhere() {
    if (!this.target || !this.places.includes(this.target)) this.#aim(this.#at("hand-0") ?? this.question);
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
    this.told.textContent = `${cardName(card)}: ${place.label}`;
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
      ...[...place.input.value.matchAll(CARD)].map((found, which) => {
        const text = found[0].replace("10", "T");
        const card = text === "*" ? text : text[0].toUpperCase() + text.slice(1);
        return el("button.bare", {
          type: "button", "aria-label": cardName(card), title: "Take it away, or name it in the action",
          onclick: () => this.#touch(place, found, which),
        }, cardElement(card, { hidden: true }));
      }),
    );
    if (place !== this.question) this.#clear();
  }

  /**
   * @param {Place} place
   * @param {RegExpExecArray} found The card in the text of the place.
   * @param {number} which Its number among the cards there.
   */
  #touch(place, found, which) {
    const [text] = found;
    if (this.target === this.question && place !== this.question) {
      this.#append(this.question, text.split("=")[0]);
      return;
    }
    const { value } = place.input;
    const rest = value.slice(found.index + text.length);
    place.input.value = `${value.slice(0, found.index)}${rest.replace(/^ /, "")}`.trimEnd();
    this.#draw(place);
    // Not the field: on a phone that would open the keyboard.
    const left = /** @type {HTMLElement[]} */ ([...place.cards.children]);
    (left[which] ?? left.at(-1) ?? place.choose).focus();
  }

  // ------------------------------------------------------------------------- the fields

  #names() {
    return this.seats.value.split(",").map((name) => name.trim()).filter(Boolean);
  }

  /** Give every player a hand and a score, and offer them wherever a player is named. */
  #seat() {
    const names = this.#names();
    for (const list of [this.turn, this.seat, this.dealer]) {
      const { value } = list;
      list.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
      list.value = names.includes(value) ? value
        : (list === this.dealer ? names.at(-1) : names[0]) ?? "";
    }
    const held = this.places.filter((one) => one.id.startsWith("hand-"))
      .map((one) => one.input.value);
    const scores = this.scores.map((one) => one.value);
    this.places = this.places.filter((one) => !one.id.startsWith("hand-"));
    this.scores = names.map((name, at) => /** @type {HTMLInputElement} */ (el("input", {
      type: "number", id: `score-${at}`, value: scores[at] || 0,
      "aria-label": `Score of ${name} before this round`,
    })));
    this.hands.replaceChildren(...names.map((name, at) => {
      const place = this.#place(`hand-${at}`, `Hand of ${name}`, "7h 9h Kc", "",
        el("label.quiet", {}, "score ", this.scores[at]));
      place.input.value = held[at] ?? "";
      this.#draw(place);
      return place.row;
    }));
    const byName = (/** @type {string} */ words, /** @type {(name: string) => void} */ use) =>
      el("p.buttons", { role: "group", "aria-label": words }, words,
        ...names.map((name) => el("button", { type: "button", onclick: () => use(name) }, name)));
    this.layers.replaceChildren(
      byName("New meld by", (name) => this.#aim(this.#meld(`${name}: `))),
      byName("Laid off by", (name) => this.#layOff(name)));
    this.#aimAnywhere();
  }

  /** @param {string} id */
  #at(id) {
    return this.places.find((one) => one.id === id);
  }

  #showDrawn() {
    this.drawn.row.hidden = this.phase.value !== "play" && this.phase.value !== "answer";
  }

  #showRules() {
    this.by.replaceChildren("By the rules: ", el("b", {}, this.rules.words), " (",
      el("a", { href: "#rules" }, "change them"), ").");
    this.#clear();
  }

  /** What the fields hold, as a position. */
  #position() {
    const names = this.#names();
    const value = (/** @type {string} */ id) => this.#at(id)?.input.value.trim() ?? "";
    const drawn = this.drawn.row.hidden ? "" : value("drawn");
    return {
      seats: names,
      turn: this.turn.value,
      phase: this.phase.value,
      wild: this.wild.value,
      dealer: this.dealer.value,
      round: this.round.valueAsNumber || 0,
      drawn: drawn && `${this.source.value} ${drawn}`,
      discards: value("discards"),
      stock: value("stock"),
      table: this.#melds().map((one) => one.input.value.trim()),
      hands: Object.fromEntries(names.map((name, at) => [name, value(`hand-${at}`)])),
      scores: Object.fromEntries(names.map((name, at) =>
        [name, this.scores[at]?.valueAsNumber || 0])),
    };
  }

  /**
   * Fill the fields.
   * @param {any} position
   * @param {string} more
   */
  #set(position, more) {
    this.seats.value = position.seats.join(", ");
    this.#seat();
    this.turn.value = position.turn ?? position.seats[0];
    this.seat.value = this.turn.value;
    this.phase.value = position.phase ?? "draw";
    this.wild.value = position.wild ?? "";
    this.dealer.value = position.dealer ?? position.seats.at(-1);
    this.round.value = position.round ?? 1;
    const [source, ...drawn] = (position.drawn ?? "stock").split(" ");
    this.source.value = source;
    this.#enter("drawn", drawn.join(" "));
    this.more.value = more;
    position.seats.forEach((/** @type {string} */ name, /** @type {number} */ at) => {
      this.#enter(`hand-${at}`, position.hands?.[name]);
      this.scores[at].value = position.scores?.[name] ?? 0;
    });
    this.#enter("discards", position.discards);
    this.#enter("stock", position.stock);
    this.#lay(position.table ?? []);
    this.fill.checked = !position.stock;
    this.#showDrawn();
    this.#aim(this.#at("hand-0") ?? this.question);
    this.#clear();
  }

  /** Take away an answer that no longer belongs to what is shown. */
  #clear() {
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
    const melds = this.#melds().map((one) => one.input.value);
    const real = melds.filter((text) => !/^[^:]*:?\s*$/.test(text));
    if (real.length < melds.length) this.#lay(real);
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
      if (action) this.ruling.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** @param {unknown} error */
  #failed(error) {
    if (!(error instanceof AskError)) throw error;
    this.#clear();
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
