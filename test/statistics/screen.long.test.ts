import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readSnapshot } from "../../src/lake/index.js";
import type { Conventions } from "../../src/metrics/conventions.js";
import { modelPlan, openWarehouse, type Row } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { recomputeBehind } from "../support/load-case.js";
import { everyNth, isWhole } from "../support/whole.js";

const folder = folderOfTests("recount-screen");

interface Rated {
  readonly rater: number;
  readonly song: number;
  readonly item: string;
  readonly score: number;
}

/** Of seven raters of 20 songs, rater 2 misses the hidden reference in 20 %, and one score of rater 5 is far off. */
const rated: readonly Rated[] = [1, 2, 3, 4, 5, 6, 7].flatMap((rater) =>
  Array.from({ length: 20 }, (_, song) => [
    {
      rater,
      song,
      item: "reference",
      score: rater === 2 && song < 4 ? 80 : 94 + ((song * rater) % 5),
    },
    { rater, song, item: "anchor70", score: 50 + ((song + 3 * rater) % 9) },
    {
      rater,
      song,
      item: "codec",
      score: rater === 5 && song === 0 ? 0 : 70 + ((song * rater) % 13),
    },
  ]).flat(),
);
const isOfRater2 = ({ rater }: Rated) => rater === 2;

const meansOf = (ratings: readonly Rated[]) =>
  ["anchor70", "codec", "reference"].map((item) => {
    const own = ratings.filter((one) => one.item === item);
    return { item, mean: own.reduce((sum, { score }) => sum + score, 0) / own.length };
  });

async function lakeOf(
  name: string,
  ratings: readonly Rated[],
  published: readonly Rated[],
): Promise<string> {
  const lines = ratings.map(
    (one) => `${one.rater},${one.rater}-${one.song},${one.item},${one.score}`,
  );
  const path = (file: string) => join(folder, `${name}-${file}`);
  writeFileSync(path("votes.csv"), `rater,slate,item,score\n${lines.join("\n")}\n`);
  writeFileSync(
    path("board.csv"),
    `item,mean\n${meansOf(published)
      .map(({ item, mean }) => `${item},${mean}`)
      .join("\n")}\n`,
  );
  writeFileSync(
    path("mapping.yaml"),
    `study: { id: listening, type: mushra, licence: CC0-1.0, source: drawn }
files: { votes: ${name}-votes.csv, board: ${name}-board.csv }
ratings: { from: votes, key: [slate, item], rater: rater, slate: slate, item: item, score: { column: score } }
published:
  - { kind: mean, from: board, item: item, fields: { mean: mean } }
`,
  );
  const imported = await recountHere(["import", path("mapping.yaml"), "--lake", path("lake")]);
  expect(imported.stderr).toBe("");
  return path("lake");
}

/** A pipeline file with these conventions, without what takes long and is not screened otherwise. */
const pipelineWith = (conventions: string): string => {
  const file = join(folder, `${conventions.replaceAll(/\W+/g, "-")}.yaml`);
  const lean = "elo: { permutations: 0 }, bradley_terry: { rater_samples: 0 }";
  writeFileSync(file, `import: all-mapping.yaml\nconventions: { ${conventions}, ${lean} }\n`);
  return file;
};

async function metricsOf(
  lake: string,
  rule: Conventions["screen"],
  condition = "true",
): Promise<Map<string, Row[]>> {
  const { tables } = await readSnapshot(lake, "listening");
  const warehouse = await openWarehouse({ sources: tables });
  await warehouse.all(`create table rated as from ratings where ${condition}`);
  await warehouse.all("create or replace view ratings as from rated");
  // metric_raters lists every rater, under any convention.
  const names = (await modelPlan())
    .map(({ name }) => name)
    .filter((name) => /^metric_(?!raters$)/.test(name));
  await recomputeBehind(warehouse, names, { screen: rule, pairs: "all" });
  const rows = new Map<string, Row[]>();
  for (const name of names) rows.set(name, await warehouse.all(`from ${name} order by all`));
  warehouse.close();
  return rows;
}

let all: string;
beforeAll(async () => {
  all = await lakeOf(
    "all",
    rated,
    rated.filter((one) => !isOfRater2(one)),
  );
});

const rules = [
  ["bs1534", "rater_id <> 2"],
  ["p808", "not (score = 0 or (stimulus = 'reference' and score = 80))"],
] as const;

test.each(everyNth(rules, 2))(
  "screen: %s gives every metric of a lake without what the rule leaves out",
  async (rule, isKept) => {
    const screened = await metricsOf(all, rule);
    expect(screened).toEqual(await metricsOf(all, null, isKept));
    expect(screened).not.toEqual(await metricsOf(all, null));
    expect([...screened.values()].filter((rows) => rows.length > 0).length).toBeGreaterThan(5);
  },
);

test("the ledger names the rule, and screening judges the ratings that it leaves out", async () => {
  const asked = `select l.left_out_by, s.rule, s.sentence, count(*)::integer as n
    from ledger as l join screening as s using (rater_id) where s.excluded group by all`;
  const pipeline = pipelineWith("screen: bs1534");
  const { stdout } = await recountHere([
    "query",
    asked,
    "--lake",
    all,
    "--format",
    "json",
    "--pipeline",
    pipeline,
  ]);
  expect(JSON.parse(stdout)).toEqual([
    {
      left_out_by: "screening by bs1534",
      rule: "bs1534_reference",
      sentence: "4 of 20 ratings of the hidden reference are below 90: excluded.",
      n: 60,
    },
  ]);
});

async function auditOf(lake: string, ...more: readonly string[]): Promise<string[]> {
  const json = join(folder, "audit.json");
  await recountHere([
    "audit",
    "--lake",
    lake,
    "--pipeline",
    pipelineWith("screen: bs1534"),
    "--json",
    json,
    ...more,
  ]);
  const { rows } = JSON.parse(readFileSync(json, "utf8")) as {
    rows: { verdict: string; explanation: string }[];
  };
  return rows.map(({ verdict, explanation }) => `${verdict} ${explanation}`);
}

test.runIf(isWhole)(
  "the audit counts under the convention, and so does who repeats it from an evidence bundle",
  async () => {
    const bundle = join(folder, "bundle.zip");
    expect(await auditOf(all, "--bundle", bundle)).toEqual(Array(3).fill("exact null"));
    expect(await recountHere(["verify", bundle])).toMatchObject({ code: 0, stderr: "" });
  },
);

test.runIf(isWhole)(
  "numbers that count what the convention leaves out are found to do so",
  async () => {
    expect(await auditOf(await lakeOf("unscreened", rated, rated))).toEqual(
      Array(3).fill("unstated screen=include"),
    );
  },
);

test("a rule that does not exist is refused with those that do", async () => {
  const pipeline = pipelineWith("screen: bt501");
  const { code, stderr } = await recountHere(["transform", "--lake", all, "--pipeline", pipeline]);
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/conventions\.screen.*bs1534.*bt500.*p808.*training/),
  ]);
});
