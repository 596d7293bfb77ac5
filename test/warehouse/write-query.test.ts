import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWarehouse, type QueryFormat, type Warehouse } from "../../src/warehouse/index.js";

const sql = `
  select i as "big id", (i * 0.5)::double as half, 'n' || i as name, i % 2 = 0 as even, null::varchar as nothing,
    timestamptz '2026-03-05 04:38:00.123456+00' as at, [i, 2] as list, 9007199254740993 as exact
  from range(5000) as t(i) order by i;`;

describe("a query's rows in a file", () => {
  let warehouse: Warehouse;
  const dir = mkdtempSync(join(tmpdir(), "recount-query-"));
  beforeAll(async () => {
    warehouse = await openWarehouse({ sources: {} });
  });
  afterAll(() => {
    warehouse.close();
    rmSync(dir, { recursive: true });
  });
  const write = async (format: QueryFormat) => {
    const file = join(dir, `out.${format}`);
    await warehouse.writeQuery(sql, format, file);
    return file;
  };

  it("as Arrow keeps every row, type and digit", async () => {
    const table = tableFromIPC(readFileSync(await write("arrow")));
    expect(table.numRows).toBe(5000);
    expect(table.schema.fields.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      "big id: Int64",
      "half: Float64",
      "name: Utf8",
      "even: Bool",
      "nothing: Utf8",
      "at: Timestamp<MICROSECOND, UTC>",
      "list: Utf8",
      "exact: Int64",
    ]);
    const row = table.get(4999)?.toJSON() as Record<string, unknown>;
    expect(row).toMatchObject({
      "big id": 4999n,
      half: 2499.5,
      name: "n4999",
      even: false,
      nothing: null,
      list: "[4999, 2]",
      exact: 9007199254740993n,
    });
    expect((table.getChild("at")?.data[0]?.values as BigInt64Array)[0]).toBe(1772685480123456n);
  });

  it("as Arrow with no rows keeps the columns", async () => {
    const file = join(dir, "empty.arrow");
    await warehouse.writeQuery("select 1 as a, 'x' as b where false", "arrow", file);
    const table = tableFromIPC(readFileSync(file));
    expect([table.numRows, table.schema.names]).toEqual([0, ["a", "b"]]);
  });

  it("as CSV, JSON and Parquet", async () => {
    expect(readFileSync(await write("csv"), "utf8").split("\n")[0]).toBe("big id,half,name,even,nothing,at,list,exact");
    const json = readFileSync(await write("json"), "utf8");
    expect((JSON.parse(json) as unknown[]).length).toBe(5000);
    expect(json).toContain("9007199254740993");
    const parquet = await write("parquet");
    expect(await warehouse.all(`select count(*) as n, max(exact) as exact from read_parquet('${parquet}')`)).toEqual([
      { n: 5000, exact: 9007199254740993n },
    ]);
  });

  it("as safe CSV marks what a spreadsheet would run as a formula, in cells and names, and leaves numbers", async () => {
    const file = join(dir, "safe.csv");
    const cells = [
      "=1+1",
      "+a",
      "-a",
      "@a",
      "\t=1",
      "\r=1",
      "\n=1",
      "＝1",
      "a=1",
      " =1",
      "-5",
      "+1.5e3",
      "-5.",
      "'=1",
      "",
    ];
    const values = cells.map((cell) => `('${cell.replaceAll("'", "''")}')`).join(", ");
    await warehouse.writeQuery(`from (values ${values}) as t("=name")`, "csv", file, { csvSafe: true });
    const { rows, names } = await warehouse
      .all(`from read_csv('${file}', header = false, all_varchar = true, quote = '"', strict_mode = false)`)
      .then(([head, ...rest]) => ({
        names: Object.values(head ?? {}),
        rows: rest.map((row) => Object.values(row)[0]),
      }));
    expect(names).toEqual(["'=name"]);
    const plain = new Set(["a=1", " =1", "-5", "+1.5e3", "'=1", ""]);
    expect(rows.map((row) => row ?? "")).toEqual(cells.map((cell) => (plain.has(cell) ? cell : `'${cell}`)));
  });

  it("as safe CSV leaves every other type as it is, and plain CSV every cell", async () => {
    const typed =
      "select -5 as i, -1.5::decimal(4,2) as d, -2.5e10 as f, true as b, date '2026-01-02' as day, null as z";
    const texts: string[] = [];
    for (const csvSafe of [true, false]) {
      const file = join(dir, `typed-${String(csvSafe)}.csv`);
      await warehouse.writeQuery(typed, "csv", file, { csvSafe });
      texts.push(readFileSync(file, "utf8"));
    }
    expect(texts[0]).toBe(texts[1]);
    const file = join(dir, "plain.csv");
    await warehouse.writeQuery("select '=1+1' as x", "csv", file);
    expect(readFileSync(file, "utf8")).toBe("x\n=1+1\n");
  });

  it("fails with the engine's message", async () => {
    const wrong = warehouse.writeQuery("select nothing_here", "csv", join(dir, "x.csv"));
    await expect(wrong).rejects.toThrow(/The query failed: .*nothing_here/);
  });
});
