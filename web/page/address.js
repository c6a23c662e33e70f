// The address of the page: the log, policies, options and what is in view, so that a view can be shared.

/** Returns a name and a value of "name=value". */
const pair = (text) => [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];

/** Returns what the address says; what it does not say is null or empty. */
export function read() {
  const params = new URLSearchParams(location.hash.slice(1));
  const pairs = (name) => params.getAll(name).map(pair).filter(([name]) => name);
  const number = (name) => (params.has(name) && Number.isFinite(Number(params.get(name))) ? Number(params.get(name)) : null);
  const texts = Object.fromEntries(["log", "shown", "against", "job"].map((name) => [name, params.get(name)]));
  return { ...texts, exercise: number("exercise"), policies: params.getAll("policy"), options: pairs("option"), reading: pairs("reading"), from: number("from"), to: number("to") };
}

/** Writes what is shown into the address, in the place of what stood there. */
export function write({ log, policies, options, reading, shown, against, from, to, job, exercise }) {
  const params = new URLSearchParams({ log });
  const all = (name, list) => list.forEach((value) => params.append(name, value));
  all("policy", policies);
  all("reading", reading.map((pair) => pair.join("=")));
  all("option", options.map((pair) => pair.join("=")));
  const known = { exercise, shown, against, from: from && Math.round(from), to: to && Math.round(to), job };
  for (const [name, value] of Object.entries(known)) if (value !== null && value !== undefined) params.set(name, value);
  history.replaceState(null, "", `#${params}`);
}

/** Returns the bytes of a log that lies beside the page. */
export async function beside(name) {
  const answer = /^\w[\w.@+-]*$/.test(name) ? await fetch(name) : null;
  if (!answer?.ok) throw new Error("this log does not come with the page. Drop it here: it is replayed as the address says.");
  return new Uint8Array(await answer.arrayBuffer());
}
