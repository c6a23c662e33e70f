// Questions for a course, on logs that come with the page. The engine checks the answers, by replays of its own.
import { beside } from "./address.js";
import { Worked } from "./asking.js";
import { by, fill, make, whole } from "./dom.js";

/** Returns a log in SWF of jobs on 8 processors: number, submission, run time, processors, request. */
const small = (...jobs) =>
  `; MaxProcs: 8\n${jobs.map(([number, submit, run, procs, request]) => `${number} ${submit} -1 ${run} ${procs} -1 -1 ${procs} ${request} -1 1 1 1 -1 -1 -1 -1 -1\n`).join("")}`;
const sample = { name: "lublin-128.swf.gz", bytes: () => beside("lublin-128.swf.gz") };
const written = (text) => ({ name: "exercise.swf", bytes: async () => new TextEncoder().encode(text) });
const overtaking = (request) => written(small([1, 0, 100, 6, 100], [2, 10, 100, 8, 100], [3, 20, 50, 2, request], [4, 30, 200, 2, 200]));

/** Returns the number of the job for which a value is greatest, and this value. */
const greatest = ({ jobs }, value) => {
  const all = Array.from(jobs.number, (number, job) => [number, value(job)]);
  return all.reduce((most, one) => (one[1] > most[1] ? one : most));
};
/** Judges a number of a job by the right one. */
const judged = (answer, [number, seconds], words) => ({ isRight: answer === number, words: answer === number ? words(whole(seconds)) : "Another job." });

/** `check` gets the answer, a number, and a function that replays a log under policies with options. */
export const EXERCISES = [
  {
    title: "Why does EASY overtake?",
    log: overtaking(60),
    policies: ["fcfs", "easy"],
    question: "Job 2 needs all 8 processors and has to wait. Which job starts before it under EASY, though it came later?",
    hint: "Job 2 can start when job 1 ends, at 100 s. A job may overtake it if it has ended by then.",
    async check(answer, replay) {
      const { jobs, schedules } = await replay(this.log, ["easy"]);
      const [at, second] = [answer, 2].map((number) => jobs.number.indexOf(number));
      const isRight = at >= 0 && jobs.submit[at] > jobs.submit[second] && schedules[0].start[at] < schedules[0].start[second];
      return { isRight, words: isRight ? "It requests no more than the 80 s that are left, so it delays job 2 by nothing." : "It does not start before job 2." };
    },
  },
  {
    title: "What does a request do?",
    log: overtaking(90),
    policies: ["easy"],
    question: "Job 3 is the same as before and runs for 50 s, but requests 90. Now it waits. What is the longest request, in seconds, with which it starts at once?",
    hint: "EASY knows requests, not run times. It compares the end that a request promises with the start that job 2 was promised.",
    async check(answer, replay) {
      const starts = async (request) => {
        const { jobs, schedules } = await replay(overtaking(request), ["easy"]);
        const job = jobs.number.indexOf(3);
        return schedules[0].start[job] === jobs.submit[job];
      };
      if (!Number.isInteger(answer) || answer < 50) return { isRight: false, words: "A whole number of at least 50 s: a job does not run longer than its request." };
      if (!(await starts(answer))) return { isRight: false, words: `With ${answer} s it still waits.` };
      const isRight = !(await starts(answer + 1));
      return { isRight, words: isRight ? `With ${answer + 1} s it would wait until job 2 has ended.` : `With ${answer + 1} s it does, too.` };
    },
  },
  {
    title: "What is a promise worth?",
    log: sample,
    policies: ["easy", "conservative"],
    question: "Conservative backfilling promises a start to each waiting job, EASY to the first one only. Which job gains most by this: which starts earliest under conservative backfilling, measured against EASY?",
    hint: "The schedule of each policy can be taken along as CSV, below. Both have the jobs in the same order.",
    async check(answer, replay) {
      const found = await replay(this.log, this.policies);
      const [easy, conservative] = found.schedules;
      return judged(answer, greatest(found, (job) => easy.start[job] - conservative.start[job]), (seconds) => `It starts ${seconds} s earlier.`);
    },
  },
  {
    title: "Who pays for shorter waits?",
    log: sample,
    policies: ["easy", "easy:order=sjf"],
    question: "Shortest job first lowers the mean wait. Which job waits longest under it?",
    hint: "It is a job with a long request. Colour the jobs by wait, or take the schedule of easy:order=sjf along.",
    async check(answer, replay) {
      const found = await replay(this.log, ["easy:order=sjf"]);
      return judged(answer, greatest(found, (job) => found.schedules[0].start[job] - found.jobs.submit[job]), (seconds) => `It waits ${seconds} s.`);
    },
  },
  {
    title: "How large must the machine be?",
    log: sample,
    policies: ["easy"],
    question: "The mean wait under EASY is more than an hour. With which number of processors is it below 1,800 s, and with one processor fewer not?",
    hint: "The option procs, below the policies, sets the number. Halve the range again and again.",
    async check(answer, replay) {
      if (!Number.isInteger(answer) || answer < 128 || answer > 100_000) return { isRight: false, words: "A whole number of at least 128: some jobs need as many." };
      const wait = async (procs) => (await replay(this.log, ["easy"], [["procs", [String(procs)]]])).metric("mean_wait");
      const seconds = await wait(answer);
      // On fewer processors jobs of 128 are left out, and the mean is of others.
      if (answer === 128) return { isRight: seconds < 1800, words: `With 128 it is ${whole(seconds)} s.` };
      const fewer = await wait(answer - 1);
      return { isRight: seconds < 1800 && fewer >= 1800, words: `With ${answer} it is ${whole(seconds)} s, with ${answer - 1} ${whole(fewer)} s.` };
    },
  },
];

/** Returns a function that replays logs beside what is open, and one that ends it. */
function checker() {
  const worked = new Worked(() => {});
  const replay = async ({ name, bytes }, policies, options = []) => {
    await worked.ask({ ask: "open", name }, await bytes());
    const { value } = await worked.ask({ ask: "compare", policies, options });
    const { columns: jobs } = await worked.ask({ ask: "jobs" });
    const schedules = [];
    for (let at = 0; at < value.labels.length; at++) schedules.push((await worked.ask({ ask: "drawn", at })).columns);
    return { jobs, schedules, metric: (key) => value.rows[0].values[value.keys.indexOf(key)] };
  };
  return { replay, end: () => worked.close() };
}

/** Shows an exercise, by its place. `chosen` gets it, to open its log under its policies. */
export function exercises(box, chosen) {
  const show = (at) => {
    const exercise = EXERCISES[at];
    const said = make("p", { role: "status" });
    const answer = make("input", { id: "answer", inputmode: "numeric", size: 8, autocomplete: "off" });
    const check = make("button", { type: "submit" }, "Check");
    const onsubmit = async (event) => {
      event.preventDefault();
      const { replay, end } = checker();
      check.disabled = true;
      said.textContent = "Checking …";
      try {
        const { isRight, words } = await exercise.check(Number(answer.value.trim() || NaN), replay);
        said.textContent = `${isRight ? "Right." : "Not yet."} ${words}`;
      } catch (error) {
        said.textContent = error.message;
      }
      check.disabled = false;
      end();
    };
    fill(
      by("task"),
      make("p", {}, exercise.question),
      make("form", { class: "buttons", onsubmit }, make("label", {}, "Answer ", answer), check),
      said,
      make("details", {}, make("summary", {}, "Hint"), make("p", {}, exercise.hint)),
    );
    for (const [place, button] of [...box.querySelectorAll("ol button")].entries()) button.setAttribute("aria-pressed", String(place === at));
  };
  const button = ({ title }, at) => make("li", {}, make("button", { type: "button", "aria-pressed": "false", onclick: () => (show(at), chosen(at)) }, title));
  fill(box, make("summary", {}, "Exercises for a course"), make("ol", { class: "buttons" }, EXERCISES.map(button)), make("div", { id: "task" }));
  return (at) => {
    box.open = true;
    show(at);
    chosen(at);
  };
}
