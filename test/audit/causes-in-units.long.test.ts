import { describe, expect, test } from "vitest";
import { auditExitCode, describeFindings } from "../../src/audit/index.js";
import { seededRandom } from "../../src/platform/random.js";
import {
  eloOf,
  eloScale,
  errorsOf,
  mapped,
  recordsOf,
  worthsOf,
  type Duel,
  type Ratings,
} from "../support/audit/bed/plain.js";
import { studyReader } from "../support/study-reader.js";
import { everyNth } from "../support/whole.js";

type Vote = Duel & { readonly rater: number };
const items = Array.from({ length: 12 }, (_, i) => `m${String(i + 1).padStart(2, "0")}`);
const random = seededRandom(48);
const votes: Vote[] = Array.from({ length: 2400 }, (_, i) => {
  const [x, y] = [Math.floor(12 * random()), Math.floor(11 * random())];
  const [one, two] = [Math.min(x, y < x ? y : y + 1), Math.max(x, y < x ? y : y + 1)];
  const chance = 1 / (1 + Math.exp(0.13 * (one - two)));
  const share = random() < 0.15 ? 0.5 : random() < chance ? 1 : 0;
  const rater = random() < 0.15 ? 0 : 1 + Math.floor(40 * random());
  return { a: items[one]!, b: items[two]!, share, rater, session: i };
});

type Numbers = ReadonlyMap<string, readonly [value: number, low: number, high: number]>;
const worths = (scale: number, level: number) => (of: readonly Vote[]) => {
  const errors = errorsOf(of);
  return mapped(worthsOf(of), (log, item) => {
    const half = 1.959963984540054 * scale * errors.get(item)!;
    return [level + scale * log, -half, half] as const;
  });
};
const percent = (of: readonly Vote[]) =>
  mapped(recordsOf(of), ({ wins, n }) => {
    const [p, z] = [wins / n, 1.959963984540054 / Math.sqrt(n)];
    const half = z * Math.sqrt(p * (1 - p) + (z * z) / 4);
    const end = (sign: number) => (100 * (p + (z * z) / 2 + sign * half)) / (1 + z * z) - 100 * p;
    return [100 * p, end(-1), end(1)] as const;
  });
const fraction = (of: readonly Vote[]) =>
  mapped(percent(of), (all) => all.map((of) => of / 100) as [number, number, number]);
const elo = (of: readonly Vote[]) =>
  mapped(eloOf(of, { start: 1500 }), (value) => [value, NaN, NaN] as const);

/** How a unit is published, in decimals, the convention without ties, and how ends are published. */
const units: Record<
  string,
  readonly [string, (of: readonly Vote[]) => Numbers, number, string, string]
> = {
  "Elo scale around 1003": [
    "bradley_terry",
    worths(eloScale, 1003.2),
    1,
    "ties=exclude",
    "offsets",
  ],
  "log worths": ["bradley_terry", worths(1, 0), 4, "ties=exclude", "ends"],
  "a hundred logs from 500": ["bradley_terry", worths(100, 500), 2, "ties=exclude", "ends"],
  "online Elo from 1500": ["elo", elo, 1, "ties=skip", "none"],
  percent: ["percent_chosen", percent, 2, "ties=exclude", "offsets"],
  "shares as fractions": ["percent_chosen", fraction, 3, "ties=exclude", "ends"],
  "shares as fractions, alone": ["percent_chosen", fraction, 3, "ties=exclude", "none"],
};

type Change = readonly [
  (of: Vote[]) => Vote[],
  (numbers: Ratings) => Ratings,
  string[],
  widths?: number,
];
const same = <T>(of: T): T => of;
const raised = (numbers: Ratings): Ratings => {
  const all = [...numbers.values()];
  const by = 0.08 * (Math.max(...all) - Math.min(...all));
  return mapped(numbers, (value, item) => value + (item === "m06" ? by : 0));
};
const swapped = (numbers: Ratings): Ratings => {
  const other: Record<string, string> = { m03: "m09", m09: "m03" };
  return mapped(numbers, (_, item) => numbers.get(other[item] ?? item)!);
};
const strange = "one without votes";
const causes: Record<string, Change> = {
  [strange]: [same, same, ["p01"]],
  exact: [same, same, []],
  "one raised": [same, raised, ["m06"]],
  "two swapped": [same, swapped, ["m03", "m09"]],
  "a rater left out": [(of) => of.filter(({ rater }) => rater !== 0), same, []],
  "ties left out": [(of) => of.filter(({ share }) => share !== 0.5), same, []],
  "a rater and ties left out": [
    (of) => of.filter(({ rater, share }) => rater !== 0 && share !== 0.5),
    same,
    [],
  ],
  "intervals narrowed by a tenth": [same, same, [], 0.9],
  "1 % of votes dropped": [(of) => of.filter((_, i) => i % 100 !== 7), same, []],
};

const { readStudy, auditOf } = studyReader("recount-causes-in-units");
const header = "id,left,right,winner,judge";
const file = votes.map(({ a, b, share, rater }, i) => {
  const winner = share === 0.5 ? "tie" : share === 1 ? "left" : "right";
  return [i, a, b, winner, `u${rater}`].join(",");
});

async function auditedAs(unit: string, cause: string, isStated: boolean) {
  const [kind, of, decimals, , form] = units[unit]!;
  const [counted, changed, , widths = 1] = causes[cause]!;
  const numbers = of(counted(votes));
  const published = changed(mapped(numbers, ([value]) => value));
  // What is changed is a value: its offsets stay, or its ends.
  const board = [...numbers].map(([item, [value, low, high]]) => {
    const shown = (number: number): string => number.toFixed(decimals);
    const [down, up] = [shown(widths * low), shown(widths * high)];
    const ends = [shown(value + widths * low), shown(value + widths * high)];
    const interval = { none: [], ends, offsets: [`+${up}/${down}`] }[form]!;
    return [item, shown(published.get(item)!), ...interval].join();
  });
  if (cause === strange) board.splice(3, 0, board[7]!.replace(/^m\d+/, "p01"));
  const [columns, fields] = {
    none: ["", ""],
    ends: [",low,high", ", fields: { ci_low: low, ci_high: high }"],
    offsets: [",ci", ", fields: { ci_low: ci, ci_high: ci }"],
  }[form]!;
  const mapping = `
study: { id: arena, type: pairwise }
files: { votes: votes.csv, board: board.csv }
comparisons:
  from: votes
  key: [id]
  order: row
  rater: judge
  left: left
  right: right
  winner: { column: winner, values: { left: left, right: right, tie: tie } }
published:
  - { ${isStated ? `kind: ${kind}, ` : ""}from: board, item: model, value: score${fields} }
`;
  const study = await readStudy(mapping, {
    "votes.csv": [header, ...file, ""].join("\n"),
    "board.csv": [`model,score${columns}`, ...board, ""].join("\n"),
  });
  return auditOf(study);
}

const cases = Object.keys(units).flatMap((unit) =>
  Object.keys(causes).flatMap((cause) => [true, false].map((is) => [unit, cause, is] as const)),
);

describe("a board of twelve", () => {
  test.each(everyNth(cases, 7))("%s, %s, its kind stated: %s", async (unit, cause, isStated) => {
    const report = await auditedAs(unit, cause, isStated);
    const [, , , ties, form] = units[unit]!;
    const [, , wrong] = causes[cause]!;
    const named = describeFindings(report).flatMap((finding) => finding.named);
    expect(named.map((text) => text.split(":")[0]).sort()).toEqual(wrong);
    if (wrong.length > 0 && cause !== strange)
      expect(report.summary).toMatchObject({ unexplained: wrong.length, inconclusive: 0 });
    // What nothing explains is as far off in the board's unit as its numbers are apart.
    const mains = report.rows.filter(({ field }) => field === "value");
    const spread =
      Math.max(...mains.map((row) => row.published!)) -
      Math.min(...mains.map((row) => row.published!));
    for (const { difference } of mains)
      expect(Math.abs(difference ?? 0)).toBeLessThanOrEqual(spread);
    const code = auditExitCode(report.summary, report.correctness);
    const isUnstated = !isStated || /Elo scale|logs|fractions/.test(unit);
    const said = report.rows.map(({ explanation }) => explanation ?? "").join();
    if (cause.startsWith("a rater")) expect(said).toContain("without_rater=u0");
    if (cause.endsWith("ties left out")) expect(said).toContain(ties);
    const isExplained = wrong.length === 0 && !cause.startsWith("1 %");
    const isSame = cause === "exact" || (form === "none" && cause.startsWith("intervals"));
    const isExact = isSame && !isUnstated;
    expect(code).toBe(isExplained ? (isExact ? 0 : 2) : 1);
  });
});
