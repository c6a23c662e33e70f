// The engine in Node: the schedules of the native program, the table of the command line that it names, refusals, the size.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";

import { engine } from "../page/engine.js";
import { expression, format, parse } from "../page/specs.js";
import { dist, logs, native, policies, program } from "./native.js";

const module = new WebAssembly.Module(readFileSync(join(dist, "batchlab.wasm")));
const open = async (log, ask) => {
  ask ??= await engine(module);
  ask({ ask: "open", name: basename(log) }, readFileSync(log));
  return ask;
};

test("the packed engine has at most 2.5 MB", () => {
  assert.ok(statSync(join(dist, "batchlab.wasm.gz")).size <= 2_500_000);
});

test("the engine imports nothing but the report of progress", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), [{ module: "host", name: "progress", kind: "function" }]);
});

for (const log of logs()) {
  test(`schedules of ${basename(log)} under ${policies.length} policies are those of the program`, async () => {
    const ask = await open(log);
    const { value } = ask({ ask: "compare", policies });
    assert.equal(value.labels.length, 20);
    const digests = value.labels.map((_, at) => ask({ ask: "digest", at }).value);
    assert.deepEqual(digests, await native(log, value.labels));
  });
}

test("the command line that is named gives the same table", async () => {
  const [log] = logs();
  const ask = await open(log);
  const some = ["fcfs", "easy:order=expr(procs * estimate)"];
  const options = [["load", ["1.2"]], ["metrics", ["mean_wait", "utilization"]]];
  const { value } = ask({ ask: "compare", policies: some, options });
  const line = ask({ ask: "command-line", log: basename(log), policies: value.labels, options, further: ["--format", "csv", "--quiet"] }).value;
  const table = execFileSync("sh", ["-c", line.replace(/^batchlab/, '"$BATCHLAB"')], {
    cwd: dirname(log),
    env: { ...process.env, BATCHLAB: program },
    encoding: "utf8",
  });
  assert.equal(new TextDecoder().decode(ask({ ask: "table", form: "csv" }).bytes), table);
});

test("findings, machine and conditions are those that the program prints", async () => {
  const folder = mkdtempSync(join(tmpdir(), "batchlab-"));
  const log = join(folder, "sizeless.swf");
  writeFileSync(log, "; UnixStartTime: 0\n1 0 0 60 8 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n2 5 0 -1 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n");
  const said = (...options) => spawnSync(program, ["replay", log, "--policy", "easy", "--format", "csv", ...options], { encoding: "utf8" });
  const codes = (text) => [...text.matchAll(/^(?:WARNING|warning|note)\[([\w-]+)\]/gm)].map(([, code]) => code).sort();
  const ask = await open(log);
  for (const [options, typed, procs, guess] of [[[], [], 8, "the largest job, or the most in use at once"], [[["procs", ["64"]]], ["--procs", "64"], 64, null]]) {
    const { value } = ask({ ask: "compare", policies: ["easy"], options });
    const printed = new Set(codes(said(...typed).stderr));
    for (const { code, level } of value.findings) assert.ok(level === "note" || printed.has(code), code);
    assert.equal(value.findings.some(({ code }) => code === "machine-size-guessed"), guess !== null);
    assert.deepEqual([value.machine.procs, value.machine.guess], [procs, guess]);
    assert.match(value.conditions[0], new RegExp(`1 jobs used, 1 dropped; ${procs} processors`));
  }
  rmSync(folder, { recursive: true });
});

test("what cannot be used is refused with its reason, and the engine goes on", async () => {
  const ask = await engine(module);
  const refused = (question, payload, words) => assert.throws(() => ask(question, payload), (error) => error.name === "Refused" && words.test(error.message));
  refused({ ask: "compare", policies: ["easy"] }, undefined, /no log is open/);
  refused({ ask: "open", name: "a.txt" }, new TextEncoder().encode("a letter\nto nobody\n"), /no known kind of log/);
  await open(logs()[0], ask);
  refused({ ask: "compare", policies: ["eazy"] }, undefined, /easy/);
  refused({ ask: "compare", policies: ["easy:order=expr(colour)"] }, undefined, /colour/);
  refused({ ask: "compare", policies: ["easy"], options: [["procs", ["none"]]] }, undefined, /procs/);
  assert.equal(ask({ ask: "compare", policies: ["easy"] }).value.rows[0].label, "easy");
  refused({ ask: "explain", at: 0, job: "123456789" }, undefined, /not among/);
  refused({ ask: "drawn", at: 1 }, undefined, /policy 1 of 1/);
});

test("each processor is drawn with at most one job at a time", async () => {
  const ask = await open(logs()[0]);
  ask({ ask: "compare", policies: ["easy", "conservative"] });
  const jobs = ask({ ask: "jobs" });
  const { columns } = ask({ ask: "drawn", at: 1 });
  assert.ok(columns.job.length >= jobs.columns.number.length);
  const rows = [...columns.job.keys()].sort((a, b) => columns.first[a] - columns.first[b] || columns.from[a] - columns.from[b]);
  const free = new Float64Array(jobs.value.procs).fill(-Infinity);
  rows.sort((a, b) => columns.from[a] - columns.from[b]);
  for (const row of rows) {
    for (let proc = columns.first[row]; proc < columns.first[row] + columns.count[row]; proc++) {
      assert.ok(free[proc] <= columns.from[row], `processor ${proc}`);
      free[proc] = columns.to[row];
    }
  }
  const procs = new Float64Array(jobs.columns.number.length);
  columns.job.forEach((job, row) => (procs[job] += columns.count[row]));
  assert.deepEqual([...procs], [...jobs.columns.procs]);
});

test("a job's wait is explained in words and drawn; two schedules part at an instant", async () => {
  const ask = await open(logs()[0]);
  ask({ ask: "compare", policies: ["fcfs", "easy"] });
  const { columns } = ask({ ask: "jobs" });
  const { start } = ask({ ask: "drawn", at: 0 }).columns;
  const job = start.findIndex((time, at) => time > columns.submit[at]);
  const { value } = ask({ ask: "explain", at: 0, job: String(columns.number[job]) });
  assert.match(value.words, new RegExp(`^fcfs: job ${columns.number[job]}\\b`));
  assert.match(value.drawing, /^<svg/);
  assert.match(ask({ ask: "difference", one: 0, other: 1 }).value, /the schedules part at/);
  assert.equal(ask({ ask: "difference", one: 0, other: 0 }).value, null);
});

test("specs are read and written", () => {
  for (const text of ["easy", "easy:order=sjf", "limits:policy=(easy:order=sjf,candidates=expr(min(a, b))),user-jobs=4"]) {
    assert.equal(format(parse(text)), text);
  }
  assert.equal(parse("easy:order=expr(min(procs, 4)),k=1").params.get("order"), "expr(min(procs, 4))");
  assert.equal(expression("expr(procs * estimate)"), "procs * estimate");
  assert.equal(expression("sjf"), null);
});
