import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { isWhole } from "../support/whole.js";

const folder = folderOfTests("recount-published");

const items = ["Ash", "Birch", "Cedar", "Elm", "Fir"];
const battles = Array.from({ length: 400 }, (_, i) => {
  const left = (i * 7 + (i >> 2)) % 5;
  const right = (left + 1 + ((i * 3) % 4)) % 5;
  const chance = (i * 37) % 100;
  const lead = (left - right) * 9;
  const winner = chance < 12 ? "tie" : chance < 56 + lead ? "left" : "right";
  return { left: items[left]!, right: items[right]!, winner };
});

/**
 * Worths of highest likelihood by Ford's iteration, or Davidson's (1970) with a parameter for ties: other algorithms than
 * the audit's. Without the parameter a tie is half a win.
 */
function worths(hasTies: boolean): Map<string, number> {
  let worth = new Map(items.map((item) => [item, 1]));
  let tie = 0;
  const share = { left: 1, tie: 0.5, right: 0 } as const;
  const meets = (item: string) =>
    [...battles.entries()].filter(([, { left, right }]) => left === item || right === item);
  const met = new Map(items.map((item) => [item, meets(item)]));
  const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0);
  for (let round = 0, change = 1; round < 5000 && change > 1e-15; round++) {
    const chances = battles.map(({ left, right }) => {
      const [a, b] = [worth.get(left)!, worth.get(right)!];
      return { a, b, all: a + b + tie * Math.sqrt(a * b) };
    });
    const next = items.map((item) => {
      const own = met.get(item)!;
      const won = own.map(([, { left, winner }]) => {
        const ofLeft = share[winner as keyof typeof share];
        return left === item ? ofLeft : 1 - ofLeft;
      });
      const rest = own.map(([i, { left }]) => {
        const { a, b, all } = chances[i]!;
        return (1 + (tie / 2) * Math.sqrt(left === item ? b / a : a / b)) / all;
      });
      return [item, sum(won) / sum(rest)] as const;
    });
    if (hasTies)
      tie =
        battles.filter(({ winner }) => winner === "tie").length /
        sum(chances.map(({ a, b, all }) => Math.sqrt(a * b) / all));
    change = Math.max(...next.map(([item, value]) => Math.abs(value / worth.get(item)! - 1)));
    worth = new Map(next);
  }
  return worth;
}

const centred = (found: ReadonlyMap<string, number>) => {
  const mean = items.reduce((all, item) => all + Math.log(found.get(item)!), 0) / items.length;
  return new Map(items.map((item) => [item, Math.log(found.get(item)!) - mean]));
};
const found = worths(false);
const logs = centred(found);
const davidson = centred(worths(true));
const sum = [...found.values()].reduce((a, b) => a + b);
const wins = (item: string) =>
  battles.filter(
    ({ left, right, winner }) =>
      (winner === "left" ? left : winner === "right" ? right : "") === item,
  );
const n = (item: string) =>
  battles.filter(({ left, right }) => left === item || right === item).length;

const boards: Readonly<Record<string, (item: string) => number>> = {
  "natural logarithms": (item) => logs.get(item)!,
  "half of them": (item) => logs.get(item)! / 2,
  "half of them with Davidson's ties": (item) => davidson.get(item)! / 2,
  "worths that sum to 1": (item) => found.get(item)! / sum,
  "worths around 1": (item) => Math.exp(logs.get(item)!),
  "Elo scale": (item) => 1000 + (400 * logs.get(item)!) / Math.LN10,
  "relative to Elm": (item) => logs.get(item)! - logs.get("Elm")!,
  "percent chosen": (item) => (100 * wins(item).length) / n(item),
  "none that is known": (item) => Math.sin(17 * found.get(item)!) + 3,
};

async function auditOf(
  name: string,
  kind: string,
): Promise<{ kind: string; verdict: string; explanation: string }[]> {
  const stem = `${name}-${kind}`.replaceAll(/\W+/g, "-");
  const path = (end: string) => join(folder, `${stem}${end}`);
  const lines = battles.map(({ left, right, winner }) => `${left},${right},${winner}`);
  writeFileSync(path(".csv"), `left,right,winner\n${lines.join("\n")}\n`);
  const sign = name.startsWith("percent") ? "%" : "";
  const numbers = items.map((item) => `${item},${boards[name]!(item).toFixed(9)}${sign}`);
  writeFileSync(path("-board.csv"), `item,score\n${numbers.join("\n")}\n`);
  writeFileSync(
    path(".yaml"),
    `preset: evalica
study: { id: woods }
files: { votes: ${stem}.csv, board: ${stem}-board.csv }
published:
  - { ${kind} from: board, item: item, value: score }
`,
  );
  await recountHere(["import", path(".yaml"), "--lake", path("-lake")]);
  await recountHere(["audit", "--lake", path("-lake"), "--json", path(".json")]);
  const { rows } = JSON.parse(readFileSync(path(".json"), "utf8")) as {
    rows: { kind: string; verdict: string; explanation: string }[];
  };
  return rows.map((row) => ({
    kind: row.kind,
    verdict: row.verdict,
    explanation: row.explanation,
  }));
}

const five = (row: object) => Array.from({ length: 5 }, () => row);

describe("published numbers of a study without a service", () => {
  const forms = [
    ["natural logarithms", "exact", null],
    ["half of them", "unstated", "unit=half_log"],
    ["worths that sum to 1", "unstated", "unit=worth_sum"],
    ["worths around 1", "unstated", "unit=worth_mean"],
    ["Elo scale", "unstated", "unit=elo"],
    ["relative to Elm", "exact", null],
    ["half of them with Davidson's ties", "unstated", "ties=davidson unit=half_log"],
  ] as const;
  test.runIf(isWhole).each(forms)(
    "Bradley-Terry as %s is %s under %s",
    async (name, verdict, explanation) => {
      const rows = await auditOf(name, "kind: bradley_terry,");
      expect(rows).toEqual(five({ kind: "bradley_terry", verdict, explanation }));
    },
  );

  const unnamed = [
    ["natural logarithms", "bradley_terry", "kind=bradley_terry"],
    ["worths that sum to 1", "bradley_terry", "kind=bradley_terry unit=worth_sum"],
    ["percent chosen", "percent_chosen", "kind=percent_chosen"],
  ] as const;
  test.runIf(isWhole).each(unnamed)(
    "without a kind, %s are found to be %s",
    async (name, kind, explanation) => {
      expect(await auditOf(name, "")).toEqual(five({ kind, verdict: "unstated", explanation }));
    },
  );

  test.runIf(isWhole)("numbers that no kind gives do not follow, and the row says so", async () => {
    const rows = await auditOf("none that is known", "");
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatchObject({ kind: "", verdict: "unexplained" });
    expect(rows[0]?.explanation).toContain("no kind gives its numbers");
  });
});
