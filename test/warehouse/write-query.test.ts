import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWarehouse, type QueryFormat, type Warehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";

const sql = `
  select i as "big id", (i * 0.5)::double as half, 'n' || i as name, i % 2 = 0 as even, null::varchar as nothing,
    timestamptz '2026-03-05 04:38:00.123456+00' as at, [i, 2] as list, 9007199254740993 as exact
  from range(5000) as t(i) order by i;`;

describe("a query's rows in a file", () => {
  let warehouse: Warehouse;
  const dir = folderOfTests("recount-query");
  beforeAll(async () => {
    warehouse = await openWarehouse({ sources: {} });
  });
  afterAll(() => warehouse.close());
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
      "list: List<Int64>",
      "exact: Int64",
    ]);
    const row = table.get(4999)?.toJSON() as Record<string, unknown>;
    expect(row).toMatchObject({
      "big id": 4999n,
      half: 2499.5,
      name: "n4999",
      even: false,
      nothing: null,
      exact: 9007199254740993n,
    });
    expect((row.list as { toArray(): BigInt64Array }).toArray()).toEqual(
      BigInt64Array.of(4999n, 2n),
    );
    expect((table.getChild("at")?.data[0]?.values as BigInt64Array)[0]).toBe(1772685480123456n);
  });

  it("as Arrow keeps dates, times, decimals, lists, structs and maps as such, with their nulls", async () => {
    const rows = `select * from (values
      (1::tinyint, 1.25::decimal(9,2), date '2026-01-02', time '01:02:03.5', timestamp_ns '2026-01-02 03:04:05.123456789',
        [date '2026-01-02', null], {'a': 1, 'b': ['x', null]}, map {'k': 1.5::decimal(4,1)}, '\\x01'::blob, true,
        170141183460469231731687303715884105727::hugeint // 10, 'plum'::enum('pear', 'plum'), uuid '00000000-0000-0000-0000-000000000001', [1, 2]::int[2]),
      (null, null, null, null, null, null, null, null, null, null, null, null, null, null),
      (-1, -99.01, date '1969-12-31', time '00:00', null, [], {'a': null, 'b': null}, map {}, '', false, -1, 'pear', null, [3, null]))
      as t(tiny, dec, day, clock, nanos, days, pair, dict, bytes, flag, huge, word, id, two)`;
    const file = join(dir, "typed.arrow");
    await warehouse.writeQuery(rows, "arrow", file);
    const bytes = readFileSync(file);
    expect([bytes.subarray(0, 6).toString(), bytes.subarray(-6).toString()]).toEqual([
      "ARROW1",
      "ARROW1",
    ]);
    const table = tableFromIPC(bytes);
    expect(table.schema.fields.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      "tiny: Int8",
      "dec: Decimal[9e+2]",
      "day: Date32<DAY>",
      "clock: Time64<MICROSECOND>",
      "nanos: Timestamp<NANOSECOND>",
      "days: List<Date32<DAY>>",
      "pair: Struct<{a:Int32, b:List<Utf8>}>",
      "dict: Map<{key:Utf8, value:Decimal[4e+1]}>",
      "bytes: Binary",
      "flag: Bool",
      "huge: Decimal[38e0]",
      "word: Utf8",
      "id: Utf8",
      "two: List<Int32>",
    ]);
    expect(table.schema.names.map((name) => table.getChild(name)?.nullCount)).toEqual([
      1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1,
    ]);
    const plain: unknown = JSON.parse(
      JSON.stringify(table.getChild("pair")?.toArray(), (_, value: unknown) => value),
    );
    expect(plain).toEqual([{ a: 1, b: ["x", null] }, null, { a: null, b: null }]);
    expect(table.getChild("tiny")?.toJSON()).toEqual([1, null, -1]);
    expect(table.getChild("word")?.toJSON()).toEqual(["plum", null, "pear"]);
    expect(table.getChild("flag")?.toJSON()).toEqual([true, null, false]);
    expect((table.getChild("day")?.data[0]?.values as Int32Array)[2]).toBe(-1);
    expect(
      Array.from((table.getChild("dec")?.data[0]?.values as Uint32Array).subarray(8, 12)),
    ).toEqual([2 ** 32 - 9901, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 32 - 1]);
    expect(Array.from((table.getChild("days")?.data[0]?.valueOffsets ?? []) as Int32Array)).toEqual(
      [0, 2, 2, 2],
    );
  });

  it("as JSON lines, and only the first rows with a limit", async () => {
    const file = join(dir, "three.jsonl");
    await warehouse.writeQuery(sql, "jsonl", file, { limit: 3 });
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { half: number }).half)).toEqual([0, 0.5, 1]);
  });

  it("as CSV, JSON and Parquet", async () => {
    expect(readFileSync(await write("csv"), "utf8").split("\n")[0]).toBe(
      "big id,half,name,even,nothing,at,list,exact",
    );
    const json = readFileSync(await write("json"), "utf8");
    expect((JSON.parse(json) as unknown[]).length).toBe(5000);
    expect(json).toContain("9007199254740993");
    const parquet = await write("parquet");
    expect(
      await warehouse.all(
        `select count(*) as n, max(exact) as exact from read_parquet('${parquet}')`,
      ),
    ).toEqual([{ n: 5000, exact: 9007199254740993n }]);
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
    await warehouse.writeQuery(`from (values ${values}) as t("=name")`, "csv", file, {
      csvSafe: true,
    });
    const { rows, names } = await warehouse
      .all(
        `from read_csv('${file}', header = false, all_varchar = true, quote = '"', strict_mode = false)`,
      )
      .then(([head, ...rest]) => ({
        names: Object.values(head ?? {}),
        rows: rest.map((row) => Object.values(row)[0]),
      }));
    expect(names).toEqual(["'=name"]);
    const plain = new Set(["a=1", " =1", "-5", "+1.5e3", "'=1", ""]);
    expect(rows.map((row) => row ?? "")).toEqual(
      cells.map((cell) => (plain.has(cell) ? cell : `'${cell}`)),
    );
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
});
