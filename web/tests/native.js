// The native program, beside which the page is checked.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const dist = join(root, "web/dist");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");

/** The program: that of BATCHLAB, else the last build. */
export const program = process.env.BATCHLAB ?? ["release", "debug"].map((kind) => join(target, kind, "batchlab")).find(existsSync);

/** The policies whose schedules are compared. */
export const policies = JSON.parse(readFileSync(new URL("./policies.json", import.meta.url)));

const own = ["lublin-128", "valley-128", "harbour-128"].map((name) => join(root, "traces/data", `${name}.swf.gz`));
const shared = join(root, "../shared/traces/KTH-SP2-1996-2.1-cln.swf.gz");

/** The three logs: own samples, and a real log in the place of the third if it is there. */
export function logs() {
  if (existsSync(shared)) return [own[0], own[1], shared];
  console.log(`skipped: ${basename(shared)} is not there; ${basename(own[2])} takes its place`);
  return own;
}

export const kth = existsSync(shared) ? shared : null;

export function run(...words) {
  return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

/** Returns the file name that the program gives a schedule. */
const file = (label) => `${label.replace(/[^A-Za-z0-9_.=,-]/g, "-").replace(/-+$/, "").replace(/^\.+/, "")}.csv`;

const digests = new Map();

/** Returns the SHA-256 of the schedules of a log that the program writes, in the order of the policies' labels. */
export async function native(log, labels) {
  if (!digests.has(log)) {
    const folder = mkdtempSync(join(tmpdir(), "batchlab-"));
    try {
      run("replay", log, ...policies.flatMap((policy) => ["--policy", policy]), "--out", folder, "--quiet");
      const of = async (label) => createHash("sha256").update(await readFile(join(folder, file(label)))).digest("hex");
      digests.set(log, await Promise.all(labels.map(of)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return digests.get(log);
}
