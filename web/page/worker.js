// The worker: everything that takes time runs here, so that the page never freezes.
import { engine } from "./engine.js";

let asking = 0;
let told = 0;
const progress = (done, total) => {
  const now = performance.now();
  if (now - told < 60) return;
  told = now;
  postMessage({ id: asking, done, total });
};

/** Compiles the engine while it comes in; a server that does not know its type is no reason to fail. */
async function compiled() {
  const response = await fetch(new URL("./batchlab.wasm", import.meta.url));
  if (!response.ok) throw new Error(`batchlab.wasm: ${response.status} ${response.statusText}`);
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

const ready = compiled().then((module) => engine(module, progress));
// Who asks is told.
ready.catch(() => {});

onmessage = async ({ data: { id, question, payload } }) => {
  try {
    const ask = await ready;
    asking = id;
    const { value, columns, bytes } = ask(question, payload);
    postMessage({ id, answer: { value, columns, bytes }, memory: ask.memory() }, [bytes.buffer]);
  } catch (error) {
    // A trap leaves the memory of the module as it was in the middle of its work: the page replaces the worker.
    const broken = error instanceof WebAssembly.RuntimeError || !(error?.name === "Refused");
    const text = broken ? `the engine stopped: ${error.message}` : error.message;
    postMessage({ id, failed: { text, code: error.code ?? 1, broken } });
  }
};
