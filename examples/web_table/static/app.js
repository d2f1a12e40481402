/**
 * The pages around the table: make one, take a seat, wait for others, play.
 *
 * What follows the # of the address says what the page is: nothing, a form for a new
 * table; `table` and `join`, an invitation; `table` and `seat` or `watch`, a place at the
 * table. A browser does not send that part to the server, so no log has a secret.
 */

import { Table, sentence } from "./table.js";

const at = (id) => document.getElementById(id);
const place = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const LONGEST_WAIT = 10_000;

window.addEventListener("hashchange", () => location.reload());
if (place.table && (place.seat || place.watch)) sit();
else if (place.table && place.join) invited();
else offer();

function problem(text) {
  at("problem").textContent = text && sentence(text);
}

/**
 * Ask the server over HTTP.
 *
 * @param {string} path
 * @param {Object} [body] What to send; without it the server is asked for something.
 * @returns {Promise<Object | null>} The answer; null after an error, which is shown.
 */
async function ask(path, body) {
  problem("");
  try {
    const response = await fetch(path, body && {
      method: "POST", body: JSON.stringify(body),
      headers: { "Content-Type": "application/json" },
    });
    const found = await response.json();
    if (response.ok) return found;
    problem(found.error);
  } catch {
    problem("The server cannot be reached.");
  }
  return null;
}

function go(found) {
  location.hash = new URLSearchParams({ table: found.table, seat: found.seat });
}

// ------------------------------------------------------------------------ a new table

async function offer() {
  const form = at("new");
  form.hidden = false;
  const found = await ask("api/games");
  if (!found) return;
  const { game, players, bot } = form.elements;
  game.replaceChildren(...found.games.map(({ name, title }) => new Option(title, name)));
  game.value = "rummy-500";
  bot.replaceChildren(...found.bots.map((name) => new Option(`${name} bots`, name)));
  const change = () => {
    const { players: numbers } = found.games.find(({ name }) => name === game.value);
    const before = players.value;
    players.replaceChildren(...numbers.map((number) => new Option(number, number)));
    players.value = numbers.includes(Number(before)) ? before : numbers[numbers.length > 1 ? 1 : 0];
    at("options").replaceChildren();
    if (at("house").open) listOptions(game.value);
  };
  game.onchange = change;
  at("house").ontoggle = () => {
    if (at("house").open && !at("options").children.length) listOptions(game.value);
  };
  change();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const made = await ask("api/tables", {
      game: game.value, players: Number(players.value), bot: bot.value,
      name: form.elements.name.value, watch: form.elements.watch.checked,
      options: chosenOptions(),
    });
    if (made) go(made);
  };
}

async function listOptions(game) {
  at("options").textContent = "Looking through the house rules…";
  const found = await ask(`api/games/${encodeURIComponent(game)}`);
  if (!found || at("new").elements.game.value !== game) return;
  at("options").replaceChildren(...found.options.map((one) => {
    const label = document.createElement("label");
    label.className = "check";
    const box = Object.assign(document.createElement("input"), {
      type: "checkbox", value: one.id,
    });
    box.dataset.option = one.id;
    const words = document.createElement("span");
    words.append(one.title);
    const small = document.createElement("small");
    small.textContent = `${one.text}${one.needs.length ? ` Needs ${one.needs.join(" or ")}.` : ""} [${one.id}]`;
    words.append(small);
    if (one.takes) {
      const value = Object.assign(document.createElement("input"), {
        type: "text", placeholder: one.takes, maxLength: 40,
      });
      value.setAttribute("aria-label", `${one.title}: ${one.takes}`);
      value.oninput = () => { box.checked = Boolean(value.value); };
      words.append(value);
    }
    label.append(box, words);
    return label;
  }));
}

function chosenOptions() {
  return [...document.querySelectorAll("[data-option]:checked")].map((box) => {
    const value = box.parentElement.querySelector("input[type=text]")?.value.trim();
    return value ? `${box.value}=${value}` : box.value;
  });
}

function invited() {
  const form = at("join");
  form.hidden = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const found = await ask("api/join", {
      table: place.table, invitation: place.join, name: form.elements.name.value,
    });
    if (found) go(found);
  };
}

// ------------------------------------------------------------------------ at the table

function sit() {
  let table = null;
  let socket = null;
  let wait = 500;
  let number = 0;
  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const sprite = fetch("cards.svg").then((response) => response.text());

  async function draw(message) {
    if (!table) {
      table = new Table(at("table"), send);
      const svg = await sprite;
      if (svg) table.receive({ type: "cards", svg });
    }
    table.receive(message);
  }

  // One after another, although the first waits for the pictures.
  let last = Promise.resolve();
  function receive(message) {
    if (message.type === "lobby") lobby(message, send);
    else if (message.type === "error" && !table) problem(message.message);
    else last = last.then(() => draw(message));
    if (message.type === "table") number = message.number;
  }

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const address = new URL("api/play", location.href);
    socket = new WebSocket(`${scheme}//${address.host}${address.pathname}`);
    socket.onopen = () => {
      wait = 500;
      problem("");
      send({ table: place.table, secret: place.seat ?? place.watch, number });
    };
    socket.onmessage = ({ data }) => receive(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (code === 1008) return; // the server has said why
      if (table) table.disconnected();
      else problem("The connection is lost. Trying again…");
      setTimeout(connect, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
  }
  connect();
  showRules();
}

async function showRules() {
  const response = await fetch(`api/rules/${encodeURIComponent(place.table)}`);
  if (!response.ok) return;
  at("sheet").hidden = false;
  at("sheet").querySelector("pre").textContent = await response.text();
}

function lobby(message, send) {
  const { title, options, seats, players, people, you, begun } = message;
  at("about").textContent = options.length ? `${title}, with ${options.join(", ")}` : title;
  const gone = begun ? message.away.map((seat) => players[seat]) : [];
  at("away").textContent = gone.length
    ? `Not here now: ${gone.join(", ")}. The game waits for them.` : "";
  at("lobby").hidden = begun;
  at("people").replaceChildren(...Array.from({ length: seats }, (_, seat) => {
    const item = document.createElement("li");
    item.textContent = people.includes(seat)
      ? `${players[seat]}${seat === you ? " (you)" : ""}` : "a free seat";
    return item;
  }));
  at("start").hidden = you !== 0;
  at("start").textContent = people.length === seats
    ? "Start the game" : "Start the game; bots take the free seats";
  at("start").onclick = () => send({ type: "start" });
  at("waits").textContent = you === 0 ? "" : `${players[0]} starts the game.`;
  const link = (key, secret) => `${location.href.split("#")[0]}#${
    new URLSearchParams({ table: message.table, [key]: secret })}`;
  at("links").hidden = you === null;
  at("invite").hidden = begun || people.length === seats;
  at("looking").hidden = !message.watch;
  at("own").hidden = you === null;
  at("invitation").value = link("join", message.invitation);
  at("watching").value = link("watch", message.watch);
  for (const button of document.querySelectorAll("#links button"))
    button.onclick = () => {
      const field = button.parentElement.querySelector("input");
      field.select();
      navigator.clipboard?.writeText(field.value);
    };
}
