// @ts-check
// Runs Python beside the page: loads it, then answers the page's questions.
//
// From the page: {id, ask, ...}. To the page: {loading: {done, total}}, then
// {ready: {...}} or {failed: "..."}, and for each question {id, answer: {...}}.

const FILES = new URL("python/", import.meta.url);

/**
 * Fetch a file and tell how much of it has come.
 * @param {string} name
 * @param {(bytes: number) => void} came
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function fetched(name, came) {
  const response = await fetch(new URL(name, FILES));
  if (!response.ok || !response.body) {
    throw new Error(`${name} could not be loaded (${response.status})`);
  }
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    came(value.length);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Load everything and start Python.
 * @returns {Promise<(question: string) => string>} What answers questions.
 */
async function start() {
  const list = await (await fetch(new URL("files.json", FILES))).json();
  const names = Object.keys(list.sizes);
  const total = names.reduce((sum, name) => sum + list.sizes[name], 0);
  let done = 0;
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  const files = new Map();
  await Promise.all(
    names.map(async (name) => {
      const bytes = await fetched(name, (count) => {
        done += count;
        postMessage({ loading: { done, total } });
      });
      files.set(name, bytes);
    }),
  );

  // Python asks for its files by address; it gets what has come already.
  const original = globalThis.fetch;
  globalThis.fetch = async (asked, options) => {
    const address = asked instanceof Request ? asked.url : String(asked);
    const bytes = files.get(address.slice(address.lastIndexOf("/") + 1));
    if (!bytes) return original(asked, options);
    const type = address.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(bytes, { headers: { "Content-Type": type } });
  };
  const { loadPyodide } = await import(new URL("pyodide.mjs", FILES).href);
  const python = await loadPyodide({ indexURL: FILES.href });
  for (const name of list.packages) {
    python.unpackArchive(files.get(name), name.endsWith(".whl") ? "wheel" : "zip");
  }
  globalThis.fetch = original;
  files.clear();
  return python.runPython("import answering; answering.answer");
}

const started = start();
started.then(
  (answer) => postMessage({ ready: JSON.parse(answer('{"ask": "about"}')).answer }),
  (error) => postMessage({ failed: String(error?.message ?? error) }),
);

addEventListener("message", async (event) => {
  const answer = await started;
  const { id, ...question } = event.data;
  let said;
  try {
    said = JSON.parse(answer(JSON.stringify(question)));
  } catch (error) {
    // A mistake of ours: its last line says what it is, for a bug report.
    const last = String(error).trim().split("\n").at(-1);
    said = { error: { problems: [{ text: `something is wrong with this page: ${last}` }] } };
  }
  postMessage({ id, ...said });
});
