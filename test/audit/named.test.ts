import { expect, test } from "vitest";
import { describeFindings, findingText } from "../../src/audit/index.js";
import { auditorOfBoards } from "../support/audited-board.js";
import { isWhole } from "../support/whole.js";

const { reportOf } = auditorOfBoards("recount-named");

const asMeasured =
  "select model, case model when 'yew' then '999.3595395934345' else rating end as rating from board";

async function toldOf(
  mapping: string,
  decimals: number,
  by: Readonly<Record<string, number>>,
  shown = (elo: number): number => elo,
) {
  const report = await reportOf(mapping, {
    "board.csv": (text) =>
      text.replaceAll(/^(.+),([\d.]+)$/gm, (_, item: string, value: string) => {
        return `${item},${shown(Number(value) + (by[item] ?? 0)).toFixed(decimals)}`;
      }),
  });
  const [view, ...others] = describeFindings(report);
  expect(others).toEqual([]);
  if (view!.isExplained)
    for (const { published, recomputed, difference } of view!.numbers) {
      expect(difference).toBe(published! - recomputed!);
      expect(Math.abs(difference!)).toBeLessThan(100);
    }
  return { text: findingText(view!), alone: findingText(view!, true), verdict: view!.verdict };
}

test("one raised number is named, in the board's unit, with the place that it takes", async () => {
  const { text, alone, verdict } = await toldOf("anchor/a.yaml", 1, { yew: 90 });
  expect(text).toMatch(
    /^yew: 1089\.4 published, 999\.4 recomputed \(\+90(?:\.0\d)?\), so third instead of fourth\. 5 of 6 /,
  );
  expect(alone).toBe(text);
  expect(verdict).toBe("unexplained");
});

test("a board published twice is two places, each with its own ranks and differences", async () => {
  const report = await reportOf("anchor/a.yaml", {
    "board.csv": (text) => text.replace(/^yew,.*$/m, "yew,1089.4"),
    "a.yaml": (text) =>
      text
        .replace("board.csv", `board.csv, paper: { sql: ${JSON.stringify(asMeasured)} }`)
        .concat("  - { kind: bradley_terry, from: paper, item: model, value: rating }\n"),
  });
  const told = describeFindings(report).map((view) => [view.places, view.named]);
  expect(told).toEqual([
    [["results/board"], [expect.stringMatching(/^yew: .* third instead of fourth\.$/)]],
    [["results/paper"], []],
  ]);
});

test.runIf(isWhole)("no number is named where all follow, or nothing does", async () => {
  expect((await toldOf("anchor/a.yaml", 1, {})).text).toMatch(/^all 6 numbers match when /);
  const none = await toldOf("anchor/a.yaml", 1, { ash: 11, box: -37, elm: 5, fir: 70, oak: -63 });
  expect(none).toMatchObject({ text: expect.not.stringMatching(/published/) as string });
});

test("why no number is named: the decimals are too coarse to tell the unit", async () => {
  const { text } = await toldOf("anchor/a.yaml", 2, { yew: 90 }, (elo) => (elo - 1114) / 400);
  expect(text).toMatch(/no item is named, as the decimals are too coarse to tell the unit\.$/);
});
