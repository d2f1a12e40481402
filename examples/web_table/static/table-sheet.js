/**
 * The score sheet, item by item.
 */

import { cardElement, el } from "./table-cards.js";

/**
 * The names of some seats: "Ann and Cleo".
 *
 * @param {string[]} players
 * @param {number[]} seats
 * @returns {string}
 */
export function named(players, seats) {
  const names = seats.map((seat) => players[seat]);
  const last = names.pop();
  return names.length ? `${names.join(", ")} and ${last}` : (last ?? "");
}

/**
 * The points of a round, item by item: for each player what each reason has brought,
 * with its cards and its rule.
 *
 * @param {{points: number[], items: Object[]}} result
 * @param {string[]} players
 * @returns {HTMLElement}
 */
export function roundItems(result, players) {
  const body = el("div.rv-items");
  players.forEach((name, seat) => {
    const list = el("ul");
    const reasons = new Map();
    for (const item of result.items.filter((one) => one.seat === seat)) {
      const key = `${item.reason} [${item.rule}]`;
      if (!reasons.has(key)) reasons.set(key, { item, points: 0, cards: [] });
      const found = reasons.get(key);
      found.points += item.points;
      if (item.card) found.cards.push(item.card);
    }
    for (const { item, points, cards } of reasons.values())
      list.append(el("li", {},
        el("b", {}, signed(points)), ` ${item.reason} `,
        el("small.rv-rule", {}, item.rule),
        cards.length ? el("span.rv-small", {}, ...cards.map((one) => cardElement(one)))
          : null));
    if (!reasons.size) list.append(el("li", {}, "nothing counted"));
    body.append(
      el("section", {}, el("h4", {}, `${name}: ${signed(result.points[seat])}`), list));
  });
  return body;
}

/**
 * A whole score sheet: a table of rounds and totals, bonuses, and each round by item.
 *
 * @param {Object} sheet The `score_sheet` document of the library.
 * @returns {HTMLElement}
 */
export function scoreSheet(sheet) {
  const { players } = sheet;
  const row = (title, cells, tag = "td") =>
    el("tr", {}, el("th", { scope: "row" }, title),
      ...cells.map((cell) => el(tag, {}, figures(cell))));
  const table = el("table", {},
    el("thead", {}, el("tr", {}, el("td"),
      ...players.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {},
      ...sheet.rounds.map((round) => row(`Round ${round.number}`, round.result.points)),
      row("Total", sheet.scores),
      sheet.boxes.some(Boolean) ? row("Rounds won", sheet.boxes) : null,
      String(sheet.final_scores) === String(sheet.scores)
        ? null : row("With bonuses", sheet.final_scores)));
  const whole = el("div.rv-sheet", {}, el("div.rv-wide", {}, table));
  if (sheet.sides.length && sheet.sides.length < players.length)
    whole.append(el("p", {}, sheet.sides
      .map((side, at) => `${named(players, side)}: ${sheet.side_scores[at]}`).join("; ")));
  if (sheet.payments.some(Boolean))
    whole.append(el("p", {}, `Paid: ${sheet.sides
      .map((side, at) => `${named(players, side)} ${signed(sheet.payments[at])}`)
      .join(", ")}`));
  for (const one of sheet.bonuses)
    whole.append(el("p", {},
      `${players[one.seat]}: ${signed(one.points)} ${one.reason} `,
      el("small.rv-rule", {}, one.rule)));
  sheet.columns.forEach((column, at) => {
    whole.append(el("p", {}, `Column ${at + 1}: ${players
      .map((name, seat) => `${name} ${column.scores[seat] ?? 0}`).join(", ")}${
      column.winners.length ? `; won by ${named(players, column.winners)}` : ""}`));
  });
  if (sheet.winners.length)
    whole.append(el("p", {}, `The match is won by ${named(players, sheet.winners)}.`));
  for (const round of [...sheet.rounds].reverse())
    whole.append(el("details", {}, el("summary", {}, `Round ${round.number}, item by item`),
      roundItems(round.result, players)));
  return whole;
}

/**
 * A number with a proper minus sign.
 *
 * @param {number} points
 * @returns {string}
 */
export function figures(points) {
  return points < 0 ? `−${-points}` : String(points);
}

function signed(points) {
  return points < 0 ? figures(points) : `+${points}`;
}
