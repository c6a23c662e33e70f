// The page in a real browser: its states, accessibility, and the schedules of the native program.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";

import { add, begin, browser, complete, drop, packed, visit } from "./browser.js";
import { logs, native, policies, root, run } from "./native.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Where pictures of all states go, if anywhere. */
const pictures = process.env.PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });

let all;
before(async () => (all = await begin(join(root, "../shared/traces"))));
after(() => all?.end());

/** Checks what is shown: no errors, nothing asked of others, no violation that axe finds, no part that is cut off. */
async function check({ page, wrong }, state) {
  if (pictures) await page.screenshot({ path: join(pictures, `${state}.png`), fullPage: true });
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });
  assert.deepEqual(violations, [], state);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${state}: ${wide} px wider than the window`);
  assert.deepEqual(wrong, [], state);
}

assert.ok(browser, "a browser");

for (const width of [420, 1400]) {
  for (const theme of ["light", "dark"]) {
    test(`all states at ${width} px, ${theme}`, async () => {
      const place = `${width}-${theme}`;
      const visited = await visit(all, { width, theme });
      const { page } = visited;
      await check(visited, `${place}-empty`);
      await page.dispatchEvent("#drop", "dragenter");
      await check(visited, `${place}-dragged-over`);
      await page.dispatchEvent("#drop", "dragleave");
      await drop(page, "letter.txt", Buffer.from("a letter\nto nobody\n"));
      await page.waitForSelector("#refusal:not([hidden])");
      assert.match(await page.textContent("#refusal"), /^letter\.txt: no known kind of log/);
      await check(visited, `${place}-refused`);
      await complete(page, () => page.click("#sample"));
      assert.equal(await page.textContent("#subject"), "lublin-128.swf.gz");
      await check(visited, `${place}-done`);
      await complete(page, () => add(page, "fcfs"));
      assert.equal(await page.locator("#charts canvas").count(), 2);
      await page.waitForSelector("#parted:not([hidden])");
      assert.match(await page.textContent("#pitfalls"), /one-replay/);
      assert.doesNotMatch(await page.textContent("#table-box"), /batchlab list|--/);
      await check(visited, `${place}-compared`);
      await page.fill("#job", "400");
      await page.press("#job", "Enter");
      await page.waitForSelector("#wait-box:not([hidden])");
      assert.match(await page.textContent("#words"), /^easy: job 400\b/);
      await page.locator("#policies details > summary").first().click();
      await check(visited, `${place}-explained`);
      await page.locator("#policies input.spec").first().fill("easy:order=expr(colour)");
      await page.locator("#policies input.spec").first().press("Enter");
      await page.waitForSelector("#refusal:not([hidden])");
      assert.match(await page.textContent("#refusal"), /colour/);
      await check(visited, `${place}-wrong-expression`);
      // A policy that takes seconds, so that its course is seen.
      await page.locator("#policies input.spec").first().fill("slack");
      await page.locator("#policies input.spec").first().press("Enter");
      await page.waitForSelector("#stop:not([hidden])");
      await check(visited, `${place}-running`);
      await visited.close();
    });
  }
}

test("a parameter is set by its control, an expression is written, results follow", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  await page.locator("#policies summary").first().click();
  await complete(page, () => page.selectOption("#param-0-order", "sjf"));
  assert.equal(await page.inputValue("#policies input.spec"), "easy:order=sjf");
  assert.match(await page.textContent("#table tbody"), /easy:order=sjf/);
  await complete(page, () => page.click("#expression"));
  await complete(page, async () => {
    await page.locator("#policies textarea").last().fill("min(procs, 8) * estimate");
    await page.locator("#policies textarea").last().press("Tab");
  });
  assert.match(await page.textContent("#command"), /--policy 'easy:order=expr\(min\(procs, ?8\) ?\* ?estimate\)'/);
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("what is in a log is shown after its chart, and where it cannot be replayed", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  assert.match(await page.textContent("#facts"), /Processors128.*Jobs5,000/);
  await drop(page, "sizeless.swf", Buffer.from("; MaxProcs: 8\n1 0 0 60 -1 -1 -1 -1 60 -1 1 1 1 -1 -1 -1 -1 -1\n"));
  await page.waitForSelector("#refusal:not([hidden])");
  assert.match(await page.textContent("#refusal"), /^no job is left to replay.*job/s);
  assert.match(await page.textContent("#facts"), /Processors8Jobs1/);
  assert.equal(await page.textContent("#subject"), "sizeless.swf");
  await complete(page, () => drop(page, "lublin-128.swf.gz", sample));
  assert.match(await page.textContent("#facts"), /Jobs5,000/);
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("a guessed machine is named as one, findings of the replay stand beside the table, and options change both", async () => {
  const visited = await visit(all);
  const { page } = visited;
  const rows = [0, 10, 20].map((submit, at) => `${at + 1} ${submit} 0 600 ${at + 6} -1 -1 ${at + 6} 900 -1 1 1 1 -1 -1 -1 -1 -1`);
  await complete(page, () => drop(page, "sizeless.swf", Buffer.from(`; UnixStartTime: 0\n${rows.join("\n")}\n`)));
  assert.match(await page.textContent("#facts"), /Processors21 \(guessed: .*the most in use at once\)/);
  assert.match(await page.textContent("#replay-findings"), /machine-size-guessed/);
  assert.match(await page.textContent("#replay-findings"), /give the size with the option procs: /);
  assert.match(await page.textContent("#conditions"), /3 jobs used, 0 dropped; 21 processors.*estimates requested/s);
  await page.click("#options-box > summary");
  await complete(page, async () => {
    await page.fill("#option-procs", "64");
    await page.press("#option-procs", "Enter");
  });
  assert.match(await page.textContent("#facts"), /Processors64(?! \(guessed)/);
  assert.doesNotMatch(await page.textContent("#replay-findings"), /machine-size-guessed/);
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

const sample = readFileSync(join(root, "traces/data/lublin-128.swf.gz"));

test("a log that comes before the engine waits for it", async () => {
  const visited = await visit(all, { early: (page) => page.click("#sample") });
  const { page } = visited;
  await page.waitForSelector("body[data-complete]");
  assert.match(await page.textContent("#table tbody"), /easy/);
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("a log that is refused leaves the results, and of several files the page asks for one", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  await drop(page, "letter.txt", Buffer.from("a letter\nto nobody\n"));
  await page.waitForSelector("#refusal:not([hidden])");
  assert.equal(await page.textContent("#subject"), "lublin-128.swf.gz");
  await page.fill("#job", "400");
  await page.press("#job", "Enter");
  await page.waitForSelector("#wait-box:not([hidden])");
  await drop(page, "letter.txt", Buffer.from("a letter\n"), "again.swf.gz", sample);
  assert.match(await page.textContent("#refusal"), /^2 files came\. Which one is the log\?/);
  await complete(page, () => page.getByRole("button", { name: "again.swf.gz", exact: true }).click());
  assert.equal(await page.textContent("#subject"), "again.swf.gz");
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("a log that is dropped ends the replay of another one", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  await page.locator("#policies input.spec").first().fill("slack");
  await page.locator("#policies input.spec").first().press("Enter");
  await page.waitForSelector("#stop:not([hidden])");
  await drop(page, "short.swf", Buffer.from("; MaxProcs: 8\n1 0 0 60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1\n"));
  await page.waitForFunction(() => /Jobs1(?!\d)/.test(document.getElementById("facts").textContent));
  assert.equal(await page.textContent("#subject"), "short.swf");
  assert.equal(await page.isHidden("#refusal"), true);
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("a job is found by the name that its batch system gave", async () => {
  const visited = await visit(all);
  const { page } = visited;
  const head = "JobID|JobIDRaw|User|Account|Partition|State|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqCPUS";
  const row = (id, raw, from, to) => `${id}|${raw}|u|a|p|COMPLETED|2025-01-01T00:00:00|2025-01-01T00:00:00|2025-01-01T00:0${from}:00|2025-01-01T00:0${to}:00|60|5|8|8`;
  await complete(page, () => drop(page, "sacct.txt", Buffer.from([head, row("101_1", 101, 0, 1), row("101_2", 102, 1, 2)].join("\n") + "\n")));
  await page.fill("#job", "101_2");
  await page.press("#job", "Enter");
  await page.waitForSelector("#wait-box:not([hidden])");
  assert.match(await page.textContent("#words"), /^easy: job 102: 8 processors/);
  await page.fill("#job", "101_9");
  await page.press("#job", "Enter");
  await page.waitForFunction(() => /101_9/.test(document.getElementById("doing").textContent));
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("an address has the log, policies, options and view, and opens them again", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  await page.click("#options-box > summary");
  await complete(page, async () => {
    await page.fill("#option-procs", "160");
    await page.press("#option-procs", "Enter");
  });
  await complete(page, () => add(page, "conservative"));
  await page.click("#in");
  await page.waitForFunction(() => /from=/.test(location.hash));
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /^#log=lublin-128\.swf\.gz&policy=easy&policy=conservative&option=procs%3D160&shown=easy&against=conservative&from=\d+&to=\d+$/);
  const table = await page.textContent("#table");
  const again = await visit(all, { hash });
  await again.page.waitForSelector("body[data-complete]");
  assert.equal(await again.page.textContent("#table"), table);
  assert.equal(await again.page.evaluate(() => location.hash), hash);
  const absent = await visit(all, { hash: "#log=none.swf&policy=fcfs" });
  await absent.page.waitForSelector("#refusal:not([hidden])");
  assert.match(await absent.page.textContent("#refusal"), /^none\.swf: this log does not come with the page/);
  await complete(absent.page, () => drop(absent.page, "none.swf.gz", sample));
  assert.match(await absent.page.textContent("#table tbody"), /^fcfs/);
  assert.deepEqual([...visited.wrong, ...again.wrong], []);
  for (const { close } of [visited, again, absent]) await close();
});

test("numbers are rounded as the program's, and twenty policies are told apart", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  const printed = run("replay", join(root, "traces/data/lublin-128.swf.gz"), "--policy", "easy", "--format", "markdown", "--quiet");
  const cells = printed.split("\n").find((line) => line.startsWith("| easy")).split("|").slice(2, -1).map((cell) => cell.trim());
  assert.deepEqual(await page.locator("#table tbody tr").first().locator("td").allTextContents(), cells);
  const { colour } = await page.evaluate(async () => {
    const { colour } = await import("./policies.js");
    return { colour: Array.from({ length: 20 }, (_, at) => colour(at)) };
  });
  assert.equal(new Set(colour).size, 20);
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("exercises are checked by the engine, and their address opens them", async () => {
  const visited = await visit(all, { hash: "#exercise=2" });
  const { page } = visited;
  await page.waitForSelector("body[data-complete]");
  assert.match(await page.evaluate(() => location.hash), /^#log=exercise\.swf&policy=easy&exercise=2/);
  const answer = async (text) => {
    await page.fill("#answer", text);
    await page.press("#answer", "Enter");
    await page.waitForFunction(() => /^(Right|Not yet)/.test(document.querySelector("#task [role=status]").textContent));
    return page.textContent("#task [role=status]");
  };
  assert.match(await answer("79"), /^Not yet\. With 80 s it does/);
  assert.match(await answer("80"), /^Right\. With 81 s it would wait/);
  assert.match(await answer("81"), /^Not yet\. With 81 s it still waits/);
  await check(visited, "1400-light-exercise");
  const asked = [["Why does EASY overtake?", "3", "4"], ["What is a promise worth?", "638", "1"], ["Who pays for shorter waits?", "582", "1"], ["How large must the machine be?", "158", "128"]];
  for (const [title, right, wrong] of asked) {
    await complete(page, () => page.getByRole("button", { name: title }).click());
    assert.match(await answer(wrong), /^Not yet\./, title);
    assert.match(await answer(right), /^Right\./, title);
  }
  // Jobs of 128 processors would be missing from a replay on 127. Another log ends the exercise.
  assert.doesNotMatch(await answer("128"), /127/);
  await complete(page, () => drop(page, "again.swf.gz", sample));
  assert.equal(await page.getAttribute("#exercises", "open"), null);
  await visited.close();
});

test("keys move through the chart and its jobs", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  await page.focus("#charts canvas");
  for (const key of ["+", "ArrowRight", "PageDown", "PageDown"]) await page.keyboard.press(key);
  const job = await page.inputValue("#job");
  assert.match(await page.textContent("#doing"), new RegExp(`^job ${job}, `));
  await page.keyboard.press("Enter");
  await page.waitForSelector("#wait-box:not([hidden])");
  assert.match(await page.textContent("#words"), new RegExp(`^easy: job ${job}\\b`));
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("downloads are those of the program", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => page.click("#sample"));
  const folder = mkdtempSync(join(tmpdir(), "batchlab-"));
  const [schedule, log] = [join(folder, "easy.csv"), join(root, "traces/data/lublin-128.swf.gz")];
  const table = run("replay", log, "--policy", "easy", "--schedule", schedule, "--format", "csv", "--quiet");
  const downloads = [
    ["Table (CSV)", (text) => text === table.replaceAll(log, basename(log))],
    ["Table (LaTeX)", (text) => text.includes("\\begin{tab")],
    ["Jobs in view (SVG)", (text) => text.startsWith("<svg")],
    ["Over time (SVG)", (text) => text.startsWith("<svg")],
    ["Distribution (SVG)", (text) => text.startsWith("<svg")],
    ["Schedule of easy (CSV)", (text) => text === readFileSync(schedule, "utf8")],
  ];
  for (const [name, holds] of downloads) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    const text = readFileSync(await download.path(), "utf8");
    assert.ok(holds(text), `${name}: ${text.slice(0, 200)}`);
  }
  rmSync(folder, { recursive: true });
  assert.deepEqual(visited.wrong, []);
  await visited.close();
});

test("a long run can be stopped, and the log is still there", async () => {
  const visited = await visit(all);
  const { page } = visited;
  await complete(page, () => drop(page, "harbour.swf.gz", readFileSync(join(root, "traces/data/harbour-128.swf.gz"))));
  await page.evaluate(() => {
    document.getElementById("replay").click();
    document.getElementById("stop").click();
  });
  await page.waitForSelector("#refusal:not([hidden])");
  assert.match(await page.textContent("#refusal"), /stopped\. The log is still here/);
  await check(visited, "1400-light-stopped");
  await complete(page, () => page.click("#replay"));
  assert.match(await page.textContent("#table tbody"), /easy/);
  await visited.close();
});

for (const log of logs()) {
  test(`in the browser, schedules of ${basename(log)} under ${policies.length} policies are those of the program`, async () => {
    const visited = await visit(all);
    const { labels, digests } = await visited.page.evaluate(
      async ({ name, policies }) => {
        const { Worked } = await import("./asking.js");
        const worked = new Worked(() => {});
        await worked.ask({ ask: "open", name }, new Uint8Array(await (await fetch(name)).arrayBuffer()));
        const { value } = await worked.ask({ ask: "compare", policies });
        const digests = [];
        for (let at = 0; at < value.labels.length; at++) digests.push((await worked.ask({ ask: "digest", at })).value);
        return { labels: value.labels, digests };
      },
      { name: basename(log), policies },
    );
    assert.equal(digests.length, 20);
    assert.deepEqual(digests, await native(log, labels));
    await visited.close();
  });
}

test("a frame of a million jobs draws as many rectangles as it has pixels at most, and fills the same pixels", async () => {
  const { page, wrong, close } = await visit(all);
  await page.evaluate(`window.packed = ${packed}`);
  const { frames, moved } = await page.evaluate(async () => {
    const [{ Gantt }, { Levels }] = await Promise.all([import("./gantt.js"), import("./levels.js")]);
    const [jobs, procs] = [1_000_000, 512];
    const columns = packed(jobs, procs);
    const canvas = document.body.appendChild(document.createElement("canvas"));
    canvas.style = "width: 1000px; height: 300px";
    const chart = new Gantt(canvas, { moved() {}, told() {}, chosen() {} });
    chart.show(columns, { submit: columns.from }, procs);
    chart.paint(new Uint32Array(jobs).fill(0xff0000ff), { ground: "#fff", ink: "#000", soft: "#666", line: "#ccc", groundPixel: 0xffffffff });
    const { from, to } = chart.whole;
    const ground = () => chart.pixels.reduce((sum, pixel) => sum + (pixel === 0xffffffff), 0);
    const frames = [1, 3, 10, 100, 1000].map((zoom) => {
      chart.look({ from: (from + to) / 2, to: (from + to) / 2 + (to - from) / zoom });
      chart.draw();
      const [drawn, free] = [Number(canvas.dataset.drawn), ground()];
      const levels = chart.levels;
      chart.levels = { of: () => new Levels(columns, procs, 300).all };
      chart.draw();
      chart.levels = levels;
      return { zoom, drawn, of: Number(canvas.dataset.drawn), pixels: chart.width * chart.height, free, whole: ground() };
    });
    // A frame of a chart that is moved paints the strip that comes into view, and makes the image of a whole frame.
    const colours = new Uint32Array(jobs).map((_, job) => (job * 2654435761) | 0xff000000);
    chart.paint(colours, { ground: "#fff", ink: "#000", soft: "#666", line: "#ccc", groundPixel: 0xffffffff });
    const moved = [3, 30, 300].flatMap((zoom) => {
      chart.look({ from: to * 0.4, to: to * 0.4 + to / zoom });
      chart.draw();
      const whole = Number(canvas.dataset.drawn);
      return [0.01, 0.013, -0.05, 0, 0.2, -0.003].map((by) => {
        chart.move(by);
        chart.draw();
        const [drawn, pixels] = [Number(canvas.dataset.drawn), chart.pixels.slice()];
        chart.painted = null;
        chart.draw();
        return { zoom, by, drawn, whole, differ: pixels.reduce((sum, pixel, at) => sum + (pixel !== chart.pixels[at]), 0) };
      });
    });
    chart.close();
    return { frames, moved };
  });
  for (const { zoom, by, drawn, whole, differ } of moved) {
    assert.equal(differ, 0, `zoom ${zoom}, moved by ${by}`);
    assert.ok(drawn <= whole * (Math.abs(by) + 0.15), `zoom ${zoom}, moved by ${by}: ${drawn} of ${whole} rectangles`);
  }
  for (const { zoom, drawn, of, pixels, free, whole } of frames) {
    assert.ok(drawn <= pixels && drawn <= of, `zoom ${zoom}: ${drawn} of ${of} rectangles on ${pixels} pixels`);
    assert.ok(free - whole <= pixels / 200 && whole - free <= pixels / 20, `zoom ${zoom}: ${free} pixels are free, of all rectangles ${whole}`);
  }
  assert.ok(frames[0].drawn < frames[0].of / 3, JSON.stringify(frames[0]));
  assert.deepEqual(wrong, []);
  await close();
});
