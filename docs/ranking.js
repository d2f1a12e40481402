/**
 * Which results of a search stand first: guides, and pages whose headings have more of
 * the words that were typed. Who types the id of a rule wants the rule.
 */
"use strict";

const SHELVES = [
  [/^(index|try-it|tutorials\/|how-to\/)/, 24],
  [/^(explanation\/|reference\/(glossary|command-line|notation)$)/, 12],
  [/^reference\/(api|rules)\//, 0],
  [/^reference\/(options|policy-values|questions|keys|numbers|speed)$/, -6],
  [/^(changelog|contributing|design|releasing)$/, -12],
  [/^/, 6],
];

const TYPED = (new URLSearchParams(window.location.search).get("q") ?? "").trim();
const IS_RULE = /^[a-z][a-z0-9]{1,2}-[a-z]?\d+[a-e]?$/i.test(TYPED);

/** How many of the words that were typed stand in headings of a page; its title counts twice. */
function wordsInHeadings(page) {
  const index = Search._index;
  const at = index.docnames.indexOf(page);
  const stemmer = new Stemmer();
  const stems = (text) => splitQuery(text.toLowerCase()).map((one) => stemmer.stemWord(one));
  const title = stems(index.titles[at]);
  return stems(TYPED).reduce(
    (found, word) =>
      found +
      [index.titleterms[word] ?? []].flat().includes(at) +
      title.includes(word),
    0,
  );
}

/** Whether a result is the very word in the glossary. */
function isTerm(page, name) {
  return page === "reference/glossary" && name.toLowerCase() === TYPED.toLowerCase();
}

/** What the place of a page adds. */
function shelf(page) {
  return IS_RULE ? 0 : SHELVES.find(([name]) => name.test(page))[1];
}

var Scorer = {
  score: ([page, name, , , score]) =>
    isTerm(page, name) ? 100 : score + shelf(page) + 8 * wordsInHeadings(page),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
