// A real browser without a window, and the page in it.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { serve } from "../serve.js";
import { dist, root } from "./native.js";

/** Names of programs that can run without a window. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"];

export const browser = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(existsSync);

/** Starts the browser and a server of the page and of sample logs. */
export async function begin(...folders) {
  const { chromium } = await import("playwright-core");
  const served = await serve(dist, join(root, "traces/data"), ...folders);
  const shown = await chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-gpu"] });
  const end = async () => {
    await shown.close();
    served.end();
  };
  return { shown, address: served.address, end };
}

/**
 * Opens the page in a window of a size, and notes what goes wrong and what is asked of other hosts. `hash` is the end of its address;
 * `early` is done before the engine is there, which then comes half a second late.
 */
export async function visit({ shown, address }, { width = 1400, height = 900, theme = "light", hash = "", early = null } = {}) {
  const context = await shown.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce", acceptDownloads: true });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) wrong.push(`asked for ${request.url()}`);
  });
  if (early) {
    // The worker's own requests are those of the context.
    await context.route(/batchlab\.wasm/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
  }
  await page.goto(address + hash);
  await early?.(page);
  await page.waitForSelector("body[data-ready]");
  return { page, wrong, close: () => context.close() };
}

/** Waits until all is shown once more. */
export async function complete(page, act) {
  const before = await page.evaluate(() => document.body.dataset.complete ?? "0");
  await act();
  await page.waitForFunction((before) => (document.body.dataset.complete ?? "0") !== before, before, { timeout: 120_000 });
}

/** Drops files onto the page: names and bytes, one after the other. */
export async function drop(page, ...files) {
  const named = files.flatMap((name, at) => (at % 2 ? [] : [[name, files[at + 1].toString("base64")]]));
  const transfer = await page.evaluateHandle((named) => {
    const transfer = new DataTransfer();
    for (const [name, text] of named) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name));
    }
    return transfer;
  }, named);
  await page.dispatchEvent("#drop", "drop", { dataTransfer: transfer });
}

/** Adds a policy and sets its spec. */
export async function add(page, spec) {
  await page.click("#add");
  const input = page.locator("#policies input.spec").last();
  await input.fill(spec);
  await input.press("Enter");
}

/** Returns the rectangles of a schedule without a queue, as the engine gives them; for the page, too, as it names nothing outside. */
export function packed(jobs, procs) {
  let seed = 1;
  const drawn = () => (seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
  const free = new Float64Array(procs);
  const all = Array.from({ length: jobs }, (_, job) => {
    const count = 2 ** Math.floor(drawn() * 6);
    const first = Math.floor(drawn() * (procs / count)) * count;
    const from = free.subarray(first, first + count).reduce((one, other) => Math.max(one, other), 0);
    const to = from + 10 ** (drawn() * 4);
    free.fill(to, first, first + count);
    return { job, from, to, first, count };
  }).sort((one, other) => one.from - other.from);
  const column = (name, Kind) => Kind.from(all, (one) => one[name]);
  return { from: column("from", Float64Array), to: column("to", Float64Array), first: column("first", Uint32Array), count: column("count", Uint32Array), job: column("job", Uint32Array) };
}
