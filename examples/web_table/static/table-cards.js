/**
 * Cards on a page: elements, the names that a screen reader says, and sentences in which
 * cards have the symbols of their suits.
 *
 * A card is its text in the notation: "9c", "Th", "*" for a joker, "??" for a hidden one.
 */

const SUITS = {
  c: ["♣", "clubs"],
  d: ["♦", "diamonds"],
  h: ["♥", "hearts"],
  s: ["♠", "spades"],
  x: ["★", "stars"],
};
const RANKS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
  8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king",
};
const ORDER = "A23456789TJQK";
const SVG = "http://www.w3.org/2000/svg";
const IN_TEXT = /(?<![\w*])(\*|[A2-9TJQK][cdhsx])(?:=([A2-9TJQK][cdhsx]?))?(?![\w*])/g;

/**
 * An element with properties, attributes and children.
 *
 * @param {string} tag Its tag, with classes: "ul.rv-players".
 * @param {Object<string, any>} [given] Properties such as `onclick` and `disabled`, and
 *   attributes; undefined, null and false leave an attribute out.
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElement}
 */
export function el(tag, given = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  made.classList.add(...classes);
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("on")) made[key] = value;
    else if (value === true) made.setAttribute(key, "");
    else if (value !== undefined && value !== null && value !== false)
      made.setAttribute(key, String(value));
  }
  made.append(...children.filter((one) => one !== null && one !== undefined));
  return made;
}

/**
 * What a screen reader says for a card: "nine of clubs"; with "=", "joker as eight of
 * hearts"; a rank alone, "eight".
 *
 * @param {string} text
 * @returns {string}
 */
export function cardName(text) {
  const [card, role] = text.split("=");
  if (role) return `${cardName(card)} as ${cardName(role)}`;
  if (card === "*") return "joker";
  if (card === "??") return "hidden card";
  const rank = RANKS[card[0]] ?? card;
  return card.length > 1 ? `${rank} of ${SUITS[card[1]]?.[1] ?? card[1]}` : rank;
}

/**
 * A card in a few signs: "9♣", "★" for a joker, "★=8♥".
 *
 * @param {string} text
 * @returns {string}
 */
export function cardSigns(text) {
  return text
    .split("=")
    .map((one) => {
      if (one === "*") return "★";
      return (one[0] === "T" ? "10" : one[0]) + (SUITS[one[1]]?.[0] ?? "");
    })
    .join("=");
}

/**
 * A card drawn from the sprite. What a wild stands for is written on its lower edge.
 *
 * @param {string} text
 * @param {{label?: string, hidden?: boolean}} [how] The label, if not the card's name;
 *   hidden: the card says nothing, since what is around it does.
 * @returns {HTMLElement}
 */
export function cardElement(text, how = {}) {
  const [card, role] = text.split("=");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#card-${card === "??" ? "back" : card}`);
  svg.append(use);
  const said = how.hidden
    ? { "aria-hidden": "true" }
    : { role: "img", "aria-label": how.label ?? cardName(text) };
  return el("span.rv-card", { ...said, "data-card": card },
    el("span.rv-signs", { "aria-hidden": "true" }, card === "??" ? "" : cardSigns(card)),
    svg,
    role ? el("span.rv-role", { "aria-hidden": "true" }, cardSigns(role)) : null);
}

/**
 * A sentence in which "9c" is "9♣", spoken as "nine of clubs".
 *
 * @param {string} sentence
 * @returns {DocumentFragment}
 */
export function prettily(sentence) {
  const made = document.createDocumentFragment();
  let at = 0;
  for (const found of sentence.matchAll(IN_TEXT)) {
    made.append(sentence.slice(at, found.index));
    const [text, card, role] = found;
    const suit = card === "*" ? role?.[1] : card[1];
    made.append(el(`span.rv-sign${suit ? `.rv-${suit}` : ""}`,
      { role: "img", "aria-label": cardName(text) },
      cardSigns(text)));
    at = found.index + text.length;
  }
  made.append(sentence.slice(at));
  return made;
}

/**
 * A hand in the order of suits or of ranks, jokers last.
 *
 * @param {string[]} cards
 * @param {"suits" | "ranks"} by
 * @returns {string[]}
 */
export function sorted(cards, by) {
  const key = (card) => {
    if (card === "*") return 10000;
    const rank = ORDER.indexOf(card[0]);
    const suit = "cdshx".indexOf(card[1]); // black and red by turns
    return by === "ranks" ? 5 * rank + suit : 13 * suit + rank;
  };
  return [...cards].sort((one, other) => key(one) - key(other));
}
