// The page's side of the worker: questions as promises, progress, and an end to work that takes too long.

export class Stopped extends Error {}

export class Worked {
  /** @param {(done: number, total: number) => void} progress */
  constructor(progress) {
    this.progress = progress;
    this.waiting = new Map();
    this.next = 1;
    this.begin();
  }

  begin() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.end(new Error(event.message || "the worker cannot be started"));
  }

  hear({ id, answer, failed, done, total, memory }) {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    if (done !== undefined) return this.progress(done, total);
    this.waiting.delete(id);
    if (memory) this.memory = memory;
    if (answer) return waiting.resolve(answer);
    waiting.reject(Object.assign(new Error(failed.text), failed));
    if (failed.broken) this.restart(new Error(failed.text));
  }

  /** Asks a question. The payload is handed over: it is empty afterwards. */
  ask(question, payload) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, question, payload }, payload ? [payload.buffer] : []);
    });
  }

  /** Whether questions wait for an answer. */
  get isBusy() {
    return this.waiting.size > 0;
  }

  /** Lets the worker get the engine ready for a log, as long as it has no question. */
  prepare() {
    this.worker.postMessage({ sample: "lublin-128.swf.gz" });
  }

  end(error) {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    waiting.forEach(({ reject }) => reject(error));
  }

  restart(error) {
    this.worker.terminate();
    this.begin();
    this.end(error);
  }

  /** Ends the worker for good. */
  close() {
    this.worker.terminate();
  }

  /** Abandons all work; what was open is gone. */
  stop() {
    this.restart(new Stopped("stopped"));
  }
}
