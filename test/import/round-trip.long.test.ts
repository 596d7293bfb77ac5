import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import * as recount from "../../src/index.js";
import { importSnapshot, parseMapping } from "../../src/import/index.js";
import { testProject } from "../support/project.js";
import { publishedTable, ratingList, ratingRows } from "../support/study-files.js";

const { service, path, folder } = await testProject({});
const lake = path("lake");

type Cells = Readonly<Record<string, unknown>>;

const metricTables = [
  "win_loss",
  "percent_chosen",
  "percent_approved",
  "mean",
  "stats",
  "elo",
  "bayesian_elo",
  "bradley_terry",
  "stats_clustered",
  "elo_order",
  "raters",
];

async function metricsOf(of: { lake: string; project?: string }, experiment: string) {
  const snapshot = await recount.openSnapshot(of);
  const tables: Record<string, unknown> = {};
  for (const name of metricTables)
    tables[name] = await snapshot.query(
      `select * from metric_${name} where experiment_id = '${experiment}' order by all`,
    );
  snapshot.close();
  return tables;
}

async function auditOf(of: { lake: string; project?: string }, experiment: string) {
  const { numbers } = await recount.audit(of);
  return numbers.filter(
    (one) => one.experiment_id === experiment && one.published_in === "results",
  );
}

let experiments: readonly Cells[];
const exported = new Map<string, Promise<readonly unknown[]>>();

const resultsOf = (of: { lake: string }, experiment: string) =>
  Promise.all([metricsOf(of, experiment), auditOf(of, experiment)]);

beforeAll(async () => {
  const credentials = { apiKey: service.apiKey };
  await recount.exportSnapshot({
    baseUrl: service.url,
    project: service.projectId,
    lake,
    credentials,
  });
  const snapshot = await recount.openSnapshot({ lake });
  experiments = await snapshot.query(
    "select id, name, type from experiments where id in (select experiment_id from results) order by id",
  );
  snapshot.close();
}, 60_000);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

async function writeTable(
  file: string,
  rows: readonly Cells[],
  format: string,
  names: readonly string[],
  decimal: string,
) {
  const text = (value: unknown) => {
    if (value === null || value === undefined) return "";
    if (typeof value === "number" && decimal === ",") return String(value).replace(".", ",");
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  if (format === "jsonl")
    writeFileSync(
      file,
      rows
        .map((row) =>
          JSON.stringify(
            Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
            (_, value: unknown) => (typeof value === "bigint" ? Number(value) : value),
          ),
        )
        .join("\n"),
    );
  else {
    const separator = format === "tsv" ? "\t" : ";";
    const line = (cells: readonly string[]) =>
      cells
        .map((cell, i) => (i % 2 === 0 || /[;"\t\n]/.test(cell) ? quoted(cell) : cell))
        .join(separator);
    writeFileSync(
      file,
      [line(names), ...rows.map((row) => line(names.map((name) => text(row[name]))))].join("\r\n"),
    );
  }
  if (format !== "parquet") return;
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `copy (from read_csv('${file}', delim = ';', header = true, all_varchar = true)) to '${file}.parquet' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
}

const layouts = fc.record({
  format: fc.constantFrom("csv", "tsv", "jsonl", "parquet"),
  decimal: fc.constantFrom(".", ","),
  order: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
  truth: fc.constantFrom(["true", "false"], ["yes", "no"], ["T", "F"]),
  place: fc.nat(),
});

test("an export written as a file in any layout has the same metrics and audit, bit by bit", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(layouts, async ({ format, decimal: sign, order, truth, place }) => {
      const { id, name, type } = experiments[place % experiments.length] as Record<string, string>;
      const snapshot = await recount.openSnapshot({ lake });
      const rows = await snapshot.query(
        `${ratingRows} where r.experiment_id = '${id}' order by hash(r.slate_id + ${place}), r.dimension, r.stimulus`,
      );
      const results = await snapshot.query(
        `select kind, dimension, source, scores, options from results where experiment_id = '${id}' order by all`,
      );
      snapshot.close();
      const decimal = format === "jsonl" ? "." : sign;
      const flag = (value: unknown) => (value === null ? "" : value === true ? truth[0] : truth[1]);
      const spelled = rows.map((row) => ({
        ...row,
        is_training: flag(row.is_training),
        is_correct: flag(row.is_correct),
      }));
      const names = Object.keys(rows[0] ?? {})
        .map((column, i) => ({ column, at: order[i] ?? 0 }))
        .toSorted((a, b) => a.at - b.at || (a.column < b.column ? -1 : 1))
        .map(({ column }) => column);
      const base = join(folder, `${run++}`);
      const file = `${base}.${format === "parquet" ? "csv" : format}`;
      await writeTable(file, spelled, format, names, decimal);
      const files: Record<string, unknown> = {
        ratings:
          format === "parquet"
            ? { path: `${file}.parquet`, decimal }
            : { path: file, decimal, ...(format === "csv" ? { delimiter: ";" } : {}) },
      };
      const published = [];
      for (const [i, { kind, dimension, source, scores, options }] of results.entries()) {
        const entries = JSON.parse(scores as string) as Cells[];
        const columns = Object.keys(entries[0] ?? {});
        await writeTable(`${base}-${i}.jsonl`, entries, "jsonl", columns, ".");
        files[`board${i}`] = `${base}-${i}.jsonl`;
        published.push(publishedTable(`board${i}`, { kind, dimension, source, options }, columns));
      }
      const spellings = { values: { true: truth[0], false: truth[1] } };
      const mapping = {
        study: { id, name, type },
        files,
        ratings: {
          ...ratingList,
          training: { column: "is_training", ...spellings },
          correct: { column: "is_correct", ...spellings },
        },
        published,
      };
      const own = `${base}-lake`;
      const report = await importSnapshot(
        await parseMapping(join(folder, "m.yaml"), stringify(mapping)),
        {
          lake: own,
        },
      );
      expect(report).toMatchObject({ quarantined: 0, shortfalls: [] });
      const expected = exported.get(id ?? "") ?? resultsOf({ lake }, id ?? "");
      exported.set(id ?? "", expected);
      expect(await resultsOf({ lake: own }, id ?? "")).toEqual(await expected);
    }),
    { numRuns: Number(process.env.RECOUNT_RUNS ?? 3), seed: 7, endOnFailure: true },
  );
}, 300_000);
