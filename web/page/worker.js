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

const compiling = compiled();
const ready = compiling.then((module) => engine(module, progress));
// Who asks is told.
ready.catch(() => {});

/** Whether a question about a log has come; the page's first question is what there is to choose. */
let isBusy = false;

/**
 * Replays the sample by an engine that is dropped afterwards. Browsers compile a function when it is called first, and optimize it
 * when it has been called often, so the first log of the page takes less time then. It ends at the first question about a log.
 */
async function prepare(sample) {
  const response = await fetch(new URL(sample, import.meta.url));
  const bytes = new Uint8Array(await response.arrayBuffer());
  const ask = await engine(await compiling);
  const steps = [
    [{ ask: "open", name: sample }, bytes],
    [{ ask: "compare", policies: ["easy"] }],
    [{ ask: "jobs" }],
    [{ ask: "drawn", at: 0 }],
    [{ ask: "info" }],
    [{ ask: "timeline", at: 0 }],
  ];
  for (const step of steps) {
    await new Promise((next) => setTimeout(next));
    if (isBusy) return;
    ask(...step);
  }
}

onmessage = async ({ data: { id, question, payload, sample } }) => {
  // Without the sample the first replay takes longer, and nothing else.
  if (sample) return prepare(sample).catch(() => {});
  isBusy = question.ask !== "choices";
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
