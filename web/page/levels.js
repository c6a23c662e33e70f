// Levels of detail of a schedule: the rectangles that can be told apart when a pixel is a given time. A frame then visits rectangles
// by the pixels that it has, and not by the jobs of the log.

/** The rectangles of a block, of which the latest end is kept to skip what lies before the view. */
const BLOCK = 256;
/** Schedules of fewer rectangles are drawn from all of them. */
const FEW = 30_000;

/** Rectangles in the order of their begin, as columns. */
class Level {
  constructor(columns) {
    this.columns = columns;
    const { to } = columns;
    this.latest = new Float64Array(Math.ceil(to.length / BLOCK)).fill(-Infinity);
    for (let at = 0; at < to.length; at++) {
      const block = (at / BLOCK) | 0;
      if (to[at] > this.latest[block]) this.latest[block] = to[at];
    }
  }

  /** Returns ranges that have all rectangles between two times, and few others. */
  ranges(view) {
    const { from, to } = this.columns;
    const ranges = [];
    for (let block = 0; block < this.latest.length; block++) {
      if (this.latest[block] <= view.from) continue;
      const begin = block * BLOCK;
      if (from[begin] >= view.to) break;
      ranges.push([begin, Math.min(begin + BLOCK, to.length)]);
    }
    return ranges;
  }

  /** Calls back for each rectangle between two times, until a call returns true. */
  each(view, visit) {
    const { from, to } = this.columns;
    for (const [begin, end] of this.ranges(view)) {
      for (let at = begin; at < end && from[at] < view.to; at++) {
        if (to[at] > view.from && visit(at)) return;
      }
    }
  }

  /**
   * Returns the level whose columns of the chart are of so many seconds, and whose rows are a share of the processors. A rectangle
   * takes its rows up to the last column that it fills, or the one in which it begins. If they are all taken it is left out, and the
   * one that took the first of them reaches to its end.
   */
  coarser(seconds, procs, share) {
    const { from, to, first, count, job } = this.columns;
    const taken = new Int32Array(Math.ceil(procs * share) + 1).fill(-1);
    const by = new Uint32Array(taken.length);
    const kept = new Uint32Array(to.length);
    const ends = new Float64Array(to.length);
    let length = 0;
    for (let at = 0; at < to.length; at++) {
      const column = Math.max(Math.floor((from[at] - from[0]) / seconds), Math.floor((to[at] - from[0]) / seconds) - 1);
      const top = (first[at] * share) | 0;
      const bottom = Math.max(((first[at] + count[at]) * share) | 0, top + 1);
      let isSeen = false;
      for (let row = top; row < bottom; row++) {
        if (taken[row] >= column) continue;
        taken[row] = column;
        by[row] = length;
        isSeen = true;
      }
      if (isSeen) {
        ends[length] = to[at];
        kept[length++] = at;
      } else if (to[at] > ends[by[top]]) {
        ends[by[top]] = to[at];
      }
    }
    const of = (column) => {
      const some = new column.constructor(length);
      for (let at = 0; at < length; at++) some[at] = column[kept[at]];
      return some;
    };
    return new Level({ from: of(from), to: ends.slice(0, length), first: of(first), count: of(count), job: of(job) });
  }
}

export class Levels {
  /** Takes the rectangles of a schedule, in the order of their begin, the processors of the machine, and the chart's rows of pixels. */
  constructor(columns, procs, height) {
    Object.assign(this, { procs, height, share: Math.min(1, height / procs), all: new Level(columns), made: new Map() });
  }

  /** Returns the level for a chart on which a pixel is so many seconds: a column of it is half a pixel to a pixel. */
  of(pixel) {
    if (this.all.columns.to.length <= FEW) return this.all;
    const power = Math.floor(Math.log2(pixel));
    if (!this.made.has(power)) {
      // What a finer level left out cannot be told apart on a coarser one.
      const finer = [...this.made.keys()].filter((one) => one < power).sort((one, other) => other - one)[0];
      this.made.set(power, (this.made.get(finer) ?? this.all).coarser(2 ** power, this.procs, this.share));
    }
    return this.made.get(power);
  }
}
