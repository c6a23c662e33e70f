// The chart of jobs on a canvas. All visible rectangles are painted as pixels into one image: they do not overlap, so that a
// frame costs what the canvas has of pixels, whatever the number of jobs. While the chart is moved, the image is moved, and only the
// rectangles of the strip that comes into view are painted.
import { span, whole } from "./dom.js";
import { Levels } from "./levels.js";

const LEFT = 46;
const BOTTOM = 22;
/** The shortest time that a view shows, in seconds. */
const SHORTEST = 30;

const STEPS = [1, 5, 10, 30, 60, 300, 900, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 432000, 864000, 1728000, 4320000, 8640000, 31536000];

/** Returns the instants of the ticks between two times, and their step. */
export function ticks(from, to, most) {
  const step = STEPS.find((step) => (to - from) / step <= most) ?? STEPS.at(-1) * Math.ceil((to - from) / STEPS.at(-1) / most);
  const list = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) list.push(at);
  return { list, step };
}

/** Returns the words of an instant after the first submission. */
export function instant(seconds, step) {
  const day = Math.floor(seconds / 86400);
  if (step >= 86400) return `day ${day}`;
  const rest = seconds - day * 86400;
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const clock = `${two(rest / 3600)}:${two((rest % 3600) / 60)}`;
  return `${day ? `day ${day} ` : ""}${clock}${step < 60 ? `:${two(rest % 60)}` : ""}`;
}

export class Gantt {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{moved: (view: object) => void, chosen: (job: number) => void, told: (job: number, x: number, y: number) => void}} ways
   */
  constructor(canvas, ways) {
    Object.assign(this, { canvas, ways });
    this.context = canvas.getContext("2d", { alpha: false });
    this.selected = -1;
    this.pointers = new Map();
    this.listen();
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
  }

  close() {
    this.observer.disconnect();
  }

  /** Takes the rectangles of a schedule, with the processors of the machine. */
  show(columns, jobs, procs) {
    this.rows = columns;
    this.jobs = jobs;
    this.procs = procs;
    const { from, to } = columns;
    this.levels = null;
    this.whole = { from: from.length ? Math.min(0, from[0]) : 0, to: to.reduce((a, b) => Math.max(a, b), 1) };
    this.select(this.selected);
    this.view ??= { ...this.whole };
    this.resize();
  }

  /** Sets the colour of each job, as bytes of a pixel, and of the ground, ink and lines. */
  paint(colours, { ground, ink, soft, line, groundPixel }) {
    Object.assign(this, { colours, ground, ink, soft, line, groundPixel, painted: null });
    this.redraw();
  }

  select(job) {
    this.selected = job;
    this.marked = [];
    if (job >= 0) this.rows?.job.forEach((of, at) => of === job && this.marked.push(at));
    this.redraw();
  }

  look(view, isTold = true) {
    const most = (this.whole.to - this.whole.from) * 1.02;
    // A view that is moved keeps its length to the last bit.
    const length = Math.min(Math.max(view.length ?? view.to - view.from, SHORTEST), most);
    const middle = (view.from + view.to) / 2;
    const from = Math.min(Math.max(middle - length / 2, this.whole.from - most * 0.01), this.whole.to + most * 0.01 - length);
    this.view = { from, to: from + length, length };
    this.redraw();
    if (isTold) this.ways.moved(this.view);
  }

  zoom(factor, share = 0.5) {
    const { from, to } = this.view;
    const at = from + (to - from) * share;
    this.look({ from: at - (at - from) * factor, to: at + (to - at) * factor });
  }

  move(share) {
    const { from, to, length = to - from } = this.view;
    this.look({ from: from + length * share, to: to + length * share, length });
  }

  resize() {
    const scale = Math.min(devicePixelRatio || 1, 2);
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !this.rows) return;
    this.scale = scale;
    this.canvas.width = Math.round(clientWidth * scale);
    this.canvas.height = Math.round(clientHeight * scale);
    this.width = Math.max(1, Math.round((clientWidth - LEFT) * scale));
    this.height = Math.max(1, Math.round((clientHeight - BOTTOM) * scale));
    this.image = this.context.createImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.painted = null;
    if (this.levels?.height !== this.height) this.levels = new Levels(this.rows, this.procs, this.height);
    this.redraw();
  }

  redraw() {
    if (this.isAsked || !this.image || !this.colours) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      const begin = performance.now();
      this.draw();
      this.canvas.dataset.frame = (performance.now() - begin).toFixed(2);
    });
  }

  draw() {
    const { pixels, width, height, view, colours, procs } = this;
    const [across, down] = [width / (view.length ?? view.to - view.from), height / procs];
    let drawn = 0;
    const level = this.levels.of(1 / across);
    // Columns count from time zero, so that a rectangle keeps its columns while the chart is moved.
    const origin = Math.round(view.from * across);
    const [begin, end] = this.shift({ across, origin, level });
    const strip = { from: (origin + begin - 1) / across, to: (origin + end + 1) / across };
    const { from, to, first, count, job } = level.columns;
    // No function is called for each rectangle: there are as many as pixels.
    for (const [start, stop] of begin < end ? level.ranges(strip) : []) {
      for (let at = start; at < stop && from[at] < strip.to; at++) {
        if (to[at] <= strip.from) continue;
        drawn++;
        const colour = colours[job[at]];
        let left = Math.floor(from[at] * across) - origin;
        let right = Math.ceil(to[at] * across) - origin;
        if (right <= left) right = left + 1;
        const top = (first[at] * down) | 0;
        let bottom = ((first[at] + count[at]) * down) | 0;
        if (bottom <= top) bottom = top + 1;
        // Large jobs are told apart by a gap.
        if (bottom - top > 3 && right - left > 2) bottom--;
        if (right - left > 5) right--;
        if (bottom > height) bottom = height;
        if (left < begin) left = begin;
        if (right > end) right = end;
        for (let row = top * width; row < bottom * width; row += width) {
          const last = row + right;
          for (let pixel = row + left; pixel < last; pixel++) pixels[pixel] = colour;
        }
      }
    }
    const { context, scale, canvas } = this;
    canvas.dataset.drawn = drawn;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.ground;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.putImageData(this.image, LEFT * scale, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.axes(context, canvas.clientWidth, canvas.clientHeight);
    if (this.selected >= 0) this.mark(context, across / scale, down / scale);
  }

  /** Moves what the last frame painted, and clears the columns that are to be painted: from one up to another. */
  shift(frame) {
    const { pixels, width, painted } = this;
    const isMoved = painted && painted.across === frame.across && painted.level === frame.level;
    const by = isMoved ? frame.origin - painted.origin : width;
    this.painted = frame;
    if (Math.abs(by) >= width) {
      pixels.fill(this.groundPixel);
      return [0, width];
    }
    if (by > 0) pixels.copyWithin(0, by);
    else pixels.copyWithin(-by, 0);
    const [begin, end] = by > 0 ? [width - by, width] : [0, -by];
    for (let row = 0; row < pixels.length; row += width) pixels.fill(this.groundPixel, row + begin, row + end);
    return [begin, end];
  }

  axes(context, width, height) {
    const bottom = height - BOTTOM;
    context.font = '11px system-ui,"DejaVu Sans",sans-serif';
    context.fillStyle = this.soft;
    context.strokeStyle = this.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(LEFT - 0.5, 0);
    context.lineTo(LEFT - 0.5, bottom + 0.5);
    context.lineTo(width, bottom + 0.5);
    const { list, step } = ticks(this.view.from, this.view.to, (width - LEFT) / (width < 600 ? 90 : 110));
    context.textAlign = "center";
    for (const at of list) {
      const x = Math.round(LEFT + ((at - this.view.from) / (this.view.to - this.view.from)) * (width - LEFT)) + 0.5;
      context.moveTo(x, bottom);
      context.lineTo(x, bottom + 4);
      if (x > LEFT + 20 && x < width - 26) context.fillText(instant(at, step), x, bottom + 16);
    }
    context.textAlign = "right";
    const most = Math.max(2, Math.floor(bottom / 40));
    let count = 1;
    while (this.procs / count > most) count *= 2;
    for (let at = 0; at <= this.procs; at += count) {
      const y = Math.round((at / this.procs) * bottom) + 0.5;
      context.moveTo(LEFT - 4, y);
      context.lineTo(LEFT, y);
      context.fillText(whole(at), LEFT - 7, Math.min(Math.max(y + 4, 10), bottom - 1));
    }
    context.stroke();
  }

  /** Outlines the chosen job and draws its wait. */
  mark(context, across, down) {
    const { rows, view, selected, jobs, marked } = this;
    const x = (time) => Math.max(LEFT, LEFT + (time - view.from) * across);
    context.save();
    context.beginPath();
    context.rect(LEFT, 0, this.canvas.clientWidth - LEFT, this.canvas.clientHeight - BOTTOM);
    context.clip();
    context.strokeStyle = this.ink;
    context.lineWidth = 2;
    let isFirst = true;
    for (const at of marked) {
      if (rows.to[at] <= view.from || rows.from[at] >= view.to) continue;
      const [left, top] = [x(rows.from[at]), rows.first[at] * down];
      context.strokeRect(left, top + 1, Math.max(x(rows.to[at]) - left, 2), Math.max(rows.count[at] * down - 2, 1));
      if (isFirst) {
        isFirst = false;
        const middle = top + (rows.count[at] * down) / 2;
        context.beginPath();
        context.setLineDash([4, 3]);
        context.moveTo(x(jobs.submit[selected]), middle);
        context.lineTo(left, middle);
        context.stroke();
        context.setLineDash([]);
        context.beginPath();
        context.arc(x(jobs.submit[selected]), middle, 3, 0, 7);
        context.fillStyle = this.ink;
        context.fill();
      }
    }
    context.restore();
  }

  /** Returns the job at a point of the canvas; -1 if there is none. */
  at(x, y) {
    const share = (x - LEFT) / (this.canvas.clientWidth - LEFT);
    const time = this.view.from + share * (this.view.to - this.view.from);
    const proc = (y / (this.canvas.clientHeight - BOTTOM)) * this.procs;
    // A job of less than a pixel can be met, too.
    const near = (this.view.to - this.view.from) / this.width;
    const { rows } = this;
    let found = -1;
    this.levels.all.each(this.view, (at) => {
      const isThere = rows.from[at] <= time + near && rows.to[at] > time - near && rows.first[at] <= proc && rows.first[at] + rows.count[at] > proc;
      if (isThere) found = rows.job[at];
      return isThere && rows.from[at] <= time && rows.to[at] > time;
    });
    return found;
  }

  listen() {
    const { canvas } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const share = (x) => Math.min(Math.max((x - LEFT) / (canvas.clientWidth - LEFT), 0), 1);
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!this.view) return;
        event.preventDefault();
        const [x] = place(event);
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move(event.deltaX / 1000);
        else this.zoom(Math.exp(Math.max(Math.min(event.deltaY, 200), -200) / 400), share(x));
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, place(event));
      this.begun = place(event);
      this.hasMoved = false;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.view) return;
      const [x, y] = place(event);
      const before = this.pointers.get(event.pointerId);
      if (!before) return this.ways.told(this.at(x, y), x, y);
      const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
      if (Math.hypot(x - this.begun[0], y - this.begun[1]) > 4) this.hasMoved = true;
      if (others.length) {
        const other = others[0][1][0];
        const [was, is] = [Math.abs(before[0] - other), Math.abs(x - other)];
        if (was > 8 && is > 8) this.zoom(was / is, share((x + other) / 2));
      } else if (this.hasMoved) {
        canvas.classList.add("moving");
        this.move((before[0] - x) / (canvas.clientWidth - LEFT));
      }
      this.pointers.set(event.pointerId, [x, y]);
    });
    const end = (event) => {
      canvas.classList.remove("moving");
      const [x, y] = place(event);
      const wasHeld = this.pointers.delete(event.pointerId);
      if (event.type === "pointerup" && wasHeld && !this.hasMoved && !this.pointers.size) {
        const job = this.at(x, y);
        if (job >= 0) this.ways.chosen(job);
      }
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => this.ways.told(-1, 0, 0));
    canvas.addEventListener("dblclick", () => this.look({ ...this.whole }));
    canvas.addEventListener("keydown", (event) => {
      const keys = {
        ArrowLeft: () => this.move(-0.15),
        ArrowRight: () => this.move(0.15),
        "+": () => this.zoom(0.7),
        "=": () => this.zoom(0.7),
        "-": () => this.zoom(1 / 0.7),
        0: () => this.look({ ...this.whole }),
        PageDown: () => this.step(1),
        PageUp: () => this.step(-1),
        Enter: () => this.selected >= 0 && this.ways.chosen(this.selected),
      };
      if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  }

  /** Goes to the next or the previous job in the order of the log, from the first one in the view. */
  step(by) {
    let job = this.selected + by;
    if (this.selected < 0) this.levels.all.each(this.view, (at) => ((job = this.rows.job[at]), true));
    if (job < 0 || job >= this.jobs.submit.length) return;
    this.ways.stepped(job);
  }

  /** Moves the view so that a time span is in it. */
  reveal(from, to) {
    const length = this.view.to - this.view.from;
    if (from >= this.view.from && to <= this.view.to && to - from > length / 200) return;
    const room = Math.max((to - from) * 3, SHORTEST * 10);
    const middle = (from + to) / 2;
    this.look({ from: middle - room / 2, to: middle + room / 2 });
  }
}

/** Returns the words about a job in a schedule. */
export function words(job, jobs, columns) {
  const wait = columns.start[job] - jobs.submit[job];
  return [
    `job ${jobs.number[job]}, ${whole(jobs.procs[job])} processor${jobs.procs[job] === 1 ? "" : "s"}`,
    Number.isNaN(wait) ? "did not start" : `waited ${span(wait)}, ran ${span(columns.end[job] - columns.start[job])}`,
  ];
}
