/** Every golden number by each implementation: sql/ with its kernels, and the emulator, which shares no code with them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conventionWith } from "../../src/emulator/scoring/convention.js";
import { countedSlates, type ScoredStudy } from "../../src/emulator/scoring/population.js";
import { score, type ScoredKind } from "../../src/emulator/scoring/score.js";
import { isCorrect } from "../../src/emulator/simulation/raters.js";
import { kinds } from "../../src/metrics/index.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import type { Shared } from "../support/audit/fixture.js";
import {
  goldenFiles,
  readGolden,
  type Expected,
  type Golden,
  type Numbers,
} from "../support/golden-case.js";
import { loadCase, loadRows, recomputeBehind } from "../support/load-case.js";
import { read } from "../support/root.js";
import { everyNth } from "../support/whole.js";

const variants: Record<string, Shared> = {
  "ties=half": { ties: { percent_chosen: "half" } },
  "ties=exclude": { ties: { percent_chosen: "exclude" } },
  "ties=skip": { elo: { ties: "skip" } },
  "training=include": { training: "include" },
  "incomplete=include": { incomplete: "include" },
  "k=16 initial=1000": { elo: { k: 16, start: 1000 } },
  "update=session_batch": { elo: { update: "session_batch" } },
  "stop_elo=1": { bayesian_elo: { stop_elo: 1 } },
  "a=2 b=0.05": { bayesian_elo: { shape: 2, rate: 0.05 } },
  "rater_quality (alpha=10 beta=2)": { bayesian_elo: { rater_quality: { alpha: 10, beta: 2 } } },
};

function inputOf(variant: string): Shared {
  const found = variant === "" ? {} : variants[variant.slice(variant.indexOf(" ") + 1)];
  if (!found) throw new Error(`no conventions for the variant ${variant}`);
  return found;
}

interface Block {
  readonly kind: string;
  readonly dimension: string;
  readonly numbers: Expected;
  readonly quality?: Numbers;
}

/** The expected numbers of a case by kind and dimension, under the default conventions ("") or in a variant. */
const blocksOf = ({ expected }: Golden, variant: string): Block[] =>
  Object.entries(expected).flatMap(([dimension, { variants: others, ...own }]): Block[] => {
    if (variant === "")
      return Object.entries(own).map(([kind, numbers]) => ({ kind, dimension, numbers }));
    const { scores, quality, ...numbers } = others[variant] as Expected & {
      scores?: Expected;
      quality?: Numbers;
    };
    const kind = variant.split(" ")[0] ?? "";
    return [{ kind, dimension, numbers: scores ?? numbers, ...(quality && { quality }) }];
  });

const variantsOf = ({ expected }: Golden): string[] => [
  ...new Set(Object.values(expected).flatMap((metrics) => Object.keys(metrics.variants))),
];

const exactFields = new Set(["wins", "losses", "ties", "n", "approved", "min", "max"]);
const endFields = new Set([
  "p005",
  "p025",
  "p05",
  "p50",
  "p95",
  "p975",
  "p995",
  "ci_low",
  "ci_high",
]);

/** Relative tolerances of metrics.md: counts exact, interval ends 1e-6, other reals 1e-9. */
function compare(where: string, field: string, actual: unknown, wanted: number): void {
  if (exactFields.has(field)) {
    expect(actual, where).toBe(wanted);
    return;
  }
  const tolerance = (endFields.has(field) ? 1e-6 : 1e-9) * Math.max(1e-3, Math.abs(wanted));
  expect(
    Math.abs((actual as number) - wanted),
    `${where}: ${String(actual)}, wanted ${wanted}`,
  ).toBeLessThan(tolerance);
}

type Rows = readonly Readonly<Record<string, unknown>>[];

function check({ kind, numbers }: Block, rows: Rows, name: "item" | "stimulus"): void {
  const byItem = new Map(rows.map((row) => [row[name] as string, row]));
  expect([...byItem.keys()].sort(), kind).toEqual(Object.keys(numbers).sort());
  for (const [item, wanted] of Object.entries(numbers))
    for (const [field, number] of Object.entries(
      typeof wanted === "number" ? { value: wanted } : wanted,
    ))
      compare(
        `${kind} ${item} ${field}`,
        field,
        byItem.get(item)?.[field === "percent" ? "value" : field],
        number,
      );
}

describe.each(goldenFiles.map((file, i) => [file, i] as const))("%s", (file, i) => {
  const golden = readGolden(file);
  const own = [golden.experiment.id];
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await loadCase(`${file}.json`);
  });
  afterAll(() => warehouse.close());
  const rowsOf = (table: string, dimension: string) =>
    warehouse.all(
      `select * from metric_${table} where experiment_id = $1 and source = '' and dimension = '${dimension}'`,
      own,
    );

  test.each(["", ...everyNth(variantsOf(golden), 9, i)])("in SQL, variant %j", async (variant) => {
    const blocks = blocksOf(golden, variant);
    const tables =
      variant === ""
        ? kinds
        : [blocks[0]?.kind ?? "", ...(blocks[0]?.quality ? ["rater_quality"] : [])];
    const read = [
      ...tables.map((name) => `metric_${name}`),
      ...(variant === "" ? ["audit_correctness"] : []),
    ];
    await recomputeBehind(warehouse, read, inputOf(variant));
    for (const block of blocks) {
      const { kind, dimension, quality } = block;
      check(block, await rowsOf(kind, dimension), "item");
      if (quality === undefined) continue;
      const rows = await rowsOf("rater_quality", dimension);
      expect(rows.map((row) => row.rater_id).sort()).toEqual(Object.keys(quality).sort());
      for (const row of rows)
        compare("quality", "quality", row.quality, quality[row.rater_id as string] as number);
    }
    if (variant === "") expect(await warehouse.all("select * from audit_correctness")).toEqual([]);
  });

  test("by the emulator, in every variant", () => {
    for (const variant of ["", ...variantsOf(golden)]) {
      const convention = conventionWith(inputOf(variant));
      const counted = countedSlates(golden as Golden & ScoredStudy, convention);
      for (const block of blocksOf(golden, variant))
        check(
          block,
          score(block.kind as ScoredKind, block.dimension, counted, convention),
          "stimulus",
        );
    }
  });
});

describe("is_correct of every shape of meta", () => {
  type Flag = boolean | null;
  const cases = JSON.parse(read("test/golden/correctness.json")) as {
    score: number | null;
    meta: unknown;
    is_correct: Flag;
  }[];
  const wanted = cases.map((one) => one.is_correct);

  test("by the emulator", () => {
    expect(cases.map(({ score: own, meta }) => isCorrect(own, meta))).toEqual(wanted);
  });

  test.each<[string, (flag: Flag) => Flag, number]>([
    ["as published", (flag) => flag, 0],
    ["published inverted", (flag) => (flag === null ? true : !flag), cases.length],
  ])("in SQL, %s", async (_, published, differences) => {
    const warehouse = await loadRows({
      ratings: cases.map(({ score: own, meta, is_correct }, i) => ({
        ...{ experiment_id: "e", session_id: "s", slate_id: i, rater_id: "1", stimulus: "x" },
        ...{ score: own, meta: JSON.stringify(meta), is_correct: published(is_correct) },
        ...{ dimension: "", is_training: false },
      })),
    });
    await recomputeBehind(warehouse, ["audit_correctness"]);
    const flags = await warehouse.all("select is_correct from int_correctness order by slate_id");
    expect(flags.map((row) => row.is_correct)).toEqual(wanted);
    expect(await warehouse.all("select * from audit_correctness")).toHaveLength(differences);
    warehouse.close();
  });
});
