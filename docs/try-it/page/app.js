import { Python, obstacle } from "./python.js";

const python = new Python((done, total) => {
  document.querySelector("#progress").value = done / total;
});
globalThis.python = python;
await python.ready;
document.querySelector("#loading").textContent = "Ready";
