import { expect, it } from "vitest";
import { column } from "../../../src/report/document.js";
import { longTable, textOfHtml } from "../../../src/report/page/html.js";
import { columnOfNumbers } from "../../../src/report/numbers.js";

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
