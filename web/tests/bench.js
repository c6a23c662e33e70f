// Measures the page: the time from a drop to the chart, frames of a chart of 30,000 jobs, memory of a million jobs. It tests
// nothing: times depend on the machine. `node tests/bench.js`; the results that README.md has are of a machine that it names.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

import { begin, complete, drop, packed, visit } from "./browser.js";
import { engine } from "../page/engine.js";
import { dist, kth, run } from "./native.js";

const folder = mkdtempSync(join(tmpdir(), "batchlab-"));
const model = (jobs) => {
  const file = join(folder, `lublin-${jobs}.swf.gz`);
  run("generate", "lublin", "--jobs", String(jobs), "--procs", "128", "--seed", "3", "--set", "load=1.4", "--set", "users=40", "-o", file);
  return file;
};
const median = (list) => [...list].sort((one, other) => one - other)[Math.floor(list.length / 2)];
const worst = (list) => [...list].sort((one, other) => one - other)[Math.floor(list.length * 0.99)];

try {
  const all = await begin();
  if (kth) {
    for (const [later, words] of [[0, "dropped at once"], [1000, "dropped a second after the page was there"]]) {
      const took = [];
      for (let round = 0; round < 9; round++) {
        const { page, close } = await visit(all);
        await new Promise((wait) => setTimeout(wait, later));
        await complete(page, () => drop(page, "kth.swf.gz", readFileSync(kth)));
        took.push(Number(await page.getAttribute("body", "data-took")));
        await close();
      }
      console.log(`KTH-SP2 under EASY, ${words}: chart after ${median(took)} ms (median of ${took.join(", ")}); load ${loadavg()[0].toFixed(1)}`);
    }
  }
  const log = model(30_000);
  for (const theme of ["light"]) {
    const { page, close } = await visit(all, { theme });
    await complete(page, () => drop(page, "thirty.swf.gz", readFileSync(log)));
    await page.locator("#charts canvas").scrollIntoViewIfNeeded();
    const { drawn, between } = await page.evaluate(async () => {
      const canvas = document.querySelector("#charts canvas");
      const box = canvas.getBoundingClientRect();
      const [drawn, between] = [[], []];
      let last;
      for (let frame = 0; frame < 240; frame++) {
        const now = await new Promise(requestAnimationFrame);
        if (last) between.push(now - last);
        last = now;
        if (canvas.dataset.frame) drawn.push(Number(canvas.dataset.frame));
        const deltaY = Math.floor(frame / 60) % 2 ? 40 : -40;
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: box.left + box.width * 0.6, clientY: box.top + 50, cancelable: true }));
      }
      return { drawn, between };
    });
    console.log(`30,000 jobs, 240 frames of zooming: drawn in ${median(drawn).toFixed(1)} ms (99 %: ${worst(drawn).toFixed(1)}), a frame each ${median(between).toFixed(1)} ms (99 %: ${worst(between).toFixed(1)})`);
    await close();
  }
  const { page, close } = await visit(all);
  await page.evaluate(`window.packed = ${packed}`);
  for (const procs of [8_192, 128]) {
    const [moved, whole] = await page.evaluate(async (procs) => {
      const { Gantt } = await import("./gantt.js");
      const columns = packed(1_000_000, procs);
      const canvas = document.body.appendChild(document.createElement("canvas"));
      canvas.style = "width: 1400px; height: 320px";
      const chart = new Gantt(canvas, { moved() {}, told() {}, chosen() {} });
      chart.show(columns, { submit: columns.from }, procs);
      const colours = new Uint32Array(1_000_000).map((_, job) => (job * 2654435761) | 0xff000000);
      chart.paint(colours, { ground: "#fff", ink: "#000", soft: "#666", line: "#ccc", groundPixel: 0xffffffff });
      const { to } = chart.whole;
      chart.look({ from: to * 0.1, to: to * 0.6 });
      const timed = (forget) => Array.from({ length: 60 }, (_, frame) => {
        chart.move(frame % 2 ? 0.012 : -0.01);
        if (forget) chart.painted = null;
        const begin = performance.now();
        chart.draw();
        return performance.now() - begin;
      });
      chart.draw();
      const both = [timed(false), timed(true)];
      chart.close();
      return both;
    }, procs);
    console.log(`a million jobs on ${procs} processors, half of them in view, moved by 1 %: ${median(moved).toFixed(1)} ms a frame (99 %: ${worst(moved).toFixed(1)}), whole frames ${median(whole).toFixed(1)} (${worst(whole).toFixed(1)}); load ${loadavg()[0].toFixed(1)}`);
  }
  await close();
  await all.end();
  if (process.argv.includes("--million")) {
    const ask = await engine(new WebAssembly.Module(readFileSync(join(dist, "batchlab.wasm"))));
    const million = model(1_000_000);
    const start = performance.now();
    ask({ ask: "open", name: "million.swf.gz" }, readFileSync(million));
    const read = performance.now();
    ask({ ask: "compare", policies: ["easy"] });
    const replayed = performance.now();
    ask({ ask: "jobs" });
    ask({ ask: "drawn", at: 0 });
    const mib = (bytes) => Math.round(bytes / 2 ** 20);
    console.log(`a million jobs: read in ${((read - start) / 1000).toFixed(1)} s, replayed in ${((replayed - read) / 1000).toFixed(1)} s, ${mib(ask.memory())} MiB of the engine`);
  }
} finally {
  if (existsSync(folder)) rmSync(folder, { recursive: true });
}
