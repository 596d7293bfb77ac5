import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { isWhole } from "../support/whole.js";
import { root } from "../support/root.js";

/** Folder with copies of the studies' repositories, each under its own name. Without it only shipped studies run. */
const copies = process.env.RECOUNT_STUDIES;
const page = join(root, "docs/records/studies.md");
const folder = folderOfTests("recount-studies");

/** Published numbers that are of no kind, but follow in another way. */
interface Derived {
  readonly count: (lake: string, from: string) => number | Promise<number>;
  readonly says: string;
}

const rowsIn = (file: string): Record<string, string>[] => {
  const [header = "", ...lines] = readFileSync(file, "utf8").trim().split(/\r?\n/);
  const columns = header.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((text, i) => [columns[i] ?? "", text])),
  );
};

/** The numbers that evalica's test expects of Newman's algorithm are worths with Davidson's ties, on a scale of their own. */
const davidson = (board: string): Derived => ({
  says: "worths with Davidson's ties, times one factor",
  async count(lake, from) {
    const pipeline = join(lake, "pipeline.yaml");
    const conventions = "{ bradley_terry: { ties: davidson } }";
    writeFileSync(
      pipeline,
      `import: ${join(from, "mapping.yaml")}\nlake: ${lake}\nconventions: ${conventions}\n`,
    );
    const sql = "select item, exp(value) as worth from metric_bradley_terry where source = ''";
    const own = new Map(
      (await query(lake, sql, "--pipeline", pipeline)).map((row) => [
        row.item,
        row.worth as number,
      ]),
    );
    const rows = rowsIn(join(from, board)).filter(({ algorithm }) => algorithm === "newman");
    const ratios = rows.map(({ item, score }) => Number(score) / (own.get(item) ?? NaN));
    const factor = ratios.toSorted((x, y) => x - y)[ratios.length >> 1] ?? NaN;
    // evalica's iteration ends at 1e-6.
    return ratios.filter((ratio) => Math.abs(ratio / factor - 1) < 1e-5).length;
  },
});

async function published(lake: string): Promise<{ item: string; value: number }[]> {
  const [row] = await query(lake, "select scores::varchar as scores from results");
  const scores = JSON.parse(row?.scores as string) as { item: string; value: string }[];
  return scores.map(({ item, value }) => ({ item, value: Number(value) }));
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Zermelo's iteration of Bradley-Terry worths that sum to 1, which ends at a change of 1e-6 or after 100 rounds. */
const stopped: Derived = {
  says: "worths that sum to 1 after at most 100 rounds of Zermelo's iteration, stopped at a change of 1e-6",
  async count(lake) {
    const votes = (await query(
      lake,
      "select max(stimulus) as left, min(stimulus) as right, arg_max(score, stimulus) as won from ratings group by session_id, slate_id",
    )) as unknown as readonly { left: string; right: string; won: number }[];
    const items = [...new Set(votes.flatMap(({ left, right }) => [left, right]))];
    const index = new Map(items.map((item, i) => [item, i]));
    const met = items.map(() => items.map(() => 0));
    const won = items.map(() => 0);
    for (const { left, right, won: score } of votes) {
      const [i, j] = [index.get(left)!, index.get(right)!];
      met[i]![j]! += 1;
      met[j]![i]! += 1;
      won[i]! += score;
      won[j]! += 1 - score;
    }
    let worth = items.map(() => 1 / items.length);
    for (let round = 0, change = 1; round < 100 && change >= 1e-6; round++) {
      const next = worth.map(
        (own, i) => won[i]! / sum(met[i]!.map((n, j) => n / (own + worth[j]!))),
      );
      const whole = sum(next);
      change = Math.hypot(...next.map((one, i) => one / whole - worth[i]!));
      worth = next.map((one) => one / whole);
    }
    return (await published(lake)).filter(
      ({ item, value }) => Math.abs(worth[index.get(item)!]! - value) <= 5.001e-7,
    ).length;
  },
};

/** The numbers that the search of the R package eba ended at: voices with the same number of wins differ by 3e-5. */
const searched: Derived = {
  says: "worths that sum to 1, to within 0.02 %",
  async count(lake) {
    const sql = "select item, exp(value) as worth from metric_bradley_terry where source = ''";
    const found = (await query(lake, sql)).map(
      ({ item, worth }) => [item, worth as number] as const,
    );
    const whole = sum(found.map(([, worth]) => worth));
    const own = new Map(found);
    return (await published(lake)).filter(
      ({ item, value }) => Math.abs((value * whole) / own.get(item)! - 1) < 2e-4,
    ).length;
  },
};

interface Study {
  readonly id: string;
  /** The copy of the repository; absent for a study that is shipped. */
  readonly repository?: string;
  /** Of the ranking whose first place is tried; default Bradley-Terry. */
  readonly ranking?: { readonly kind: string; readonly dimension?: string };
  readonly derived?: Derived;
  /** Its data are in a program. */
  readonly isProgram?: boolean;
}

const means = { kind: "mean" };
const winRates = { kind: "mean", dimension: "win rate" };
const studies: readonly Study[] = [
  { id: "baseball" },
  { id: "evalica-food", repository: "evalica", derived: davidson("food-golden.csv") },
  { id: "evalica-simple", repository: "evalica", derived: davidson("simple-golden.csv") },
  { id: "evalica-llmfao", repository: "evalica", derived: davidson("llmfao-golden.csv") },
  { id: "llmfao-crowd", repository: "llmfao", derived: stopped },
  { id: "llmfao-gpt4", repository: "llmfao", derived: stopped },
  { id: "llmfao-gpt3", repository: "llmfao", derived: stopped },
  { id: "alpaca-gpt4", repository: "alpaca_eval", ranking: winRates },
  { id: "alpaca-weighted", repository: "alpaca_eval", ranking: winRates },
  { id: "alpaca-cot", repository: "alpaca_eval", ranking: winRates },
  { id: "alpaca-turbo", repository: "alpaca_eval", ranking: winRates },
  { id: "netflix-public", repository: "sureal", ranking: means, isProgram: true },
  { id: "live-hfr", repository: "LIVE-HFR", ranking: means },
  { id: "sound-fields", repository: "BradleyTerry2", isProgram: true },
  { id: "codecs-mushra", repository: "bernoulli-var-speech-codec", ranking: means },
  { id: "voices-lab", repository: "Subjective_Speaker_Characteristics", derived: searched },
  { id: "voices-crowd", repository: "Subjective_Speaker_Characteristics", derived: searched },
  { id: "p1203", repository: "open-dataset", ranking: { kind: "mean", dimension: "pc" } },
  { id: "ted-ende", repository: "wmt-mqm-human-evaluation" },
  { id: "ted-zhen", repository: "wmt-mqm-human-evaluation" },
];

interface Audited {
  readonly rows: readonly {
    readonly published: number | null;
    readonly verdict: string;
    readonly explanation: string | null;
  }[];
}

const query = async (
  lake: string,
  sql: string,
  ...more: string[]
): Promise<Record<string, unknown>[]> => {
  const { stdout } = await recountHere(["query", "--lake", lake, "--format", "json", ...more, sql]);
  return JSON.parse(stdout) as Record<string, unknown>[];
};

const cell = (text: string) => text.replaceAll("|", "\\|");

async function rowOf({
  id,
  repository,
  ranking = { kind: "bradley_terry" },
  derived,
  isProgram = false,
}: Study): Promise<string> {
  const copy = join(copies ?? "", repository ?? "");
  const shipped = repository === undefined ? join(root, "data/studies", id) : copy;
  const from = isProgram ? join(folder, id) : shipped;
  const mapping = join(from, "mapping.yaml");
  if (isProgram) execFileSync("python3", [join(root, "data/studies/prepare.py"), id, copy, from]);
  else if (repository !== undefined) copyFileSync(join(root, `data/studies/${id}.yaml`), mapping);
  const lake = join(folder, `${id}-lake`);
  const imported = await recountHere(["import", mapping, "--lake", lake]);
  const stderr = imported.stderr.replace(/^warn: .* published: not used: .*\n/, "");
  expect({ id, code: imported.code, stderr }).toEqual({ id, code: 0, stderr: "" });
  await recountHere(["audit", "--lake", lake, "--json", join(lake, "audit.json")]);
  const { rows } = JSON.parse(readFileSync(join(lake, "audit.json"), "utf8")) as Audited;
  const numbers = rows.filter(({ published }) => published !== null);
  const of = (...verdicts: string[]) => numbers.filter(({ verdict }) => verdicts.includes(verdict));
  const scores = await query(lake, "select scores::varchar as scores from results");
  const entries = scores.flatMap((row) => JSON.parse(row.scores as string) as object[]);
  const published = sum(entries.map((entry) => Object.keys(entry).length - 1));
  const causes = new Map<string, number>();
  const add = (name: string, count: number) => causes.set(name, (causes.get(name) ?? 0) + count);
  for (const { explanation } of of("explained", "unstated")) add(`\`${explanation ?? ""}\``, 1);
  if (derived !== undefined) add(derived.says, await derived.count(lake, from));
  const explained = sum([...causes.values()]);
  const exact = of("exact", "within_tolerance").length;
  const rest = published - exact - explained;
  const [votes] = await query(
    lake,
    `select ${ranking.kind === "mean" ? "count(score)" : "count(distinct (session_id, slate_id))"} as votes from ratings where dimension = '${ranking.dimension ?? ""}'`,
  );
  const [first] = await query(
    lake,
    `from robustness where unit = 'vote' and k = 1 and kind = '${ranking.kind}' and dimension = '${ranking.dimension ?? ""}'`,
  );
  const place =
    typeof first?.at_most === "number"
      ? `${first.leaving as string}: ${first.at_most} of ${first.units as number} votes`
      : ((first?.reason ?? "") as string);
  return `| ${[
    id,
    String(votes?.votes),
    String(published),
    String(exact),
    [...causes].map(([name, count]) => `${count}: ${cell(name)}`).join("; "),
    String(rest),
    cell(place),
  ].join(" | ")} |`;
}

const shipped = studies.filter(({ repository }) => repository === undefined);

test.runIf(isWhole && copies === undefined).each(shipped)(
  "study $id, which is shipped, has the row of the gallery",
  async (study) => {
    expect(readFileSync(page, "utf8")).toContain(await rowOf(study));
  },
);

test.skipIf(copies === undefined)(
  "the gallery is generated from copies of the studies (`npm run test:studies -- --update` updates it)",
  async () => {
    const rows: string[] = [];
    for (const study of studies) rows.push(await rowOf(study));
    const text = readFileSync(page, "utf8").replace(
      /(?<=\n\|---.*\n)(?:\|.*\n)*/,
      () => `${rows.join("\n")}\n`,
    );
    await expect(text).toMatchFileSnapshot(page);
  },
  1_200_000,
);
