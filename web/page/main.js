// The page: what is open, what is chosen, what is shown.
import { beside, read, write } from "./address.js";
import { Stopped, Worked } from "./asking.js";
import { distributions, overTime, standalone } from "./curves.js";
import { by, fill, make, save, span, whole } from "./dom.js";
import { EXERCISES, exercises } from "./exercises.js";
import { Gantt, words } from "./gantt.js";
import { colour, Options, Policies } from "./policies.js";

/** Replays of at most this time are repeated at each change, in ms. */
const QUICK = 1500;
/** The most jobs of a log that is replayed before what is in it is shown. */
const LONG_LOG = 100_000;

const state = {
  /** @type {{name: string, bytes: () => Promise<Uint8Array>}|null} */
  log: null,
  info: null,
  results: null,
  jobs: null,
  machine: null,
  schedules: [],
  charts: [],
  took: Infinity,
  generation: 0,
  selected: -1,
  /** The exercise that is shown, from 1 on. */
  exercise: null,
  /** What the address wants to be in view, until it is. */
  wanted: null,
};

const worked = new Worked((done, total) => {
  const bar = by("done");
  if (total) bar.value = done / total;
  else bar.removeAttribute("value");
});
const ask = (question, payload) => worked.ask(question, payload);
let policies;
let options;
let reading;

listen();
/** Settles when the engine has said what can be chosen, with whether it is there. A log that comes earlier waits for it. */
const ready = prepare();
const pose = exercises(by("exercises"), attempt);
begin();

async function prepare() {
  try {
    const { value } = await ask({ ask: "choices" });
    by("version").textContent = value.version;
    policies = new Policies(by("policies"), value.policies, changed);
    options = new Options(by("options"), value.options, () => {
      countOptions();
      changed();
    });
    reading = new Options(by("reading"), value.reading, () => {});
    restore(read());
    document.body.dataset.ready = "true";
    return true;
  } catch (error) {
    doing("");
    refuse(`The engine cannot be loaded: ${error.message}`);
    return false;
  }
}

/** Sets what an address says. */
function restore(address) {
  policies.set(address.policies.length ? address.policies : ["easy"]);
  options.set(address.options);
  reading.set(address.reading);
  countOptions();
  state.wanted = address;
}

function countOptions() {
  const count = options.list().length;
  by("options-count").textContent = count ? ` (${count} set)` : "";
}

async function begin() {
  // A log that was dropped meanwhile goes before that of the address.
  if (!(await ready) || state.generation) return;
  const served = document.querySelector("meta[name=batchlab-log]").content;
  if (served) return open(served, async () => new Uint8Array(await (await fetch("log")).arrayBuffer()));
  const { log, exercise } = state.wanted;
  if (exercise >= 1 && exercise <= EXERCISES.length) return pose(exercise - 1);
  if (log) return open(log, () => beside(log));
  worked.prepare();
}

/** Opens the log of an exercise under its policies. */
async function attempt(at) {
  if (!(await ready)) return;
  const { log, policies: specs } = EXERCISES[at];
  state.exercise = at + 1;
  policies.set(specs);
  open(log.name, log.bytes);
}

/** Writes what is shown into the address. */
function remember() {
  const { from, to } = state.charts[0]?.view ?? {};
  const job = state.selected >= 0 ? state.jobs.number[state.selected] : null;
  const { exercise } = state;
  const texts = { options: options.texts(), reading: reading.texts() };
  const isWhole = !state.charts[0] || (from <= state.charts[0].whole.from && to >= state.charts[0].whole.to);
  write({ log: state.log.name, policies: policies.specs(), ...texts, shown: by("shown").value, against: by("against").value, job, exercise, ...(isWhole ? {} : { from, to }) });
}

let remembering;

/** Does so when nothing has moved for a while. */
function rememberSoon() {
  clearTimeout(remembering);
  remembering = setTimeout(remember, 300);
}

function listen() {
  by("choose").onclick = by("other").onclick = () => by("file").click();
  by("file").onchange = ({ target }) => {
    picked([...target.files]);
    target.value = "";
  };
  by("sample").onclick = () => open("lublin-128.swf.gz", () => beside("lublin-128.swf.gz"));
  // An address that is pasted over this one.
  addEventListener("hashchange", () => location.reload());
  let over = 0;
  const mark = (by) => {
    over = Math.max(0, over + by);
    document.body.classList.toggle("over", over > 0);
  };
  addEventListener("dragenter", (event) => (event.preventDefault(), mark(1)));
  addEventListener("dragleave", () => mark(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    mark(-over);
    picked([...event.dataTransfer.files]);
  });
  by("stop").onclick = () => worked.stop();
  by("replay").onclick = () => replay();
  by("add").onclick = () => {
    const used = policies.specs();
    const next = ["conservative", "fcfs", "sjf", "easy:order=sjf"].find((spec) => !used.includes(spec) && policies.known.some(({ name }) => name === spec.split(":")[0]));
    policies.add(next ?? policies.known[0].name).querySelector("select").focus();
  };
  by("expression").onclick = () => {
    const item = policies.add("easy:order=expr(procs * estimate)");
    item.querySelector("details").open = true;
    item.querySelector("textarea").focus();
  };
  for (const id of ["shown", "against"])
    by(id).onchange = () => {
      drawCharts();
      remember();
    };
  by("colour").onchange = paint;
  by("in").onclick = () => state.charts[0]?.zoom(0.5);
  by("out").onclick = () => state.charts[0]?.zoom(2);
  by("all").onclick = () => state.charts[0]?.look({ ...state.charts[0].whole });
  by("find").onsubmit = (event) => {
    event.preventDefault();
    find(by("job").value.trim());
  };
  by("quantity").onchange = drawClasses;
  by("by").onchange = () => readClasses().catch(({ message }) => tell(message));
  by("copy").onclick = async () => {
    await navigator.clipboard.writeText(by("command").textContent);
    by("copy").textContent = "Copied";
    setTimeout(() => (by("copy").textContent = "Copy"), 1500);
  };
  const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme:dark)").matches ? "dark" : "light");
  try {
    const kept = localStorage.getItem("theme");
    if (kept) document.documentElement.dataset.theme = kept;
  } catch {
    // Without storage the page follows the system.
  }
  by("theme").onclick = () => {
    document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("theme", theme());
    } catch {
      // As above.
    }
    paint();
  };
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", paint);
}

/** Shows that something goes on, or nothing if it is empty. */
function doing(text, canStop = true) {
  by("course").hidden = !text;
  by("doing").textContent = text;
  by("done").hidden = by("stop").hidden = !text || !canStop;
  by("done").removeAttribute("value");
  by("results").setAttribute("aria-busy", String(Boolean(text)));
}

function tell(text) {
  doing(text, false);
}

/** The most letters of a refusal that are all shown at once. */
const LONG = 300;

/** Shows why something was refused, or nothing: of a long text its first clause, and all else on demand. */
function refuse(text) {
  const box = by("refusal");
  box.hidden = !text;
  const end = text?.length > LONG ? text.search(/; |\n/) : -1;
  if (end < 0) return fill(box, text ?? "");
  fill(box, text.slice(0, end), make("details", {}, make("summary", {}, "More"), text.slice(end + 1).trim()));
}

/** Opens a file; of several it asks which one. */
function picked(files) {
  const take = (file) => {
    state.exercise = null;
    by("exercises").open = false;
    open(file.name, async () => new Uint8Array(await file.arrayBuffer()));
  };
  if (files.length < 2) return files.length && take(files[0]);
  const buttons = files.map((file) => make("button", { type: "button", onclick: () => take(file) }, file.name));
  fill(by("refusal"), `${files.length} files came. Which one is the log?`, make("p", { class: "buttons" }, buttons));
  by("refusal").hidden = false;
}

/** Reads a log and replays it; work that goes on is ended. A log that is refused leaves what was open. */
async function open(name, bytes) {
  const generation = ++state.generation;
  const isOld = () => generation !== state.generation;
  const before = state.log;
  if (document.body.dataset.ready && worked.isBusy) {
    worked.stop();
    if (before) before.isOpen = false;
  }
  refuse(null);
  doing(document.body.dataset.ready ? `Reading ${name} …` : "Loading the engine …");
  const begun = performance.now();
  try {
    const payload = await bytes();
    if (!(await ready) || isOld()) return;
    doing(`Reading ${name} …`);
    const { value } = await ask({ ask: "open", name, options: reading.list() }, payload);
    if (isOld()) return;
    const isLong = value.jobs > LONG_LOG;
    Object.assign(state, { log: { name, bytes, isOpen: true, jobs: value.jobs }, info: null, results: null, selected: -1, charts: [], took: isLong ? Infinity : 0 });
    document.body.classList.remove("empty");
    by("bench").hidden = by("other").hidden = false;
    document.title = `${name} – batchlab`;
    hideResults();
    fill(by("facts"));
    fill(by("findings"));
    by("subject").textContent = name;
    // What is in a long log is shown before its replay, which takes seconds; else after the chart.
    if (isLong && !(await readInfo(isOld))) return;
    await replay(begun);
  } catch (error) {
    if (isOld()) return;
    const wasStopped = error instanceof Stopped;
    doing("");
    if (before && wasStopped) before.isOpen = false;
    if (before && !before.isOpen) {
      by("results").dataset.stale = "true";
      tell(`What was done with ${before.name} has ended: press Replay.`);
    }
    refuse(wasStopped ? `Reading ${name} was stopped.` : error.message.startsWith(`${name}:`) ? error.message : `${name}: ${error.message}`);
  }
}

/** Shows what is in the log; returns whether it can be replayed. */
async function readInfo(isOld) {
  const { value } = await ask({ ask: "info" });
  if (isOld()) return false;
  state.info = value;
  drawLog();
  if (!value.replay.refusal) return true;
  doing("");
  const reasons = value.replay.findings.map(({ count, what, done }) => `${whole(count)} ${what}: ${done}`);
  refuse([value.replay.refusal, ...reasons].join("\n"));
  return false;
}

function hideResults() {
  for (const id of ["table-box", "gantt-box", "wait-box", "curves-box", "classes-box", "take-box"]) by(id).hidden = true;
}

function finding(level, code, ...text) {
  return make("div", { class: `finding ${level}` }, make("span", { class: "badge" }, level === "loud" ? "warning" : level), make("code", {}, code), " ", ...text);
}

/** Returns a text of the program in words of the page: an option is a field here, and a job is named in another one. */
function worded(text) {
  return text
    .replace(/ \(`batchlab list [^`]*`\)/g, "")
    .replace(/`explain LOG id:[^`]*`/g, "the field Job")
    .replace(/`--([a-z][a-z-]*)(?:[ =]([^`]*))?`/g, (_, name, value) => `the option ${name}${value ? ` (${value})` : ""}`)
    .replace(/--([a-z][a-z-]*)(?: [A-Z]+\b)?/g, "the option $1");
}

function found({ level, code, count, what, done, advice }) {
  const box = finding(level, code, worded(`${whole(count)} ${what}: ${done}`));
  if (advice) box.append(make("div", { class: "soft" }, worded(advice)));
  return box;
}

/** Shows what is in the log; the machine and its load are those of the last replay, with the options of the page. */
function drawLog() {
  const { machine, period, jobs, source, findings, replay } = state.info;
  const load = state.results?.machine ?? replay.load;
  const guess = state.results && state.results.machine.guess;
  const procs = state.results?.machine.procs ?? machine.procs ?? load?.procs;
  const facts = [
    ["Machine", machine.computer],
    ["Site", machine.installation],
    ["Processors", procs && whole(procs) + (guess ? ` (guessed: ${guess})` : "")],
    ["Nodes", machine.nodes && whole(machine.nodes)],
    ["Jobs", whole(jobs.jobs)],
    ["Users", jobs.users && whole(jobs.users)],
    ["Period", [period.first_submit?.local?.slice(0, 10), period.span && span(period.span)].filter(Boolean).join(", ")],
    ["Offered load", load?.offered_load != null && `${(load.offered_load * 100).toFixed(1)} %`],
    ["Format", source.format],
  ];
  fill(by("facts"), facts.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  drawFindings("findings", findings, "Nothing odd was found in the log.");
}

/** Shows findings, loud ones in the open; `nothing` says that there are none. */
function drawFindings(id, list, nothing) {
  const order = { loud: 0, warning: 1, note: 2 };
  const sorted = [...list].sort((one, other) => order[one.level] - order[other.level]);
  const loud = sorted.filter(({ level }) => level === "loud");
  const others = sorted.slice(loud.length);
  const weighty = others.filter(({ level }) => level !== "note").length;
  if (!sorted.length) return fill(by(id), nothing ? make("p", { class: "soft" }, nothing) : []);
  if (!others.length) return fill(by(id), loud.map(found));
  const title = `${others.length} ${loud.length ? "further " : ""}finding${others.length === 1 ? "" : "s"}${weighty ? `, ${weighty} that may matter` : ""}`;
  fill(by(id), loud.map(found), make("details", { open: weighty > 0 && others.length < 4 }, make("summary", {}, title), others.map(found)));
}

let waiting;

/** Replays at once where that is quick; otherwise it says that the results are of other policies. */
function changed() {
  if (!state.log) return;
  by("results").dataset.stale = "true";
  clearTimeout(waiting);
  if (state.took < QUICK) waiting = setTimeout(replay, 250);
  else tell("The policies have changed: press Replay.");
}

async function replay(begun) {
  const since = typeof begun === "number" ? begun : performance.now();
  const generation = ++state.generation;
  const isOld = () => generation !== state.generation;
  const specs = [...new Set(policies.specs())];
  refuse(null);
  doing(`Replaying ${whole(state.log.jobs)} jobs under ${specs.length === 1 ? specs[0] : `${specs.length} policies`} …`);
  const start = performance.now();
  try {
    if (!state.log.isOpen) {
      await ask({ ask: "open", name: state.log.name, options: reading.list() }, await state.log.bytes());
      state.log.isOpen = true;
    }
    const { value } = await ask({ ask: "compare", policies: specs, options: options.list() });
    if (isOld()) return;
    const { columns: jobs, value: facts } = await ask({ ask: "jobs" });
    const schedules = [];
    for (let at = 0; at < value.labels.length; at++) {
      const { columns, value: drawn } = await ask({ ask: "drawn", at });
      schedules.push({ ...columns, ...drawn });
    }
    if (isOld()) return;
    Object.assign(state, { results: value, jobs, machine: facts, schedules, took: performance.now() - start });
    doing("");
    showResults();
    const [total, memory] = [performance.now() - since, worked.memory];
    requestAnimationFrame(() => {
      document.body.dataset.took = (performance.now() - since).toFixed(0);
      by("cost").textContent = `This took ${whole(total)} ms and ${whole((memory ?? 0) / 2 ** 20)} MiB.`;
    });
    await showMore(isOld);
  } catch (error) {
    if (isOld()) return;
    doing("");
    if (error instanceof Stopped || error.broken) state.log.isOpen = false;
    hideResults();
    state.results = null;
    // The reasons of an error come with it; what is in the log is shown beside it.
    if (state.log.isOpen) await (state.info ? drawLog() : readInfo(isOld).catch(() => true));
    refuse(error instanceof Stopped ? "The replay was stopped. The log is still here: change the policies, or replay again." : error.message);
  }
}

function swatch(at) {
  return make("span", { class: `swatch ${colour(at)}`, "aria-hidden": "true" });
}

function showResults() {
  const { labels } = state.results;
  drawTable();
  drawFindings("replay-findings", state.results.findings);
  fill(by("conditions"), state.results.conditions.map((line) => make("p", {}, line)));
  if (state.info) drawLog();
  fill(by("pitfalls"), state.results.pitfalls.map(({ level, code, text }) => finding(level, code, worded(text.replace(/^\w+\[[\w-]+\]: /, "")))));
  const kept = [by("shown").value, by("against").value];
  fill(by("shown"), labels.map((label) => make("option", { value: label }, label)));
  fill(by("against"), make("option", { value: "" }, "none"), labels.map((label) => make("option", { value: label }, label)));
  by("shown").value = labels.includes(kept[0]) ? kept[0] : labels[0];
  by("against").value = labels.includes(kept[1]) && kept[1] !== by("shown").value ? kept[1] : (labels.find((label) => label !== by("shown").value) ?? "");
  by("against").parentElement.hidden = labels.length < 2;
  for (const id of ["table-box", "gantt-box"]) by(id).hidden = false;
  delete by("results").dataset.stale;
  const { wanted } = state;
  state.wanted = null;
  for (const id of ["shown", "against"]) if (wanted?.[id] === "" || labels.includes(wanted?.[id])) by(id).value = wanted[id];
  drawCharts();
  by("wait-box").hidden = true;
  state.selected = -1;
  if (wanted?.from != null && wanted.to > wanted.from) state.charts[0]?.look({ from: wanted.from, to: wanted.to });
  if (wanted?.job) find(wanted.job);
  remember();
}

function drawTable() {
  const { metrics, rows, labels } = state.results;
  const units = { s: "s", fraction: "%", "": "" };
  const head = make(
    "thead",
    {},
    make(
      "tr",
      {},
      make("th", { scope: "col" }, "Policy"),
      metrics.map(({ key, unit, definition }) =>
        make("th", { scope: "col", class: "number", title: definition }, key.replaceAll("_", " "), make("small", {}, units[unit] ?? unit)),
      ),
    ),
  );
  const body = rows.map(({ label, kind, cells }) => {
    const at = labels.indexOf(label);
    return make(
      "tr",
      { class: kind === "Policy" ? null : "beside" },
      make("th", { scope: "row" }, at >= 0 ? swatch(at) : null, label),
      cells.map(({ text, is_best }) => make("td", { class: is_best ? "number best" : "number" }, text || "–")),
    );
  });
  const notes = [...new Set(rows.flatMap(({ notes }) => notes))];
  fill(by("table"), make("caption", { hidden: true }, "Metrics of each policy"), head, make("tbody", {}, body));
  by("table").parentElement.querySelector("figcaption")?.remove();
  if (notes.length) by("table").after(make("figcaption", { class: "soft" }, notes.join("; ")));
}

/** The colours of the page as the canvas needs them. */
function palette() {
  const style = getComputedStyle(document.documentElement);
  const probe = make("span", { hidden: true });
  document.body.append(probe);
  const rgb = (text) => {
    probe.style.color = text;
    return getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  };
  const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  const of = (name) => rgb(`var(${name})`);
  const isDark = of("--ground")[0] < 128;
  const ramp = isDark
    ? ["#2f5d7c", "#3f86ad", "#62b0d4", "#a9dcf0"]
    : ["#b9d7ea", "#7fb3d3", "#3f86b5", "#1b4f78"];
  const users = isDark
    ? ["#56b4e9", "#ff9d4d", "#2bc99a", "#e6a3c8", "#f0c040", "#9a9cf0", "#7fd0d8", "#c0d86a"]
    : ["#0072b2", "#d55e00", "#009e73", "#b5588f", "#b07800", "#5558b0", "#2a8f9a", "#7a8f1f"];
  const found = {
    ground: style.getPropertyValue("background-color") && `rgb(${of("--ground")})`,
    ink: `rgb(${of("--ink")})`,
    soft: `rgb(${of("--soft")})`,
    line: `rgb(${of("--line")})`,
    groundPixel: pixel(of("--ground")),
    ramp: ramp.map((text) => [text, pixel(rgb(text))]),
    users: users.map((text) => pixel(rgb(text))),
    unknown: pixel(of("--line")),
    same: [`rgb(${of("--line")})`, pixel(of("--line"))],
    earlier: [`rgb(${of("--earlier")})`, pixel(of("--earlier"))],
    later: [`rgb(${of("--later")})`, pixel(of("--later"))],
  };
  probe.remove();
  return found;
}

const SIZES = [[1, "1 processor"], [8, "2–8"], [32, "9–32"], [Infinity, "more than 32"]];
const WAITS = [[0, "no wait"], [600, "up to 10 min"], [21600, "up to 6 h"], [Infinity, "longer"]];

function shownAt() {
  const { labels } = state.results;
  return [by("shown").value, by("against").value].map((label) => labels.indexOf(label));
}

function drawCharts() {
  const [shown, against] = shownAt();
  const view = state.charts[0]?.jobs === state.jobs ? state.charts[0].view : null;
  state.charts.forEach((chart) => chart.close());
  const pair = against >= 0 && against !== shown ? [shown, against] : [shown];
  by("charts").className = pair.length > 1 ? "two" : "";
  const boxes = pair.map((at) => {
    const label = state.results.labels[at];
    const drawn = state.schedules[at];
    const canvas = make("canvas", { tabindex: "0", role: "application", "aria-roledescription": "chart", "aria-label": `Jobs on processors over time under ${label}. ${whole(state.jobs.number.length)} jobs. Page Up and Page Down go through the jobs.` });
    const tip = make("div", { class: "tip", hidden: true });
    return { at, drawn, canvas, tip, box: make("div", { class: "chart" }, make("h3", {}, swatch(at), label), drawn.refused ? make("p", { class: "soft" }, drawn.refused) : canvas, tip) };
  });
  fill(by("charts"), boxes.map(({ box }) => box));
  state.charts = boxes.filter(({ drawn }) => !drawn.refused).map(({ at, drawn, canvas, tip }) => {
    const chart = new Gantt(canvas, {
      moved: (view) => {
        state.charts.forEach((other) => other !== chart && other.look(view, false));
        rememberSoon();
      },
      chosen: (job) => choose(job, at),
      stepped: (job) => {
        mark(job);
        const [what, how] = words(job, state.jobs, drawn);
        tell(`${what}, ${how}`);
        chart.reveal(state.jobs.submit[job], drawn.end[job]);
      },
      told: (job, x, y) => {
        tip.hidden = job < 0;
        if (job < 0) return;
        fill(tip, words(job, state.jobs, drawn).flatMap((line) => [line, make("br")]).slice(0, -1));
        const right = x > canvas.clientWidth / 2;
        tip.style.left = right ? "auto" : `${x + 14}px`;
        tip.style.right = right ? `${canvas.clientWidth - x + 14}px` : "auto";
        tip.style.top = `${canvas.offsetTop + y + 12}px`;
      },
    });
    chart.schedule = drawn;
    if (view) chart.view = view;
    return chart;
  });
  // Both charts have one span of time.
  const to = Math.max(...state.charts.map(({ schedule }) => schedule.to.reduce((a, b) => (b > a ? b : a), 1)));
  state.charts.forEach((chart) => {
    chart.show(chart.schedule, state.jobs, state.machine.procs);
    chart.whole.to = to;
    if (!view) chart.view = { ...chart.whole };
  });
  paint();
  readDifference(pair);
}

/** Gives each job its colour: by size, user or wait; of two policies, what differs is lit. */
function paint() {
  if (!state.charts.length || !state.jobs) return;
  const tones = palette();
  const { procs, user, submit } = state.jobs;
  const isPair = state.charts.length > 1;
  by("colour").parentElement.hidden = isPair;
  const how = by("colour").value;
  for (const chart of state.charts) {
    const { schedule } = chart;
    const other = isPair ? state.charts.find((one) => one !== chart).schedule : null;
    const tone = (job) => {
      if (other) {
        const by = schedule.start[job] - other.start[job];
        return (by === 0 || Number.isNaN(by) ? tones.same : by < 0 ? tones.earlier : tones.later)[1];
      }
      if (how === "user") return user[job] < 0 ? tones.unknown : tones.users[user[job] % tones.users.length];
      const [bounds, value] = how === "size" ? [SIZES, procs[job]] : [WAITS, schedule.start[job] - submit[job]];
      return tones.ramp[Math.max(0, bounds.findIndex(([bound]) => value <= bound))][1];
    };
    const colours = new Uint32Array(procs.length);
    for (let job = 0; job < colours.length; job++) colours[job] = tone(job);
    chart.paint(colours, tones);
  }
  const key = (tone, text) => make("span", {}, make("i", { style: `background:${tone}` }), text);
  const bounds = how === "size" ? SIZES : how === "wait" ? WAITS : [];
  fill(
    by("legend"),
    isPair
      ? [key(tones.earlier[0], "starts earlier than under the other policy"), key(tones.later[0], "starts later"), key(tones.same[0], "starts at the same instant")]
      : how === "user"
        ? [make("span", {}, "a colour for each user; colours repeat after 8 users")]
        : bounds.map(([, text], at) => key(tones.ramp[at][0], text)),
  );
}

async function readDifference(pair) {
  const box = by("parted");
  box.hidden = true;
  if (pair.length < 2) return;
  const { results } = state;
  const { value } = await ask({ ask: "difference", one: pair[0], other: pair[1] }).catch(() => ({ value: undefined }));
  if (state.results !== results || value === undefined) return;
  box.hidden = false;
  box.textContent = value === null ? "Both schedules are equal." : `A is ${results.labels[pair[0]]}, B is ${results.labels[pair[1]]}.\n${value.trim()}`;
}

function mark(job) {
  state.selected = job;
  by("job").value = state.jobs.number[job];
  state.charts.forEach((chart) => chart.select(job));
}

/** Explains the job of a number in the log, or of a name that the batch system gave. */
async function find(name) {
  try {
    const { value } = await ask({ ask: "find", job: name });
    if (value !== null) await choose(value);
    else tell(`The log has no job ${name}.`);
  } catch (error) {
    if (!(error instanceof Stopped)) tell(error.message);
  }
}

/** Explains a job of a policy, in words and drawn. */
async function choose(job, at = shownAt()[0]) {
  const { results, generation } = state;
  mark(job);
  rememberSoon();
  const chart = state.charts.find(({ schedule }) => schedule === state.schedules[at]);
  chart?.reveal(state.jobs.submit[job], state.schedules[at].end[job]);
  doing(`Explaining job ${state.jobs.number[job]} …`, true);
  by("results").setAttribute("aria-busy", "false");
  try {
    const { value } = await ask({ ask: "explain", at, job: String(state.jobs.number[job]) });
    if (state.results !== results || state.selected !== job) return;
    by("wait-box").hidden = false;
    by("words").textContent = value.words.trim();
    drawPicture(by("drawing"), value);
    doing("");
    by("wait-box").scrollIntoView({ block: "nearest" });
  } catch (error) {
    if (generation !== state.generation) return;
    doing("");
    if (error instanceof Stopped) state.log.isOpen = false;
    refuse(error.message);
  }
}

function drawPicture(figure, { drawing, refused }) {
  if (!drawing) return fill(figure, make("p", { class: "soft" }, refused));
  const parsed = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
  parsed.setAttribute("role", "img");
  parsed.setAttribute("aria-label", "The jobs around its wait");
  fill(figure, document.importNode(parsed, true));
}

let classes = [];

function drawCourses() {
  overTime({ utilization: by("utilization"), queue: by("queue") }, state.courses);
}

// Curves are drawn for the width that they have, so that their words stay as large as others.
let width = 0;
new ResizeObserver(([{ contentRect }]) => {
  if (contentRect.width === width) return;
  width = contentRect.width;
  if (!by("curves-box").hidden) drawCourses();
  if (!by("classes-box").hidden) drawClasses();
}).observe(by("results"));

async function showMore(isOld) {
  const { labels } = state.results;
  if (!state.info) await readInfo(isOld);
  if (isOld()) return;
  const courses = [];
  for (let at = 0; at < labels.length; at++) {
    courses.push({ name: labels[at], class: colour(at), of: (await ask({ ask: "timeline", at })).value });
    if (isOld()) return;
  }
  by("curves-box").hidden = false;
  state.courses = courses;
  drawCourses();
  await readClasses();
  if (isOld()) return;
  by("take-box").hidden = false;
  drawTakes();
  const { value } = await ask({ ask: "command-line", log: state.log.name, policies: labels, options: [...reading.list(), ...options.list()] }).catch((error) => ({ value: error.message }));
  if (isOld()) return;
  by("command").textContent = value;
  const digests = [];
  for (let at = 0; at < labels.length; at++) digests.push(`${labels[at]}: ${(await ask({ ask: "digest", at })).value}`);
  if (isOld()) return;
  fill(by("digests"), "SHA-256 of the schedules (", make("code", {}, "--schedule FILE.csv"), " gives the same): ", digests.map((text) => make("div", {}, make("code", {}, text))));
  document.body.dataset.complete = String(Number(document.body.dataset.complete ?? 0) + 1);
}

async function readClasses() {
  const { results } = state;
  const found = [];
  for (let at = 0; at < results.labels.length; at++) {
    found.push({ name: results.labels[at], class: colour(at), of: (await ask({ ask: "distribution", at, by: by("by").value })).value });
    if (state.results !== results) return;
  }
  classes = found;
  by("classes-box").hidden = false;
  drawClasses();
}

function drawClasses() {
  distributions(by("classes"), by("quantity").value, classes);
}

function drawTakes() {
  const stem = state.log.name.replace(/\.gz$/, "").replace(/\.[^.]*$/, "");
  const { labels } = state.results;
  const plain = (label) => label.replace(/[^A-Za-z0-9._=,-]+/g, "-");
  const take = (text, name, type, content) =>
    make(
      "button",
      {
        type: "button",
        onclick: async () => {
          try {
            save(name(), await content(), type);
          } catch (error) {
            refuse(error.message);
          }
        },
      },
      text,
    );
  const bytes = async (question) => (await ask(question)).bytes;
  const shown = () => shownAt()[0];
  const between = () => {
    const { from, to } = state.charts[0].view;
    return [Math.max(0, from), to];
  };
  fill(
    by("takes"),
    take("Table (CSV)", () => `${stem}.table.csv`, "text/csv", () => bytes({ ask: "table", form: "csv" })),
    take("Table (LaTeX)", () => `${stem}.table.tex`, "application/x-tex", () => bytes({ ask: "table", form: "latex" })),
    take("Jobs in view (SVG)", () => `${stem}.jobs.svg`, "image/svg+xml", () => bytes({ ask: "plot", at: shown(), between: between() })),
    take("Over time (SVG)", () => `${stem}.time.svg`, "image/svg+xml", () => bytes({ ask: "plot" })),
    take("Distribution (SVG)", () => `${stem}.${by("quantity").value}.svg`, "image/svg+xml", () => standalone(by("classes").querySelector("svg"))),
    labels.map((label, at) => take(`Schedule of ${label} (CSV)`, () => `${stem}.${plain(label)}.csv`, "text/csv", () => bytes({ ask: "schedule", at }))),
  );
}
