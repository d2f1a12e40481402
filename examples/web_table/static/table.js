/**
 * A table for card games of the Rummy family: one seat's view, and what it may do.
 *
 *     import { Table } from "./table.js";
 *     const table = new Table(element, (message) => ...); // what the player does
 *     table.receive(message);                             // what the host answers
 *
 * The table knows no transport: a host may be a server or a worker. It needs table.css,
 * and the modules table-*.js beside it.
 *
 * From the host to the table:
 *
 *   {"type": "cards", "svg": TEXT}
 *       The sprite of `rummyvariants.svg.sprite()`, once.
 *   {"type": "table", "number": 17, "players": ["Ann", ...], "view": VIEW,
 *    "first_melds": ["two sets of three", ...],
 *    "actions": PAGE | null, "events": [{"sentence": "...", "cards": ["9c", ...]}, ...],
 *    "can": ["undo", ...], "over": null | "round" | "match"}
 *       Where everything is. VIEW and PAGE are documents of the library, the view written
 *       with legal=0; PAGE is null for a spectator. `number` counts the actions so far;
 *       the events are those since the last message, as this seat saw them. `first_melds`
 *       is what rules ask of the first melds of a seat that has none. `can` has
 *       what the host does beside actions, of "deal", "hint", "undo", "sheet" and "save".
 *       `over` is "round" while the host waits for {"type": "deal", ...}.
 *   {"type": "actions", "number": 17, "cards": ["9c"], "page": PAGE}
 *       More legal actions, as asked for; they are of the table with this number.
 *   {"type": "ruling", "action": TEXT, "ruling": RULING}
 *       An action was refused; nothing has changed.
 *   {"type": "hint", "action": TEXT, "why": TEXT}
 *   {"type": "sheet", "sheet": SCORE SHEET}
 *   {"type": "record", "text": TEXT, "name": "game.toml"}
 *   {"type": "waiting", "for": [1, 2]}
 *       Seats that are thought about; the next table message ends it.
 *   {"type": "error", "message": TEXT}
 *
 * From the table to the host:
 *
 *   {"type": "do", "number": 17, "action": "lay 9c 9h 9s"}
 *   {"type": "actions", "cards": [], "start": 60}
 *       A page of legal actions that name, take or show all of these cards; `start` is
 *       the `next` of the page before, 0 for the first.
 *   {"type": "deal", "number": 17}
 *   {"type": "hint"}, {"type": "undo"}, {"type": "sheet"}, {"type": "save"}
 *
 * While an action is under way the table sends no other, until it receives "table",
 * "ruling" or "error". A host that loses its connection calls `table.disconnected()`.
 */

import { byVerb, kindLabel, offers, tries, verbLabel, within } from "./table-actions.js";
import { cardElement, cardName, cardSigns, el, prettily, sorted } from "./table-cards.js";
import { figures, named, roundItems, scoreSheet } from "./table-sheet.js";

const SHOWN = 12; // of the discard pile, of the actions of a kind
const AT_ONCE = 4; // of a kind that needs no card of the hand: more of them are folded
const LOGGED = 60;
const MANY = 14; // more cards than this lie closer in the hand, on a phone
const TODO = {
  choose: "choose the size of your hand",
  offer: "take the upcard, or pass",
  draw: "draw a card",
  play: "lay cards down if you like, then discard",
  answer: "may your partner go out?",
  call: "call rummy, or pass",
  discard: "discard a card",
  layoff: "lay off what fits, or pass",
  buy: "buy the discard, or pass",
  stock: "draw from the stock",
  rejoin: "come back in, or pass",
};
const EXTRAS = { hint: "Hint", undo: "Undo", sheet: "Score sheet", save: "Save" };

let tables = 0;

export class Table {
  /**
   * @param {HTMLElement} element Where the table is put; what is in it goes.
   * @param {(message: Object) => void} send Takes messages for the host.
   */
  constructor(element, send) {
    this.send = send;
    this.id = `rv${(tables += 1)}`;
    this.at = null; // the last table message
    this.actions = []; // legal actions that are known
    this.next = null; // where the next page begins
    this.asked = new Set(); // what pages were asked for, of this table
    this.selected = new Set(); // keys of cards in the hand, such as "9c#0"
    this.groups = []; // lists of such keys
    this.aim = {}; // a meld or a part of the pile that was touched
    this.order = "suits";
    this.wholePile = false;
    this.busy = false; // an action is under way
    this.away = false; // the host cannot be reached
    this.waiting = null;
    this.focus = null; // what had the focus before the last drawing
    this.build(element);
  }

  /**
   * Take a message of the host.
   *
   * @param {Object} message
   */
  receive(message) {
    const known = {
      cards: () => this.takeCards(message.svg),
      table: () => this.takeTable(message),
      actions: () => this.takeActions(message),
      ruling: () => this.refuse(message),
      hint: () => this.showHint(message),
      sheet: () => this.open("Score sheet", scoreSheet(message.sheet)),
      record: () => this.showRecord(message),
      waiting: () => {
        this.waiting = message.for;
        this.drawStatus();
      },
      error: () => {
        this.busy = false;
        this.say(prettily(sentence(message.message)), "error");
        this.draw();
      },
    };
    known[message.type]?.();
  }

  /**
   * Say that the host is away; the next table message says that it is back.
   */
  disconnected() {
    this.busy = true;
    this.away = true;
    this.say("The connection is lost. Trying again…", "error");
    this.draw();
  }

  // ------------------------------------------------------------------ what stands where

  build(element) {
    const part = (name, tag = "div", given = {}) =>
      (this[name] = el(`${tag}.rv-${name}`, given));
    this.sprite = el("div", { hidden: true });
    part("status", "p", { role: "status" });
    part("facts", "p");
    part("extras", "div", { role: "group", "aria-label": "More" });
    part("seats", "ul", { "aria-label": "Players" });
    part("piles", "div", { role: "group", "aria-label": "Stock and discard pile" });
    part("melds", "div", { role: "group", "aria-label": "Melds on the table" });
    part("notice", "div", { role: "alert" });
    part("result", "div");
    part("tray", "div", { role: "group", "aria-label": "Melds put together" });
    part("hand", "div", {
      role: "listbox", "aria-multiselectable": "true", "aria-label": "Your hand",
    });
    part("tools", "div");
    part("choices", "div", { role: "group", "aria-label": "What you can do" });
    part("log", "div", {
      role: "log", "aria-label": "What happened", "aria-live": "polite", tabindex: "0",
    });
    this.typed = el("input", {
      type: "text", id: `${this.id}-typed`, autocomplete: "off", autocapitalize: "off",
      spellcheck: "false", maxlength: "500", placeholder: "meld 9c 9h 9s",
    });
    const form = el("form", {
      onsubmit: (event) => {
        event.preventDefault();
        if (this.typed.value.trim()) this.do(this.typed.value.trim());
      },
    },
    el("label", { for: this.typed.id }, "Any action, in words"),
    el("span.rv-line", {}, this.typed, el("button", { type: "submit" }, "Do it")));
    this.write = el("details.rv-write", {}, el("summary", {}, "Type an action"), form);
    this.dialog = el("dialog.rv-dialog", { "aria-label": "More about the game" });
    this.root = el("section.rv-table", {
      "aria-label": "Card table",
      onkeydown: (event) => {
        if (event.key === "Escape" && !this.dialog.open) this.clear();
      },
      onfocusout: (event) => {
        if (event.relatedTarget && !this.root.contains(event.relatedTarget))
          this.focus = null;
      },
    },
    this.sprite,
    el("header", {}, this.status, this.facts, this.extras), this.seats, this.log,
    el("div.rv-felt", {}, this.piles, this.melds),
    el("div.rv-mine", {},
      this.notice, this.result, this.tray, this.hand, this.tools, this.choices),
    this.write, this.dialog);
    element.replaceChildren(this.root);
    this.status.textContent = "Waiting for the table…";
  }

  // ------------------------------------------------------------------------- messages

  takeCards(svg) {
    const read = new DOMParser().parseFromString(svg, "text/html").body;
    this.sprite.replaceChildren(...read.children);
    this.root.classList.add("rv-drawn");
  }

  takeTable(message) {
    const isNew = this.at === null || message.number !== this.at.number;
    const hand = this.at?.view.hand ?? [];
    this.at = message;
    this.busy = false;
    this.waiting = null;
    this.actions = message.actions?.actions ?? [];
    this.next = message.actions?.next ?? null;
    this.asked.clear();
    if (isNew || this.away) this.say("");
    this.away = false;
    if (isNew) {
      this.aim = {};
      this.typed.value = "";
      if (hand.join() !== message.view.hand.join()) this.forget();
    }
    for (const event of message.events)
      this.log.append(el("p", {}, prettily(event.sentence)));
    while (this.log.children.length > LOGGED) this.log.firstChild.remove();
    this.log.scrollTop = this.log.scrollHeight;
    this.draw();
  }

  takeActions(message) {
    if (!this.at || message.number !== this.at.number) return;
    const known = new Set(this.actions.map((one) => one.text));
    this.actions.push(...message.page.actions.filter((one) => !known.has(one.text)));
    if (!message.cards.length) this.next = message.page.next;
    this.draw();
  }

  refuse({ action, ruling }) {
    this.busy = false;
    const also = [ruling.rule, ...ruling.also].join(", ");
    this.say(el("span", {}, el("b", {}, "Not allowed: "), prettily(action), ". ",
      prettily(sentence(ruling.reason)), " ", el("small.rv-rule", {}, `[${also}]`)),
    "refusal");
    this.draw();
  }

  showHint({ action, why }) {
    this.say(el("span", {}, el("b", {}, "Hint: "), prettily(action), why ? ". " : "",
      prettily(why ? sentence(why) : ""), " ",
      el("button", { type: "button", onclick: () => this.do(action) }, "Do it")), "hint");
  }

  showRecord({ text, name = "game.toml" }) {
    const file = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    this.open("The game so far", el("div", {},
      el("p", {}, el("a", { href: file, download: name }, `Download ${name}`)),
      el("textarea", { readonly: true, rows: 12, "aria-label": "Record" }, text)));
  }

  open(title, content) {
    this.dialog.replaceChildren(
      el("form.rv-line", { method: "dialog" }, el("h3", {}, title),
        el("button", {}, "Close")), content);
    if (!this.dialog.open) this.dialog.showModal();
  }

  say(content, kind = "") {
    this.notice.className = `rv-notice ${kind && `rv-${kind}`}`;
    this.notice.replaceChildren(...(content === "" ? [] : [content]));
  }

  // ---------------------------------------------------------------------- what is done

  do(action) {
    if (this.busy || !this.at) return;
    this.busy = true;
    this.draw();
    this.send({ type: "do", number: this.at.number, action });
  }

  /**
   * Do the one action that fits; of several, show them to choose from.
   */
  doOne(found) {
    if (found.length === 1) this.do(found[0].text);
    else this.draw();
    if (found.length > 1) this.choices.querySelector("button")?.focus();
  }

  clear() {
    this.forget();
    this.aim = {};
    this.draw();
  }

  forget() {
    this.selected.clear();
    this.groups = [];
  }

  toggle(key) {
    if (!this.selected.delete(key)) this.selected.add(key);
    this.askMore();
    this.draw();
  }

  /**
   * Ask for the actions of the selected cards, if not all actions are known.
   */
  askMore() {
    const { cards, groups } = this.selection();
    const all = [...cards, ...groups.flat()].sort();
    const key = all.join(" ");
    if (this.next === null || !all.length || this.asked.has(key)) return;
    this.asked.add(key);
    this.send({ type: "actions", cards: all, start: 0 });
  }

  selection() {
    const faces = (keys) => [...keys].map((key) => key.split("#")[0]);
    return { cards: faces(this.selected), groups: this.groups.map(faces), at: this.aim };
  }

  get mayAct() {
    const { view, over } = this.at;
    return view.seat !== null && view.to_act.includes(view.seat) && over !== "match";
  }

  touchMeld(number) {
    this.aim = this.aim.meld === number ? {} : { meld: number };
    const found = offers(this.actions, this.selection(), this.at.view.hand);
    const chosen = this.selected.size > 0 && this.aim.meld === number;
    if (chosen && !found.exact.length && !found.wider.length && this.next === null) {
      const [text] = tries(this.at.view.phase, this.selection());
      if (text) this.do(text);
      this.aim = {};
    }
    if (chosen) this.doOne(found.exact);
    else this.draw();
  }

  touchPile(taken) {
    const ways = this.actions.filter((one) => one.takes.length);
    const some = ways.filter((one) => one.takes.length === taken);
    if (some.length === 1) this.do(some[0].text);
    else if (ways.length) {
      this.aim = { pile: some.length ? taken : 1 };
      this.doOne(some.length ? some : ways);
    } else this.do(`take ${taken}`);
  }

  // --------------------------------------------------------------------------- drawing

  draw() {
    if (!this.at) return;
    const active = document.activeElement;
    if (this.root.contains(active)) this.focus = active.dataset.focus ?? null;
    this.drawStatus();
    this.drawSeats();
    this.drawPiles();
    this.drawMelds();
    this.drawResult();
    this.drawHand();
    this.drawChoices();
    this.refocus();
  }

  /**
   * Give the focus back to what was drawn anew, or to what can be done next.
   */
  refocus() {
    if (this.focus === null || document.activeElement !== document.body) return;
    const parts = [...this.root.querySelectorAll("[data-focus]")]
      .filter((one) => !one.disabled);
    const found = parts.find((one) => one.dataset.focus === this.focus)
      ?? (this.mayAct && !this.busy
        ? this.choices.querySelector("button:enabled")
          ?? this.hand.querySelector("[tabindex='0']")
        : null);
    found?.focus({ preventScroll: true });
  }

  drawStatus() {
    if (!this.at) return;
    const { view, players, over, can } = this.at;
    const others = this.waiting ?? view.to_act;
    let text = `Waiting for ${named(players, others)}`;
    if (over === "match" || view.winners.length)
      text = view.winners.includes(view.seat) && view.winners.length === 1
        ? "You have won the match!"
        : `The match is over: ${named(players, view.winners)} won`;
    else if (over === "round") text = "The round is over";
    else if (this.mayAct) text = `Your turn: ${TODO[view.phase] ?? "choose what to do"}`;
    else if (!others.length) text = "The cards are being dealt";
    this.status.textContent = text;
    this.root.classList.toggle("rv-turn", this.mayAct && !over);
    const facts = [`Round ${view.round}`];
    if (view.wild) facts.push(`wild: ${view.wild.split("")
      .map((rank) => cardName(rank)).join(", ")}`);
    for (const one of this.at.first_melds)
      if (one && !over) facts.push(`first lay down ${one}`);
    if (view.thrown_in) facts.push(`deals thrown in: ${view.thrown_in}`);
    for (const duty of view.owed)
      facts.push(`${cardSigns(duty.card)} has to be used`);
    this.facts.replaceChildren(facts.join(" · "));
    this.extras.replaceChildren(...can.filter((one) => EXTRAS[one]).map((one) =>
      el("button", {
        type: "button", "data-focus": `extra-${one}`,
        onclick: () => this.send({ type: one }),
      }, EXTRAS[one])));
  }

  drawSeats() {
    const { view, players } = this.at;
    this.seats.replaceChildren(...players.map((name, seat) => {
      const side = view.sides.findIndex((one) => one.includes(seat));
      const partners = side >= 0 ? view.sides[side].length > 1 : false;
      const words = [];
      if (seat === view.seat) words.push("you");
      else if (partners && view.sides[side].includes(view.seat)) words.push("partner");
      if (view.dealer === seat) words.push("dealer");
      if (view.floating.includes(seat)) words.push("floating");
      if (view.out.includes(seat)) words.push("out");
      if (view.dropped.some((one) => (one.seat ?? one) === seat)) words.push("dropped");
      const zones = view.zones.filter((zone) => zone.owner === seat);
      const known = seat === view.seat ? [] : (view.known[seat] ?? []);
      const size = view.hand_sizes[seat];
      const turn = view.to_act.includes(seat);
      return el(`li.rv-seat${turn ? ".rv-acting" : ""}${
        partners ? `.rv-side-${side % 4}` : ""}`, {
        "aria-current": turn ? "true" : undefined,
      },
      el("b", {}, name), words.length ? ` (${words.join(", ")})` : "", el("br"),
      el("span.rv-count", {}, `${counted(size, "card")},`), " ",
      el("span.rv-count", {}, counted(view.scores[seat], "point")),
      known.length ? cardRow("known", known) : null,
      ...zones.map((zone) => this.zone(zone)));
    }));
  }

  zone(zone) {
    if (zone.cards) return cardRow(zone.name, zone.cards);
    return el("span.rv-small", {}, el("span.rv-word", {},
      `${zone.name}: ${counted(zone.size, "card")}`));
  }

  drawPiles() {
    const { view } = this.at;
    const draws = this.actions.find((one) => one.verb === "draw");
    const may = this.mayAct && !this.busy;
    const stock = el("button.rv-pile", {
      type: "button", disabled: !(may && draws), "data-focus": "stock",
      "aria-label": `Stock, ${counted(view.stock_size, "card")}${draws ? ": draw" : ""}`,
      onclick: () => this.do(draws.text),
    },
    view.stock_size ? cardElement("??", { hidden: true }) : el("span.rv-empty"),
    el("span.rv-caption", {}, `stock ${view.stock_size}`));
    const all = view.discards;
    const from = this.wholePile ? 0 : Math.max(0, all.length - SHOWN);
    const takes = this.actions.some((one) => one.takes.length);
    const open = may && view.phase !== "play" && view.phase !== "discard";
    const cards = all.slice(from).map((card, at) => {
      const taken = all.length - from - at;
      if (!open || (!takes && taken > 1)) return cardElement(card);
      return el("button.rv-bare", {
        type: "button", "data-rove": true, "data-focus": `pile-${taken}`,
        "aria-label": taken === 1 ? `Take the top discard, ${cardName(card)}`
          : `Take ${taken} cards down to ${cardName(card)}`,
        onclick: () => this.touchPile(taken),
      }, cardElement(card, { hidden: true }));
    });
    const more = all.length > SHOWN ? el("button", {
      type: "button", "data-focus": "whole-pile", onclick: () => {
        this.wholePile = !this.wholePile;
        this.draw();
      },
    }, this.wholePile ? "Fold the pile" : `${from} more below`) : null;
    const pile = el("div.rv-discards", {
      role: "group", "aria-label": `Discard pile, ${counted(all.length, "card")}, the top card last`,
    },
    el("span.rv-overlap", {}, ...(cards.length ? cards : [el("span.rv-empty")])),
    el("span.rv-caption", {}, `discards ${all.length} `, more));
    rove(pile, -1);
    const extra = [];
    if (view.indicator)
      extra.push(el("span.rv-pile", {}, cardElement(view.indicator),
        el("span.rv-caption", {}, "names the wild")));
    for (const zone of view.zones.filter((one) => one.owner === null))
      extra.push(el("span.rv-pile", {}, this.zone(zone),
        el("span.rv-caption", {}, zone.name)));
    this.piles.replaceChildren(stock, ...extra, pile);
  }

  drawMelds() {
    const { view, players } = this.at;
    const melds = [...(view.dealer_wild ? [view.dealer_wild] : []), ...view.table];
    const chosen = this.selection();
    const fit = new Set(
      offers(this.actions, { ...chosen, at: {} }, view.hand).exact
        .map((one) => one.meld).filter((one) => one !== null));
    this.melds.replaceChildren(...melds.map((meld) => {
      const cards = meld.cards.map(({ card, stands_for: role }) =>
        cardElement(role ? `${card}=${role}` : card, { hidden: true }));
      for (const { card, seat: _, ...rest } of meld.beside ?? [])
        cards.push(el("span.rv-beside", { title: JSON.stringify(rest) },
          cardElement(card, { hidden: true })));
      const spoken = meld.cards.map(({ card, stands_for: role }) =>
        cardName(role ? `${card}=${role}` : card)).join(", ");
      const by = players[meld.maker] ?? "the dealer";
      const aside = (meld.beside ?? []).map(({ card }) => cardName(card)).join(", ");
      return el(`button.rv-meld${fit.has(meld.number) ? ".rv-fits" : ""}${
        this.aim.meld === meld.number ? ".rv-aimed" : ""}`, {
        type: "button", "data-focus": `meld-${meld.number}`,
        disabled: !this.mayAct || this.busy,
        "aria-pressed": String(this.aim.meld === meld.number),
        "aria-label": `Meld ${meld.number} of ${by}: ${spoken}${
          aside ? `, beside them ${aside}` : ""}${
          fit.has(meld.number) ? ". What you selected fits here" : ""}`,
        onclick: () => this.touchMeld(meld.number),
      },
      el("span.rv-overlap", {}, ...cards),
      el("span.rv-caption", {}, `${meld.number} · ${by}`));
    }));
    if (!melds.length)
      this.melds.append(el("p.rv-none", {}, "No melds on the table yet"));
  }

  drawResult() {
    const { view, players } = this.at;
    this.result.replaceChildren();
    if (!view.result || !(this.at.over || view.phase === "deal")) return;
    const items = el("details", {}, el("summary", {}, "How the round was scored"),
      roundItems(view.result, players));
    const points = players
      .map((name, seat) => `${name} ${figures(view.result.points[seat])}`).join(", ");
    this.result.append(el("p", {}, `This round: ${points}`), items);
  }

  drawHand() {
    const { view } = this.at;
    const playable = new Set(this.actions.flatMap((one) =>
      [...one.cards, ...one.melds.flat().map((card) => card.split("=")[0])]));
    const marks = this.mayAct && view.hand.some((card) => playable.has(card));
    const drawn = [...(this.at.view.drawn?.cards ?? [])];
    const put = new Set(this.groups.flat());
    const seen = new Map();
    const keys = sorted(view.hand, this.order).map((card) => {
      const times = seen.get(card) ?? 0;
      seen.set(card, times + 1);
      return `${card}#${times}`;
    });
    for (const key of [...this.selected]) if (!keys.includes(key)) this.selected.delete(key);
    this.groups = this.groups.filter((group) => group.every((key) => keys.includes(key)));
    const shown = keys.filter((key) => !put.has(key));
    const first = shown.findIndex((key) => this.selected.has(key));
    this.hand.classList.toggle("rv-many", shown.length > MANY);
    this.hand.replaceChildren(...shown.map((key) => {
      const card = key.split("#")[0];
      const isNew = view.turn === view.seat && drawn.includes(card);
      if (isNew) drawn.splice(drawn.indexOf(card), 1);
      const fits = !marks || playable.has(card) || this.next !== null;
      const words = isNew ? ["just drawn"] : [];
      return el(`div.rv-held${isNew ? ".rv-new" : ""}${fits ? "" : ".rv-idle"}`, {
        role: "option", "aria-selected": String(this.selected.has(key)),
        "data-rove": true, "data-focus": `hand-${key}`, "data-card": card,
        "aria-label": [cardName(card), ...words].join(", "),
        onclick: () => this.toggle(key),
      }, cardElement(card, { hidden: true }));
    }));
    rove(this.hand, first < 0 ? 0 : first, (event, target) => {
      const key = target.dataset.focus.slice("hand-".length);
      if (event.key === " ") this.toggle(key);
      else if (event.key === "Enter") {
        if (!this.selected.size) this.toggle(key);
        const { exact } = offers(this.actions, this.selection(), view.hand);
        if (!exact.length) this.say("Nothing can be done with just these cards now.");
        this.doOne(exact);
      } else return false;
      return true;
    });
    this.drawTray();
    this.drawTools();
  }

  drawTray() {
    this.tray.replaceChildren(...this.groups.map((group, at) => {
      const cards = group.map((key) => key.split("#")[0]);
      return el("button.rv-group", {
        type: "button", "data-focus": `group-${at}`,
        "aria-label": `Put back ${cards.map(cardName).join(", ")}`,
        onclick: () => {
          this.groups.splice(at, 1);
          this.draw();
        },
      }, ...cards.map((card) => cardElement(card, { hidden: true })),
      el("span", { "aria-hidden": "true" }, "×"));
    }));
  }

  drawTools() {
    const tool = (focus, text, onclick, disabled = false) =>
      el("button", { type: "button", "data-focus": focus, onclick, disabled }, text);
    const list = [
      tool("order", this.order === "suits" ? "Sort by rank" : "Sort by suit", () => {
        this.order = this.order === "suits" ? "ranks" : "suits";
        this.draw();
      }),
    ];
    if (this.selected.size > 1)
      list.push(tool("together", "Put together", () => {
        this.groups.push([...this.selected]);
        this.selected.clear();
        this.askMore();
        this.draw();
      }));
    if (this.selected.size || this.groups.length || Object.keys(this.aim).length)
      list.push(tool("clear", "Clear", () => this.clear()));
    this.tools.replaceChildren(...(this.at.view.hand.length > 1 ? list : list.slice(1)));
  }

  drawChoices() {
    if (!this.at) return;
    const { view, can, number } = this.at;
    if (!this.mayAct) {
      this.choices.replaceChildren(...(can.includes("deal") ? [el("button.rv-main", {
        type: "button", "data-focus": "deal",
        onclick: () => this.send({ type: "deal", number }),
      }, "Deal the next round")] : []));
      this.root.setAttribute("aria-busy", String(this.busy));
      return;
    }
    const selected = this.selection();
    const found = offers(this.actions, selected, view.hand);
    const chosen = selected.cards.length + selected.groups.length > 0;
    const aimed = Object.keys(this.aim).length > 0;
    const plain = byVerb(found.plain);
    const many = [...plain].filter(([, some]) => some.length > AT_ONCE);
    for (const [verb] of many) plain.delete(verb);
    const list = [
      ...found.exact.map((one) => this.choice(one, "rv-main")),
      ...[...plain.values()].flat()
        .map((one) => this.choice(one, chosen ? "" : "rv-main")),
    ];
    const parts = [el("div.rv-buttons", {}, ...list),
      ...many.map(([verb, some]) => this.kind(verb, some, !list.length))];
    for (const [verb, some] of byVerb(found.wider)) {
      if (verb === "discard" && !chosen) continue;
      const open = aimed || (chosen && !found.exact.length);
      parts.push(this.kind(verb, some, open));
    }
    if (chosen && !found.exact.length) {
      const texts = tries(view.phase, selected)
        .filter((text) => !found.wider.some((one) => one.text === text));
      parts.push(el("div.rv-buttons", {}, ...texts.map((text) => this.attempt(text))));
    }
    if (this.next !== null)
      parts.push(el("button", {
        type: "button", "data-focus": "more", disabled: this.busy,
        onclick: () => this.send({ type: "actions", cards: [], start: this.next }),
      }, "Look for more actions"));
    if (!chosen && view.hand.length && view.phase === "play")
      parts.push(el("p.rv-tip", {}, "Select cards to see what you can do with them."));
    this.choices.replaceChildren(...parts);
    this.root.setAttribute("aria-busy", String(this.busy));
  }

  kind(verb, some, open) {
    const list = (actions) => actions.map((one) => this.choice(one, ""));
    const box = el("div.rv-buttons", {}, ...list(some.slice(0, SHOWN)));
    if (some.length > SHOWN)
      box.append(el("button", {
        type: "button",
        onclick: (event) => {
          const rest = list(some.slice(SHOWN));
          event.target.replaceWith(...rest);
          rest[0].focus();
        },
      }, `${some.length - SHOWN} more`));
    return el("details", { open },
      el("summary", {}, `${kindLabel(verb)} (${some.length}${
        this.next === null ? "" : "+"})`), box);
  }

  /**
   * The button of a legal action.
   */
  choice(action, kind) {
    const cards = action.cards.map((card, at) =>
      action.stands_for[at] ? `${card}=${action.stands_for[at]}` : card);
    const shown = action.melds.flatMap((meld) => meld.map((card) => card.split("=")[0]));
    const alone = action.melds.length && within(shown, [...action.cards, ...action.takes]);
    const lists = [...(alone ? [] : [cards]), ...action.melds].filter((one) => one.length);
    const words = [];
    if (action.verb === "take" && action.takes.length) {
      lists.push([this.at.view.discards.at(-action.takes.length)]);
      if (action.takes.length > 1)
        words.push(`and ${counted(action.takes.length - 1, "card")} above it`);
    }
    const inside = [];
    for (const one of lists) {
      if (inside.length) inside.push(el("span", { "aria-hidden": "true" }, "/"));
      inside.push(el("span.rv-small", {},
        ...one.map((card) => cardElement(card, { hidden: true }))));
    }
    if (action.verb === "take with" || action.verb === "take on")
      words.push(`${action.takes.length} cards with`);
    if (action.verb === "choose") words.push(`${action.number} cards`);
    if (action.end) words.push(action.end);
    if (action.meld !== null) words.push(`on meld ${action.meld}`);
    if (action.verb === "split") words.push(`after ${action.number}`);
    const said = [verbLabel(action), lists.map((one) =>
      one.map(cardName).join(", ")).join("; and "), ...words].filter(Boolean).join(" ");
    return el(`button.rv-action${kind && `.${kind}`}`, {
      type: "button", disabled: this.busy, title: action.text, "aria-label": said,
      "data-focus": `do-${action.text}`, "data-action": action.text,
      onclick: () => this.do(action.text),
    }, verbLabel(action), " ", ...inside, " ", words.join(" "));
  }

  /**
   * The button of something that may not be allowed: the rules will say why.
   */
  attempt(text) {
    return el("button.rv-action.rv-try", {
      type: "button", disabled: this.busy, "data-focus": `do-${text}`,
      "data-action": text, onclick: () => this.do(text),
    }, "Try: ", prettily(text));
  }
}

/**
 * A reason as a sentence.
 *
 * @param {string} text
 * @returns {string}
 */
export function sentence(text) {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended[0].toUpperCase() + ended.slice(1);
}

/**
 * A number of things: "1 card", "2 cards".
 */
function counted(number, word) {
  return `${figures(number)} ${word}${Math.abs(number) === 1 ? "" : "s"}`;
}

/**
 * Cards in a small row, under a word.
 */
function cardRow(word, cards) {
  return el("span.rv-small", {}, el("span.rv-word", {}, `${word}: `),
    ...cards.map((card) => cardElement(card)));
}

/**
 * Let the arrow keys move among the parts of an element, of which one is a tab stop.
 *
 * @param {HTMLElement} box
 * @param {number} at The number of the tab stop; -1 is the last.
 * @param {(event: KeyboardEvent, target: HTMLElement) => boolean} [other] Takes other
 *   keys; says whether it has.
 */
function rove(box, at, other = () => false) {
  const parts = [...box.querySelectorAll("[data-rove]")];
  const stop = parts.at(at) ?? parts[0];
  for (const one of parts) one.tabIndex = one === stop ? 0 : -1;
  box.onkeydown = (event) => {
    const here = parts.indexOf(event.target);
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = {
      ArrowRight: here + 1, ArrowDown: here + 1, ArrowLeft: here - 1, ArrowUp: here - 1,
      Home: 0, End: parts.length - 1,
    };
    if (event.key in moves) {
      const next = parts[Math.min(Math.max(moves[event.key], 0), parts.length - 1)];
      for (const one of parts) one.tabIndex = one === next ? 0 : -1;
      next.focus();
    } else if (!other(event, event.target)) return;
    event.preventDefault();
  };
}
