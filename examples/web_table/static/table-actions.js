/**
 * Which actions fit the cards that a player has selected. No page is needed here.
 *
 * @typedef {Object} LegalAction A structured legal action, as the library publishes it.
 * @property {string} text
 * @property {string} verb
 * @property {string[]} cards
 * @property {(string | null)[]} stands_for
 * @property {string[]} takes
 * @property {string[][]} melds
 * @property {number | null} meld
 * @property {string | null} end
 * @property {number | null} number
 *
 * @typedef {Object} Selected
 * @property {string[]} cards The cards of the hand that are selected.
 * @property {string[][]} groups Cards that were put together as melds to be.
 * @property {{meld?: number, pile?: number}} at What was touched on the table: a meld, or
 *   a card of the pile by how many cards would be taken.
 */

const VERBS = {
  draw: "Draw", take: "Take", "take with": "Take", "take on": "Take", meld: "Lay down",
  "go down": "Lay down", lay: "Lay off", put: "Put down", swap: "Swap", split: "Split",
  discard: "Discard", rummy: "Call rummy", pass: "Pass", choose: "Choose",
  knock: "Knock", declare: "Declare", drop: "Drop out", buy: "Buy the discard",
  rejoin: "Come back in", ask: "Ask your partner: may I go out?", yes: "Yes, go out",
  no: "No, play on",
};
const KINDS = {
  meld: "Melds you can lay down", "go down": "Ways to go down", lay: "Cards you can lay off",
  discard: "Discards", swap: "Swaps", split: "Melds you can split", put: "Wilds to put down",
  knock: "Ways to knock", declare: "Ways to declare", take: "Ways to take",
  "take with": "Ways to take the pile", "take on": "Ways to take the pile",
};

/**
 * A word for what an action does.
 *
 * @param {LegalAction} action
 * @returns {string}
 */
export function verbLabel(action) {
  const own = action.text.match(/^(big gin|gin)\b/);
  if (own) return own[0] === "gin" ? "Gin" : "Big gin";
  return VERBS[action.verb] ?? action.verb[0].toUpperCase() + action.verb.slice(1);
}

/**
 * A heading for several actions of a kind.
 *
 * @param {string} verb
 * @returns {string}
 */
export function kindLabel(verb) {
  return KINDS[verb] ?? verb[0].toUpperCase() + verb.slice(1);
}

/**
 * How often each card occurs.
 *
 * @param {string[]} cards
 * @returns {Map<string, number>}
 */
function counted(cards) {
  const found = new Map();
  for (const card of cards) found.set(card, (found.get(card) ?? 0) + 1);
  return found;
}

/**
 * Whether all of some cards are among others, each as often.
 *
 * @param {string[]} some
 * @param {string[]} all
 * @returns {boolean}
 */
export function within(some, all) {
  const held = counted(all);
  return [...counted(some)].every(([card, times]) => (held.get(card) ?? 0) >= times);
}

function same(some, others) {
  return some.length === others.length && within(some, others);
}

const faces = (meld) => meld.map((card) => card.split("=")[0]);

/**
 * All cards of an action: those that are touched, and those of the melds that it shows.
 *
 * @param {LegalAction} action
 * @returns {string[]}
 */
function involved(action) {
  const shown = action.melds.flatMap(faces);
  return within(shown, [...action.cards, ...action.takes])
    ? action.cards
    : [...action.cards, ...shown];
}

/**
 * Whether an action is exactly what is selected: its cards, or its cards and its melds.
 */
function isExactly(action, { cards, groups }) {
  if (!groups.length)
    return same(cards, action.cards) || same(cards, involved(action));
  const shown = action.melds.map(faces);
  const all = [...groups, ...(cards.length > 2 ? [cards] : [])];
  const rest = cards.length > 2 ? [] : cards;
  const touched = within(shown.flat(), action.cards) ? [] : action.cards;
  return (
    same(rest, touched) &&
    shown.length === all.length &&
    all.every((group) => shown.some((meld) => same(group, meld)))
  );
}

/**
 * Whether an action goes to what was touched on the table.
 */
function isAt(action, at) {
  if (at.meld !== undefined) return action.meld === at.meld;
  if (at.pile !== undefined) return action.takes.length >= at.pile;
  return true;
}

/**
 * The actions to offer, in the order in which to show them.
 *
 * @param {LegalAction[]} actions Those that are known to be legal.
 * @param {Selected} selected
 * @param {string[]} hand
 * @returns {{exact: LegalAction[], plain: LegalAction[], wider: LegalAction[]}}
 *   exact: what the selected cards can do as they are; plain: what needs no card of the
 *   hand; wider: what needs more than the selected cards.
 */
export function offers(actions, selected, hand) {
  const chosen = [...selected.cards, ...selected.groups.flat()];
  const exact = [];
  const plain = [];
  const wider = [];
  const aimed = selected.at.meld !== undefined || selected.at.pile !== undefined;
  for (const one of actions) {
    const mine = involved(one).some((card) => hand.includes(card));
    if (chosen.length && isExactly(one, selected) && isAt(one, selected.at))
      exact.push(one);
    else if (one.verb === "rummy" || (!mine && !(aimed && one.takes.length)))
      plain.push(one);
    else if (isAt(one, selected.at) && within(chosen, involved(one))) wider.push(one);
  }
  return { exact, plain, wider };
}

/**
 * Actions that the selection might mean, though none of them is known to be legal: the
 * rules will say why they are not.
 *
 * @param {string} phase
 * @param {Selected} selected
 * @returns {string[]} In the notation.
 */
export function tries(phase, { cards, groups, at }) {
  if (at.meld !== undefined && cards.length && phase !== "draw")
    return [`lay ${cards.join(" ")} on ${at.meld}`];
  const melds = [...groups, ...(cards.length > 1 ? [cards] : [])]
    .map((group) => group.join(" "))
    .join(" / ");
  if (phase === "draw" && melds) return [`take all with ${melds}`];
  if (phase === "draw") return [];
  const found = melds ? [`meld ${melds}`] : [];
  if (cards.length === 1) found.push(`discard ${cards[0]}`);
  return found;
}

/**
 * Actions by their verbs, in order of appearance.
 *
 * @param {LegalAction[]} actions
 * @returns {Map<string, LegalAction[]>}
 */
export function byVerb(actions) {
  const found = new Map();
  for (const one of actions) {
    if (!found.has(one.verb)) found.set(one.verb, []);
    found.get(one.verb).push(one);
  }
  return found;
}
