import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { transform, type TransformOptions } from "../../src/pipeline/transform.js";
import { seededRandom } from "../../src/platform/random.js";
import { exportTo } from "../support/export-to-lake.js";
import { folderOfTests } from "../support/folder.js";
import { goldenPaths } from "../support/golden-case.js";

const folder = folderOfTests("recount-reused");
const lake = join(folder, "lake");
const project = "Listen42";
const conventions = conventionsWith({
  bradley_terry: { rater_samples: 20 },
  elo: { permutations: 5 },
});

/** A study of the golden cases under other identifiers. */
const study = (name: string, number: number): string =>
  readFileSync(goldenPaths(name)[0] ?? "", "utf8")
    .replaceAll(/\b(exp\d)/g, `$1n${number}`)
    .replaceAll(/\b(s\d)(x|\d)/g, `$1n${number}$2`);

/** The files of the studies that the service has, by name. */
const studies = new Map<string, string>();

async function night(): Promise<void> {
  const load = [...studies].map(([name, text]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, text);
    return file;
  });
  const service = await startEmulator({ load });
  await exportTo(lake, service).finally(() => service.close());
}

/** The Parquet files that a transform leaves, as text of their bytes, and where they lie on the disk. */
async function tables(options: TransformOptions = {}) {
  const lines: string[] = [];
  const { dir, recomputed, written } = await transform(lake, project, {
    conventions,
    warn: (line) => lines.push(line),
    ...options,
  });
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".parquet"))
    .toSorted();
  const bytes = names.map((name) => [name, readFileSync(join(dir, name), "latin1")] as const);
  const inodes = names.map((name) => statSync(join(dir, name)).ino);
  const rows = written.map(({ name, rows: count }) => `${name} ${count}`);
  const made = { bytes: Object.fromEntries(bytes), checks: recomputed.checks, rows };
  return { dir, made, inodes: new Set(inodes), lines };
}

interface Rating {
  session_id: string;
  stimulus: string;
}

/** In one session of a study, a stimulus has another name. */
function changed(text: string, random: () => number): string {
  const { ratings } = JSON.parse(text) as { ratings: Rating[] };
  const { session_id, stimulus } = ratings[Math.floor(random() * ratings.length)]!;
  return JSON.stringify(JSON.parse(text), (_, value: Rating | null) =>
    value?.session_id === session_id && value.stimulus === stimulus
      ? { ...value, stimulus: `0 ${stimulus}` }
      : value,
  );
}

test("over drawn nights, what is linked and what is computed give the bytes of a full computation", async () => {
  const random = seededRandom(38);
  const names = ["tiny-pairwise", "acr", "approval"];
  for (let i = 0; i < 6; i++) studies.set(`study${i}`, study(names[i % 3] ?? "", i));
  let linked = 0;
  let before = new Set<number>();
  for (let i = 0; i < 10; i++) {
    const all = [...studies.keys()];
    const one = all[Math.floor(random() * all.length)] ?? "";
    const draw = random();
    if (draw < 0.5) studies.set(one, changed(studies.get(one) ?? "", random));
    else if (draw < 0.65) studies.set(`study${10 + i}`, study(names[i % 3] ?? "", 10 + i));
    else if (draw < 0.8 && all.length > 3) studies.delete(one);
    await night();
    const options = { statistics: i % 8 === 3, models: i % 5 === 2 ? "all" : "usual" } as const;
    const reused = await tables(options);
    linked += [...reused.inodes].filter((inode) => before.has(inode)).length;
    const full = await tables({ ...options, isFull: true, together: i % 2 === 0 ? 1 : 1e9 });
    expect(reused.made, `night ${i}, ${[...studies.keys()].join(" ")}`).toEqual(full.made);
    expect(reused.lines).toEqual([]);
    before = full.inodes;
  }
  expect(linked).toBeGreaterThan(150);
}, 900_000);
