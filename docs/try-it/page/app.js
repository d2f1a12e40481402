// @ts-check
// Starts the page: loads Python, shows the part that the address names.

import { Asking } from "./ask.js";
import { element } from "./dom.js";
import { Playing } from "./play.js";
import { Python, obstacle } from "./python.js";
import { Rules } from "./rules.js";

const words = element("loading-words");
const progress = /** @type {HTMLProgressElement} */ (element("progress"));
const PARTS = ["rules", "ask", "play"];

/** @param {string} why */
function impossible(why) {
  words.textContent = why;
  words.setAttribute("role", "alert");
  progress.hidden = true;
}

/**
 * Show the part that the address names, and the rules that it holds.
 * @param {Rules} rules
 * @param {boolean} first Whether the page has just been opened.
 */
async function show(rules, first) {
  const hash = location.hash.slice(1);
  const [name] = hash.split("?");
  const part = PARTS.includes(name) ? name : "rules";
  for (const one of PARTS) {
    element(one).hidden = one !== part;
    const link = document.querySelector(`[data-part="${one}"]`);
    if (one === part) link?.setAttribute("aria-current", "page");
    else link?.removeAttribute("aria-current");
  }
  if (!first) element(`${part}-title`).focus({ preventScroll: true });
  if (hash.startsWith("rules?") && hash !== rules.link) await rules.openLink(hash);
}

async function main() {
  element("loading").hidden = false;
  const why = obstacle();
  if (why) {
    impossible(why);
    return;
  }
  const python = new Python((done, total) => {
    progress.value = (100 * done) / total;
    words.textContent =
      done < total
        ? `Loading Python and the rules: ${mega(done)} of ${mega(total)} MB`
        : "Starting Python…";
  });
  let about;
  try {
    about = await python.ready;
  } catch (error) {
    impossible(`Python cannot run in this browser: ${/** @type {Error} */ (error).message}.`);
    return;
  }
  element("about").textContent = `${about.version}, Python ${about.python}`;
  element("sprite").innerHTML = about.sprite; // what every card is drawn from
  const rules = new Rules(python, about);
  new Asking(python, rules);
  new Playing(python, rules);
  await show(rules, true);
  if (!rules.link) await rules.use({ extends: about.first, with: [] });
  addEventListener("hashchange", () => show(rules, false));
  element("loading").hidden = true;
  element("parts").hidden = false;
  document.body.dataset.ready = "yes";
}

/** @param {number} bytes */
function mega(bytes) {
  return (bytes / 1e6).toFixed(1);
}

main();
