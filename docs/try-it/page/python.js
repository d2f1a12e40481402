// @ts-check
// The page's side of the worker: start Python, and ask it questions.

/** @typedef {{problems: import("./dom.js").Problem[]}} Trouble */

/** A question that was not answered, with every problem found. */
export class AskError extends Error {
  /** @param {Trouble} trouble */
  constructor(trouble) {
    super(trouble.problems.map((one) => one.text).join("\n"));
    this.problems = trouble.problems;
  }
}

/** Why Python cannot run here; empty if it can. */
export function obstacle() {
  if (location.protocol === "file:") {
    return "This page works only over http or https: a browser lets no file start Python.";
  }
  if (typeof WebAssembly !== "object") {
    return "This browser has no WebAssembly, or it is turned off, so Python cannot run here.";
  }
  if (typeof Worker !== "function") {
    return "This browser has no web workers, or they are turned off, so Python cannot run here.";
  }
  return "";
}

export class Python {
  /** @param {(done: number, total: number) => void} progress Bytes that have come. */
  constructor(progress) {
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.asked = 0;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    /** @type {Promise<any>} What Python says about itself, once it runs. */
    this.ready = new Promise((resolve, reject) => {
      this.worker.addEventListener("message", (event) => {
        const said = event.data;
        if (said.loading) progress(said.loading.done, said.loading.total);
        else if (said.ready) resolve(said.ready);
        else if (said.failed) reject(new Error(said.failed));
        else this.#answered(said);
      });
      this.worker.addEventListener("error", (event) => {
        reject(new Error(event.message || "the worker could not be started"));
      });
    });
  }

  /**
   * @param {string} what The question's name.
   * @param {object} [given] What it is about.
   * @returns {Promise<any>} The answer.
   * @throws {AskError} If it cannot be answered.
   */
  ask(what, given = {}) {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...given, id, ask: what });
    });
  }

  /** @param {{id: number, answer?: any, error?: Trouble}} said */
  #answered(said) {
    const waiting = this.waiting.get(said.id);
    this.waiting.delete(said.id);
    if (said.error) waiting?.reject(new AskError(said.error));
    else waiting?.resolve(said.answer);
  }
}
