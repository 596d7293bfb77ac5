/** What an import makes of files, by its own functions in one engine, without a lake. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { auditedModels, publishedModels } from "../../src/audit/lake.js";
import { auditSnapshot, type AuditOptions } from "../../src/audit/audit.js";
import type { AuditReport } from "../../src/audit/index.js";
import type { TableName } from "../../src/contract/index.js";
import { createElementsOf } from "../../src/extract/export.js";
import type { RowWriter } from "../../src/extract/index.js";
import { convertToPart } from "../../src/extract/part.js";
import { convertLists, screenAll } from "../../src/import/import.js";
import { parseMapping } from "../../src/import/mapping.js";
import { withQueries } from "../../src/import/queries.js";
import type { Imported, Unit } from "../../src/lake/index.js";
import { defaultConventions } from "../../src/metrics/index.js";
import { RecountError, silentLog } from "../../src/platform/index.js";
import {
  modelsOnDemand,
  openWarehouse,
  type MakeModels,
  type Row,
  type Warehouse,
} from "../../src/warehouse/index.js";
import { sourceView } from "../../src/warehouse/parquet.js";
import { snapshot } from "./audit/published-case.js";
import { folderOfTests } from "./folder.js";

type Records = Partial<Record<TableName, readonly object[]>>;

export interface ReadStudy {
  /** Of a command that imports it: 0 whole, 2 with records in quarantine, 3 or 4 refused. */
  readonly code: number;
  /** The warnings, or why it is refused. */
  readonly said: string;
  readonly lists: Imported["lists"];
  /** Records that no list takes: how many, and where the first is. */
  readonly untaken: readonly string[];
  readonly reasons: readonly string[];
  /** The records of tables that an import writes from records, such as `results`. */
  readonly records: Records;
}

const written = ["experiments", "ratings", "sessions", "slates", "jobs", "results"] as const;

const ratings =
  "select concat_ws(' ', coalesce(rater_id, ''), stimulus, dimension, regexp_replace(score::varchar, '\\.0$', '')) as row from ratings order by 1";

/** Reads studies. The engine has the tables of the last one, as a lake has them. */
export function studyReader(name: string) {
  const folder = folderOfTests(name);
  const path = (file: string) => join(folder, file);
  let warehouse: Warehouse;
  let scratch = 0;
  beforeAll(async () => {
    warehouse = await openWarehouse({ sources: {}, threads: 1, spill: path("spill") });
  });
  afterAll(() => {
    warehouse.close();
  });

  async function show(table: TableName, experiment: string | null, sql: string): Promise<void> {
    const own = experiment === null ? "" : `, '${experiment}' as experiment_id`;
    await warehouse.all(`create or replace table study_${table} as ${sql}`);
    await warehouse.all(`create or replace view ${table} as select *${own} from study_${table}`);
  }

  /** What writes tables of the engine, not parts of a snapshot. */
  function writerOf(reasons: string[], records: Records) {
    const unit = {} as Unit;
    const writer: Pick<RowWriter, "writeRows" | "writeRecords"> = {
      async writeRows({ table, experimentId }, sql, misfits) {
        await show(table, experimentId, sql);
        for await (const lines of misfits?.lines((json) => json) ?? [])
          for (const line of lines.split("\n").filter(Boolean))
            reasons.push((JSON.parse(line) as { reason: string }).reason);
        return unit;
      },
      writeRecords({ table }, own) {
        records[table] = own;
        return Promise.resolve(unit);
      },
    };
    const elementsOf = createElementsOf(() => path(`scratch${scratch++}`));
    return { ...writer, warehouse, elementsOf };
  }

  async function readStudy(
    yaml: string,
    files: Readonly<Record<string, string | Uint8Array>>,
  ): Promise<ReadStudy> {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    }
    for (const table of written) await warehouse.all(sourceView(table));
    const warned: string[] = [];
    const reasons: string[] = [];
    const records: Records = {};
    const log = { ...silentLog, warn: (message: string) => void warned.push(message) };
    try {
      const mapping = await parseMapping(path("m.yaml"), yaml);
      const writer = writerOf(reasons, records);
      const { lists, untaken } = await withQueries(mapping, async (queries) =>
        convertLists(writer, mapping, queries, await screenAll(mapping, queries), log),
      );
      return {
        code: reasons.length === 0 ? 0 : 2,
        said: warned.join("\n"),
        lists,
        untaken: untaken.map(({ records: n, source, place }) => `${n}: ${source.path}, ${place}`),
        reasons,
        records,
      };
    } catch (error) {
      if (!(error instanceof RecountError)) throw error;
      return {
        code: error.exitCode,
        said: error.message,
        lists: [],
        untaken: [],
        reasons,
        records,
      };
    }
  }

  const rowsOf = (sql: string): Promise<Row[]> => warehouse.all(sql);

  /** The ratings of the study that was read last: rater, item, dimension and score. */
  const ratingsRead = async (): Promise<string[]> =>
    (await warehouse.all(ratings)).map(({ row }) => row as string);

  /** Shows the records of the study that was read last too, and makes models of it on demand. */
  async function modelsOf({ records }: ReadStudy): Promise<MakeModels> {
    const [{ id = "" } = {}] = (records.experiments ?? []) as { id?: string }[];
    for (const [table, own] of Object.entries(records) as [TableName, object[]][]) {
      const file = path(`records${scratch++}`);
      const part = `${file}.parquet`;
      writeFileSync(file, JSON.stringify(own));
      const target = { table, file: part, quarantine: `${file}.jsonl` };
      await convertToPart(warehouse, { file, form: "list" }, target);
      await show(table, table === "experiments" ? null : id, `from '${part}'`);
    }
    return modelsOnDemand(warehouse, defaultConventions);
  }

  async function auditOf(study: ReadStudy, options: AuditOptions = {}): Promise<AuditReport> {
    const make = await modelsOf(study);
    await make(publishedModels);
    return auditSnapshot(warehouse, snapshot, defaultConventions, options, async (kinds, work) => {
      await make(auditedModels(kinds));
      await work(warehouse, () => true);
    });
  }

  return { folder, readStudy, rowsOf, ratingsRead, modelsOf, auditOf };
}
