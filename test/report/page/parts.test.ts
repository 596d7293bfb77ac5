import { expect, it } from "vitest";
import type { AuditRow } from "../../../src/audit/index.js";
import { partTablesOf, type Board } from "../../../src/report/page/boards.js";

import { column } from "../../../src/report/document.js";
import { longTable, textOfHtml, pageLimits } from "../../../src/report/page/html.js";
import { columnOfNumbers } from "../../../src/report/numbers.js";
import { scorePlot } from "../../../src/report/page/plots.js";
import { partTable } from "../../../src/report/page/sections/rankings.js";
import { reportOf, row } from "../../support/audit-report.js";

const rowsOf = (
  source: string,
  place: string,
  published: Record<string, number>,
  recomputed = published,
) =>
  Object.entries(published).map(([item, number]) => {
    const verdict = number === recomputed[item] ? "exact" : "unexplained";
    const rest = {
      kind: "elo",
      source,
      published_in: place,
      published: number,
      recomputed: recomputed[item] ?? null,
    };
    return row(item, verdict, rest);
  });

const whole = rowsOf("", "results", { a: 2010.5, b: 1990.5, c: 1950 });
const board = {
  ...{
    kind: "elo",
    dimension: "",
    field: "value",
    places: ["results", "metrics"],
    more: 0,
  },
  ...{
    rows: whole.map((row) => ({ row, beside: undefined })),
  },
  ...{ interval: "", others: { numbers: 0, differing: [] } },
} as unknown as Board;

function shown(rows: AuditRow[], boards: readonly Board[] = [board]): string {
  const tables = partTablesOf(reportOf(rows))("exp1", boards);
  const markup = tables.map((table) => textOfHtml(partTable(table))).join("\n");
  return markup
    .replace(/<details\s+open>/g, "(open) ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

it("shows the rankings of jobs beside that of all ratings, in its order", () => {
  const jobs = [
    ...rowsOf("j1", "results", { c: 1940, a: 2020 }),
    ...rowsOf("j1", "metrics", { c: 1940, a: 2020 }),
  ];
  expect(shown([...whole, ...jobs, ...rowsOf("", "metrics", { a: 2010.5 })])).toMatch(
    /^Rankings of 1 job online Elo as published.* Item all ratings job j1 ✓ 4 a 2010\.5 2020 c 1950\.0 1940$/,
  );
});

it("unfolds a job of which a number does not follow, with the recomputed number and its verdict", () => {
  const job = rowsOf("j1", "results", { a: 2020, b: 1980 }, { a: 2020, b: 1981 });
  expect(shown([...whole, ...job])).toMatch(
    /^\(open\) Rankings .* job j1 ✗ 1 of 2 a 2010\.5 2020 b 1990\.5 1980 ✗ 1981$/,
  );
});

it("says of a job that has the ranking of the whole experiment only that", () => {
  const job = rowsOf("j1", "results", { a: 2010.5, b: 1990.5, c: 1950 });
  expect(shown([...whole, ...job])).toBe(
    "The ranking of job j1 is that of the whole experiment, number for number.",
  );
});

it("shows a list with other numbers for the whole experiment, and jobs of an experiment without numbers of its own", () => {
  const list = rowsOf("", "leaderboard Spring", { b: 1980 }, { b: 1990.5 });
  expect(shown([...whole, ...list])).toMatch(
    /^\(open\) Rankings of 1 other list .* leaderboard Spring ✗ 1 of 1 b 1990\.5 1980 ✗/,
  );
  expect(shown(rowsOf("j1", "results", { a: 1, b: 2 }), [])).toMatch(/ Item job j1 ✓ 2 b 2 a 1$/);
});

it("shows a bounded number of jobs, those with differences first, and counts the others", () => {
  const jobs = Array.from({ length: pageLimits.parts + 3 }, (_, i) =>
    rowsOf(`j${i}`, "results", { a: i }),
  ).flat();
  expect(shown([...whole, ...jobs])).toMatch(/ 3 more rankings are not shown\.$/);
  const wrong = rowsOf("late", "results", { a: 5 }, { a: 6 });
  expect(shown([...whole, ...jobs, ...wrong])).toMatch(
    / Item all ratings job late ✗ 1 of 1 job j0 .* 4 more rankings/,
  );
});

it("marks the ends of an interval that are beyond the scale", () => {
  const plot = (low: number, high: number) =>
    textOfHtml(
      scorePlot({
        ...{ dimension: "", scores: [1, 2, 3, 4, 5], width: 0, more: 0 },
        items: [
          {
            item: "a",
            counts: [0, 0, 0, 1, 3],
            n: 4,
            mean: 4.75,
            clustered_ci_low: low,
            clustered_ci_high: high,
          },
        ],
      }),
    );
  expect(plot(4.2, 5.3).match(/>[◂▸]</g)).toBe(null);
  expect(plot(4.2, 6.1).match(/>[◂▸]</g)).toEqual([">▸<"]);
  expect(plot(0.1, 6.1).match(/>[◂▸]</g)).toEqual([">◂<", ">▸<"]);
  expect(plot(0.1, 6.1)).toContain("the interval goes beyond the scale");
});

it("shows the own number of each row that is folded, with the decimals of all", () => {
  const rows = [{ value: 10.25 }, { value: 20 }, { value: 30 }];
  const columns = [column.aligned("Value", ({ value }: { value: number }) => value)];
  const markup = textOfHtml(
    longTable(rows, columns, { caption: "", label: "", what: "item", unfolded: 1 }),
  );
  expect([...markup.matchAll(/<th scope="row"[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
    "10.25",
    "20.00",
    "30.00",
  ]);
});

it("numbers of a column share their decimals, and none is a negative zero", () => {
  expect(columnOfNumbers([2.084, -0.0004, -0.02, 0, null], 2)).toEqual([
    "2.08",
    "0.00",
    "-0.02",
    "0.00",
    "-",
  ]);
});
