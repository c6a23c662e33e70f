// The WebAssembly module as a function: a question in, an answer out. The worker and the tests in Node use it.

/** @typedef {{value: any, columns?: Record<string, Float64Array|Uint32Array|Uint8Array>, bytes: Uint8Array}} Answer */

/** A refusal of the engine, in its words, with the exit code that the program would have. */
export class Refused extends Error {
  constructor({ code, text }) {
    super(text);
    this.name = "Refused";
    this.code = code;
  }
}

/**
 * Makes an engine of a compiled module.
 * @param {WebAssembly.Module} module
 * @param {(done: number, total: number) => void} progress gets what is done, and what there is to do, or 0 if it is unknown
 * @returns {Promise<(question: object, payload?: Uint8Array) => Answer>}
 */
export async function engine(module, progress = () => {}) {
  const { exports } = await WebAssembly.instantiate(module, { host: { progress } });
  const write = (make, bytes) => {
    const at = make(bytes.length);
    new Uint8Array(exports.memory.buffer, at >>> 0, bytes.length).set(bytes);
  };
  const read = (at, len) => new Uint8Array(exports.memory.buffer, at >>> 0, len >>> 0).slice();
  const ask = (question, payload) => {
    write(exports.question, new TextEncoder().encode(JSON.stringify(question)));
    if (payload) write(exports.payload, payload);
    exports.answer();
    const json = JSON.parse(new TextDecoder().decode(read(exports.json(), exports.json_len())));
    if (json.failed) throw new Refused(json.failed);
    const bytes = read(exports.bytes(), exports.bytes_len());
    if (!json.made?.columns) return { value: json.made, bytes };
    const typed = { Float64Array, Uint32Array, Uint8Array };
    const columns = {};
    for (const { name, kind, at, len } of json.made.columns) columns[name] = new typed[kind](bytes.buffer, at, len);
    return { value: json.made.value, columns, bytes };
  };
  ask.memory = () => exports.memory.buffer.byteLength;
  return ask;
}
