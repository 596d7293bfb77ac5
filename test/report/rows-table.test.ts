import stringWidth from "string-width";
import { expect, it } from "vitest";
import { markdownHeader, markdownRows, renderChecks, rowsTable } from "../../src/report/index.js";
import { textWidth } from "../../src/report/table.js";

const columns = [
  { name: "id", isNumber: true },
  { name: "name", isNumber: false },
  { name: "meta", isNumber: false },
];
const rows = [
  [1, "one", { a: [1, null] }],
  [10, null, null],
];

it("aligns numbers right, leaves nulls empty and says how many rows there are", () => {
  const table = rowsTable(columns, rows, undefined);
  expect([table.header, table.lines(rows)].join("\n")).toBe(
    'id  name  meta\n 1  one   {"a":[1,null]}\n10',
  );
  expect(table.footer(2, 2)).toBe("2 rows");
  expect(table.footer(2, 500)).toBe("500 rows, 2 shown. Pass --rows all to see all.");
});

it("hides the last columns that do not fit a terminal, and names them", () => {
  const table = rowsTable(columns, rows, 12);
  expect(table.header).toBe("id  name");
  expect(table.footer(2, 2)).toBe("2 rows\n1 column does not fit the terminal: meta.");
  expect(rowsTable(columns, rows, 1).header).toBe("id");
});

it("shortens a long cell on a terminal only", () => {
  const long = [[1, "x".repeat(100), "音".repeat(50)]];
  const shown = rowsTable(columns, long, 200).lines(long);
  expect(shown).toBe(` 1  ${"x".repeat(59)}…  ${"音".repeat(29)}…`);
  expect(rowsTable(columns, long, undefined).lines(long)).toContain("x".repeat(100));
});

it("rounds numbers that are not whole on a terminal only", () => {
  const numbers = [{ name: "value", isNumber: true }];
  const values = [[1 / 3], [1234.56789], [1234567.89], [12345678]];
  expect(rowsTable(numbers, values, 80).lines(values).trim().split(/\s+/)).toEqual([
    "0.333333",
    "1234.57",
    "1234568",
    "12345678",
  ]);
  expect(rowsTable(numbers, values, undefined).lines(values)).toContain("0.3333333333333333");
});

it("takes the width of printable ASCII from its length, as string-width does", () => {
  const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join("");
  expect(textWidth(ascii)).toBe(stringWidth(ascii));
  expect(["é", "音", "a\u0301", "👩‍🚀"].map(textWidth)).toEqual([1, 2, 1, 2]);
});

it("keeps a row in one line whatever its cells and names hold", () => {
  const odd = [{ name: "a\nb", isNumber: false }];
  const table = rowsTable(odd, [["x\ny\u001b[31m"]], undefined);
  expect(table.header).toBe("a\\nb");
  expect(table.lines([["x\ny\u001b[31m"]])).toBe("x\\ny\\u001b[31m");
});

it("writes Markdown whose cells cannot end a cell or begin markup", () => {
  expect(markdownHeader(columns)).toBe("| id | name | meta |\n| --: | --- | --- |");
  expect(markdownRows([[1, "a|b\nc", "<b>&"]])).toBe("| 1 | a\\|b\\\\nc | &lt;b>&amp; |");
});

it("lists failing checks, errors first", () => {
  const checks = (["warning", "error"] as const).map((name) => ({ name, rows: 2, severity: name }));
  expect(renderChecks(checks)).toMatch(/^.*0 of 2 pass.\n {2}error: .*\n {2}warning: /);
});
