// Curves as SVG: over time, and distributions.
import { make, short, span, whole } from "./dom.js";
import { instant, ticks } from "./gantt.js";

const EDGES = { left: 46, right: 8, top: 8, bottom: 24 };

/** Returns rounded values between 0 and a greatest one. */
function levels(most, count) {
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => most / step <= count);
  const list = [];
  for (let at = 0; at <= most + step * 1e-6; at += step) list.push(at);
  return list;
}

/**
 * Draws curves into a figure.
 * @param {HTMLElement} figure
 * @param {{title: string, unit?: string, label: string, height: number, x: {from: number, to: number, marks: [number, string][], log?: boolean}, y: {most: number, words: (value: number) => string}, series: {name: string, class: string, points: [number, number][]}[]}} drawn
 */
export function curves(figure, { title, unit, label, height, x, y, series }) {
  const { left, right, top, bottom } = EDGES;
  const width = Math.max(240, Math.round(figure.clientWidth || 480));
  const scaled = (value) => (x.log ? Math.log(Math.max(value, x.from)) : value);
  const [begin, end] = [scaled(x.from), scaled(x.to)];
  const across = (value) => left + ((scaled(value) - begin) / (end - begin || 1)) * (width - left - right);
  const down = (value) => height - bottom - (value / (y.most || 1)) * (height - top - bottom);
  const marks = levels(y.most || 1, 4);
  const svg = make(
    "svg:svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, xmlns: "http://www.w3.org/2000/svg" },
    marks.map((value) => [
      make("svg:line", { class: "grid", x1: left, x2: width - right, y1: down(value), y2: down(value) }),
      make("svg:text", { class: "ticks", x: left - 6, y: down(value) + 4, "text-anchor": "end" }, y.words(value)),
    ]).flat(),
    x.marks.map(([value, words]) =>
      make("svg:text", { class: "ticks", x: across(value), y: height - 6, "text-anchor": "middle" }, words),
    ),
    series.map(({ class: of, points }) => make("svg:g", { class: of }, make("svg:path", { class: "curve", d: path(points, across, down) }))),
  );
  figure.replaceChildren(make("figcaption", {}, title, unit ? make("span", {}, ` (${unit})`) : null), svg);
}

function path(points, across, down) {
  let text = "";
  for (const [x, y] of points) {
    const [at, level] = [across(x).toFixed(1), down(y).toFixed(1)];
    text += text ? `H${at}V${level}` : `M${at} ${level}`;
  }
  return text;
}

/** Draws utilization and queue length of policies over time. */
export function overTime({ utilization, queue }, courses) {
  const to = Math.max(...courses.map(({ of }) => of.edges.at(-1)));
  const { list, step } = ticks(0, to, utilization.clientWidth < 420 ? 4 : 6);
  const x = { from: 0, to, marks: list.filter((at) => at > to * 0.03 && at < to * 0.96).map((at) => [at, instant(at, step)]) };
  const steps = (edges, values) => {
    const points = values.map((value, at) => [edges[at], value]);
    return points.length ? [...points, [edges.at(-1), values.at(-1)]] : points;
  };
  const series = (values) => courses.map(({ name, class: of, of: course }) => ({ name, class: of, points: steps(course.edges, values(course)) }));
  const names = courses.map(({ name }) => name).join(", ");
  curves(utilization, {
    title: "Utilization",
    unit: "share of the processors in use",
    label: `Utilization over time under ${names}`,
    height: 190,
    x,
    y: { most: 1, words: (value) => `${Math.round(value * 100)} %` },
    series: series((course) => course.resources[0].values),
  });
  const most = Math.max(1, ...courses.flatMap(({ of }) => of.queue));
  curves(queue, {
    title: "Queue",
    unit: "waiting jobs",
    label: `Waiting jobs over time under ${names}`,
    height: 190,
    x,
    y: { most, words: (value) => (value >= 1000 ? whole(value) : String(+value.toPrecision(3))) },
    series: series((course) => course.queue),
  });
}

const SECONDS = [[1, "1 s"], [60, "1 min"], [600, "10 min"], [3600, "1 h"], [21600, "6 h"], [86400, "1 d"], [864000, "10 d"], [8640000, "100 d"]];
const RATIOS = [[1, "1"], [10, "10"], [100, "100"], [1000, "1000"], [10000, "10⁴"], [100000, "10⁵"]];

/** Draws the distributions of a quantity, a panel for each class with a curve for each policy. */
export function distributions(box, quantity, found) {
  const isTime = quantity === "wait" || quantity === "response";
  const names = [...new Set(found.flatMap(({ of }) => of.classes.map(({ name }) => name)))];
  const quantiles = (of, name) => of.classes.find((one) => one.name === name)?.of.quantities.find((one) => one.name === quantity);
  const all = found.flatMap(({ of }) => names.map((name) => quantiles(of, name)?.values.at(-1) ?? 1));
  const to = Math.max(10, ...all);
  const marks = (isTime ? SECONDS : RATIOS).filter(([value]) => value <= to * 0.8);
  const figures = names.map(() => make("figure", { class: "plot" }));
  box.replaceChildren(...figures);
  names.forEach((name, at) => {
    const figure = figures[at];
    const series = found.map(({ name: policy, class: of, of: distribution }) => {
      const values = quantiles(distribution, name)?.values ?? [];
      return { name: policy, class: of, points: values.map((value, at) => [Math.max(value, 1), distribution.shares[at]]) };
    });
    const jobs = found.map(({ of }) => quantiles(of, name)?.jobs).find((jobs) => jobs !== undefined) ?? 0;
    const medians = found.map(({ name: policy, of }) => {
      const values = quantiles(of, name)?.values ?? [];
      const middle = values[of.shares.findIndex((share) => share >= 0.5)];
      return `${policy}: median ${isTime ? span(middle) : short(middle ?? NaN)}`;
    });
    curves(figure, {
      title: name,
      unit: `${jobs} jobs`,
      label: `Share of the jobs (${name}) up to a ${quantity}; ${medians.join("; ")}`,
      height: 200,
      x: { from: 1, to, log: true, marks },
      y: { most: 1, words: (value) => `${Math.round(value * 100)} %` },
      series,
    });
  });
}

/** Returns the text of a drawing on its own: the colours of the page become its attributes. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, at) => {
    const style = getComputedStyle(element);
    if (element.tagName === "path" || element.tagName === "line") to[at].setAttribute("stroke", style.stroke);
    if (element.tagName === "path") to[at].setAttribute("fill", "none");
    if (element.tagName === "path" && style.strokeDasharray !== "none") to[at].setAttribute("stroke-dasharray", style.strokeDasharray);
    if (element.tagName === "text") to[at].setAttribute("fill", style.fill);
    to[at].removeAttribute("class");
  });
  copy.setAttribute("font-family", "sans-serif");
  copy.setAttribute("font-size", "11");
  return new XMLSerializer().serializeToString(copy);
}
