// @ts-check
// A match at the table, against bots.

import { element, onFile, rulesInFull, showProblems } from "./dom.js";
import { AskError } from "./python.js";
import { el } from "./table-cards.js";
import { Table } from "./table.js";

/** @typedef {import("./python.js").Python} Python */
/** @typedef {import("./rules.js").Rules} Rules */

const BOTS = {
  careful: "careful",
  greedy: "greedy",
  random: "at random",
  search: "thinks ahead, slowly",
};
// Milliseconds between the actions of bots.
const PACES = { 450: "one after another", 1200: "slowly", 0: "at once" };
const MOST = 7; // bots
const KEPT = "rummyvariants.game"; // where the browser keeps a game

/** @param {string} [text] The game to keep; without one it is forgotten. */
function keep(text) {
  try {
    if (text) localStorage.setItem(KEPT, text);
    else localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing, or has no room: the game is played all the same.
  }
}

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

export class Playing {
  /**
   * @param {Python} python
   * @param {Rules} rules
   */
  constructor(python, rules) {
    this.python = python;
    this.rules = rules;
    this.turn = 0;
    this.bots = ""; // how those of this game play
    this.by = el("p.quiet");
    this.name = /** @type {HTMLInputElement} */ (el("input", { id: "name", value: "Ann", maxlength: 20 }));
    this.others = /** @type {HTMLSelectElement} */ (el("select", { id: "others" }));
    this.strength = /** @type {HTMLSelectElement} */ (el("select", { id: "strength" },
      ...Object.entries(BOTS).map(([value, text]) => el("option", { value }, text))));
    this.pace = /** @type {HTMLSelectElement} */ (el("select", { id: "pace" },
      ...Object.entries(PACES).map(([value, text]) => el("option", { value }, text))));
    this.pace.value = "450";
    this.seed = /** @type {HTMLInputElement} */ (el("input", { id: "seed", placeholder: "by chance", autocomplete: "off" }));
    this.problems = el("div.problems", { role: "alert", id: "play-problems" });
    this.said = el("p.quiet", { role: "status", id: "play-said" });
    this.over = el("button", { type: "button", id: "new-game", hidden: true,
      onclick: () => this.#forget() }, "New game");
    this.text = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "record", rows: 8, spellcheck: "false" }));
    this.recordProblems = el("div.problems", { role: "alert", id: "record-problems" });
    this.setUp = /** @type {HTMLDetailsElement} */ (el("details", { open: true },
      el("summary", {}, "A new match"),
      el("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.#start();
      } },
      this.by,
      el("div.fields", {},
        el("label", {}, "Your name ", this.name),
        el("label", {}, "Other players ", this.others),
        el("label", {}, "They play ", this.strength),
        el("label", {}, "They act ", this.pace),
        el("label", {}, "Seed of the deals ", this.seed)),
      el("p.buttons", {}, el("button.main", { type: "submit", id: "start" }, "Deal")),
      this.problems)));
    const chooser = /** @type {HTMLInputElement} */ (el("input", {
      type: "file", accept: ".toml,text/plain", "aria-label": "Choose a file" }));
    this.opening = /** @type {HTMLDetailsElement} */ (el("details", { id: "opening" },
      el("summary", {}, "Open a record"),
      el("form", { onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.#open();
      } },
      el("label", { for: "record" }, "A game that was saved"), this.text,
      el("p.buttons", {}, chooser, el("button", { type: "submit" }, "Play on")),
      this.recordProblems)));
    onFile(chooser, (text) => {
      this.text.value = text;
      this.#open();
    });
    this.box = el("div", { id: "table", hidden: true, tabindex: "-1", "aria-label": "The game", role: "region" });
    this.why = el("section", { id: "play-rules", "aria-label": "The rules that refuse it" });
    element("playing").append(this.said, this.over, this.setUp, this.opening, this.box, this.why);
    this.table = this.#newTable();
    rules.listeners.push(() => this.#showRules());
    this.#showRules();
    this.#restore();
  }

  /** Go on with the game that this browser has kept. */
  async #restore() {
    const text = kept();
    if (!text) return;
    let found;
    try {
      const { record, strength, pace } = JSON.parse(text);
      if (typeof record !== "string" || !(strength in BOTS)) throw new Error("not a game");
      found = await this.python.ask("play.open", { text: record, strength });
      this.bots = this.strength.value = strength;
      this.pace.value = pace in PACES ? pace : "450";
    } catch (error) {
      keep();
      this.said.textContent = "The game you left could not be opened, so it was dropped: "
        + (error instanceof AskError ? error.message : "it is broken.");
      return;
    }
    this.said.textContent = "Here is the game you left.";
    await this.#seat(found);
  }

  /** Put the game away, also from this browser. */
  #forget() {
    this.turn += 1; // what bots still do is not shown
    keep();
    this.said.textContent = "";
    this.why.replaceChildren();
    this.#playing(false);
    this.setUp.open = true;
    element("start").focus();
  }

  /**
   * Show the table, or what begins a game.
   * @param {boolean} on
   */
  #playing(on) {
    this.box.hidden = this.over.hidden = !on;
    this.setUp.hidden = this.opening.hidden = on;
  }

  /**
   * Show a game that has begun or goes on.
   * @param {any} found
   */
  #seat(found) {
    this.#playing(true);
    this.table = this.#newTable();
    return this.#take(found);
  }

  #newTable() {
    return new Table(this.box, (/** @type {any} */ message) => this.#answer(message));
  }

  #showRules() {
    const { rules } = this;
    this.by.replaceChildren("By the rules: ", el("b", {}, rules.words), " (",
      el("a", { href: "#rules" }, "change them"), ").");
    if (!rules.possible) return;
    const [low, high] = rules.found.players;
    const most = Math.min(MOST, high - 1);
    const least = Math.max(1, low - 1);
    const before = Number(this.others.value) || Math.min(3, most);
    this.others.replaceChildren(
      ...Array.from({ length: most - least + 1 }, (_, at) =>
        el("option", { value: least + at }, String(least + at))));
    this.others.value = String(Math.min(Math.max(before, least), most));
  }

  async #start() {
    await this.#begin(this.problems, undefined, "play.start", {
      table: this.rules.table, others: Number(this.others.value), strength: this.strength.value,
      name: this.name.value.trim() || "Ann", seed: this.seed.value.trim(),
    });
  }

  async #open() {
    await this.#begin(this.recordProblems, this.text, "play.open", {
      text: this.text.value, strength: this.strength.value,
    });
  }

  /**
   * @param {HTMLElement} problems
   * @param {HTMLTextAreaElement | undefined} text
   * @param {string} ask
   * @param {object} given
   */
  async #begin(problems, text, ask, given) {
    try {
      const found = await this.python.ask(ask, given);
      showProblems(problems, "", []);
      this.said.textContent = "";
      this.bots = this.strength.value;
      const played = this.#seat(found);
      this.box.focus({ preventScroll: true });
      this.box.scrollIntoView(); // now that there is something to see
      await played;
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      showProblems(problems, "This cannot be played:", error.problems, text);
    }
  }

  /**
   * Do what the player asks for at the table.
   * @param {any} message
   */
  async #answer({ type, ...given }) {
    try {
      const quiet = type === "actions" || type === "hint" || type === "sheet" || type === "save";
      const found = await this.python.ask(`play.${type}`, given);
      if (quiet) this.#hand(found.messages);
      else await this.#take(found);
    } catch (error) {
      if (!(error instanceof AskError)) throw error;
      this.#hand([{ type: "error", message: error.message }]);
    }
  }

  /**
   * Show what has happened, then let the others play until the player is to decide.
   * @param {any} found
   */
  async #take(found) {
    const refused = found.messages[0]?.type === "ruling";
    const turn = refused ? this.turn : ++this.turn;
    this.#hand(found.messages);
    this.why.replaceChildren(...rulesInFull(found.rules ?? []));
    if (!refused) await this.#keep(turn);
    let answer = found;
    while (answer.more && turn === this.turn) {
      await new Promise((resolve) => setTimeout(resolve, Number(this.pace.value)));
      if (turn !== this.turn) return;
      answer = await this.python.ask("play.go_on");
      if (turn === this.turn) this.#hand(answer.messages);
    }
    if (answer !== found) await this.#keep(turn);
  }

  /**
   * Keep the game as it stands, unless something has happened since.
   * @param {number} turn
   */
  async #keep(turn) {
    const [{ text }] = (await this.python.ask("play.save")).messages;
    if (turn !== this.turn) return;
    keep(JSON.stringify({ record: text, strength: this.bots, pace: this.pace.value }));
  }

  /** @param {any[]} messages */
  #hand(messages) {
    for (const one of messages) this.table.receive(one);
  }
}
