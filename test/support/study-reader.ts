/** What an import makes of files, by its own functions in one engine, without a lake. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createElementsOf } from "../../src/extract/export.js";
import type { RowWriter } from "../../src/extract/index.js";
import { convertLists, screenAll } from "../../src/import/import.js";
import { parseMapping } from "../../src/import/mapping.js";
import type { Unit } from "../../src/lake/index.js";
import { RecountError, silentLog } from "../../src/platform/index.js";
import { openWarehouse, type Row, type Warehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "./folder.js";

/** What becomes of a study: rows, of which some are in quarantine, or a refusal. */
export interface ReadStudy {
  /** Of a command that imports it: 0 whole, 2 with records in quarantine, 3 or 4 refused. */
  readonly code: number;
  /** The warnings, or why it is refused. */
  readonly said: string;
  /** Records that no list takes: how many, and where the first is. */
  readonly untaken: readonly string[];
  /** Why each record is in quarantine. */
  readonly reasons: readonly string[];
  /** The records of tables that are written from records, such as `results`. */
  readonly records: Readonly<Record<string, readonly object[]>>;
}

/**
 * A function that reads a study of `files` by the mapping `yaml`. The tables `ratings`, `sessions`,
 * `slates` of the last one are in `engine`.
 */
export function studyReader(name: string) {
  const folder = folderOfTests(name);
  const path = (file: string) => join(folder, file);
  let warehouse: Warehouse;
  let scratch = 0;
  beforeAll(async () => {
    warehouse = await openWarehouse({
      sources: {},
      isPartial: true,
      threads: 1,
      spill: path("spill"),
    });
  });
  afterAll(() => {
    warehouse.close();
  });

  function writerOf(reasons: string[], records: Record<string, readonly object[]>) {
    const unit = {} as Unit;
    const writer: Pick<RowWriter, "writeRows" | "writeRecords"> = {
      async writeRows({ table }, sql, misfits) {
        await warehouse.all(`create or replace table ${table} as ${sql}`);
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
    return {
      ...writer,
      warehouse,
      elementsOf: createElementsOf(() => path(`scratch${scratch++}`)),
    };
  }

  async function readStudy(
    yaml: string,
    files: Readonly<Record<string, string | Uint8Array>>,
    isPseudonymised = false,
  ): Promise<ReadStudy> {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    }
    for (const table of ["ratings", "sessions", "slates"])
      await warehouse.all(`drop table if exists ${table}`);
    const warned: string[] = [];
    const reasons: string[] = [];
    const records: Record<string, readonly object[]> = {};
    const log = { ...silentLog, warn: (message: string) => void warned.push(message) };
    try {
      const mapping = await parseMapping(path("m.yaml"), yaml);
      const screened = await screenAll(mapping, isPseudonymised);
      const writer = { ...writerOf(reasons, records), isPseudonymised };
      const { untaken } = await convertLists(writer, mapping, screened, log);
      return {
        code: reasons.length === 0 ? 0 : 2,
        said: warned.join("\n"),
        untaken: untaken.map(({ records: n, source, place }) => `${n}: ${source.path}, ${place}`),
        reasons,
        records,
      };
    } catch (error) {
      if (!(error instanceof RecountError)) throw error;
      return { code: error.exitCode, said: error.message, untaken: [], reasons, records };
    }
  }

  /** Rows of a query over the tables of the study that was read last. */
  const rowsOf = (sql: string): Promise<Row[]> => warehouse.all(sql);
  return { folder, readStudy, rowsOf };
}
