/** The import of the files of a study as a new snapshot. */
import { createHash } from "node:crypto";
import {
  snapshotOfRows,
  type ExportReport,
  type RowsOptions,
  type RowWriter,
} from "../extract/index.js";
import { columnTypes, type OperationName, type TableName } from "../contract/index.js";
import { filesService, unnamedFile, type Imported, type Unit } from "../lake/index.js";
import {
  counted,
  silentLog,
  sqlText,
  systemClock,
  UsageError,
  type Clock,
  type Log,
} from "../platform/index.js";
import { quoted, textOf, type Row, type Warehouse } from "../warehouse/index.js";
import { filesNamed, screen, type Screened, type SourceFile } from "./files.js";
import {
  directionsOf,
  firstMisfit,
  mappedLists,
  misfitLines,
  namesAlike,
  readLists,
  convertedTables,
  untakenIn,
  type ListReader,
  type ReadList,
  type ScreenedFiles,
  type Untaken,
} from "./lists.js";
import { lackingSays } from "./lacking.js";
import type { FileSet, Mapping } from "./mapping.js";
import { checkFields, publishedRecords } from "./published.js";
import { asList } from "./schema.js";

export type ImportOptions = Pick<RowsOptions, "lake" | "pseudonyms" | "shrink" | "isLocked">;

export interface ImportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly signal?: AbortSignal | undefined;
}

/** Reads none of them. */
function filesByName(mapping: Mapping): Promise<{ name: string; files: SourceFile[] }[]> {
  const lists = [...mappedLists(mapping).map(({ list }) => list), ...mapping.published];
  const names = new Set(lists.map(({ from }) => from));
  return Promise.all(
    [...names].map(async (name) => ({ name, files: await filesNamed(mapping, name) })),
  );
}

/** Reads none of them. @throws UsageError if one is missing. */
export const sourceFiles = async (mapping: Mapping): Promise<readonly SourceFile[]> =>
  (await filesByName(mapping)).flatMap(({ files }) => files);

/**
 * Under pseudonyms a file's path, which reasons name, is its number.
 * @throws UsageError for fields or files that cannot be imported
 */
export async function screenAll(mapping: Mapping, isPseudonymised = false): Promise<ScreenedFiles> {
  await checkFields(mapping);
  const screened = new Map<string, Screened[]>();
  let place = 0;
  for (const { name, files } of await filesByName(mapping)) {
    const own: Screened[] = [];
    for (const file of files) {
      place++;
      const source = isPseudonymised ? { ...file, path: unnamedFile(place) } : file;
      own.push(await screen(source, mapping.files[name] as FileSet));
    }
    screened.set(name, own);
  }
  checkDifferent(mapping, screened);
  return screened;
}

/** @throws UsageError if two files that lists read have the same bytes. */
function checkDifferent(mapping: Mapping, screened: ScreenedFiles): void {
  const seen = new Map<string, string>();
  for (const name of new Set(mappedLists(mapping).map(({ list }) => list.from)))
    for (const { sha256, columns, records, source } of screened.get(name) ?? []) {
      const isHeader = columns.length > 0 && records === 0;
      // Lists at other depths of one JSON file have other records.
      const content = JSON.stringify([sha256, mapping.files[name]?.rows]);
      const shown = `${source.path} (files.${name})`;
      const other = seen.get(content);
      seen.set(content, shown);
      if (other !== undefined && !isHeader)
        throw new UsageError(
          `${mapping.at(["files", name])}: ${other} and ${shown} are equal, so that each ` +
            "record would count twice. Leave one out.",
        );
    }
}

/** What decides the rows, apart from the files. */
const mappingText = ({ study, files, ratings, comparisons, roles, published }: Mapping) =>
  JSON.stringify({ study, files, ratings, comparisons, roles, published });

/**
 * Every record is a row or in quarantine, or is skipped because the mapping says so. If neither the
 * files nor the mapping changed, the parts of the previous snapshot are taken. @throws UsageError
 * for a mapping that the files do not fit, ExportError as `exportSnapshot`.
 */
export async function importSnapshot(
  mapping: Mapping,
  options: ImportOptions,
  { clock = systemClock, log = silentLog, signal }: ImportEffects = {},
): Promise<ExportReport> {
  const isPseudonymised = options.pseudonyms !== undefined;
  const screened = await screenAll(mapping, isPseudonymised);
  const own = mappingText(mapping);
  const all = [...screened].flatMap(([name, files]) => files.map((file) => ({ name, file })));
  const digests = all.map(({ name, file: { source, sha256 } }) => [name, source.path, sha256]);
  const sha256 = createHash("sha256")
    .update(JSON.stringify([own, digests]))
    .digest("hex");
  const from = { sha256, bytes: all.reduce((sum, { file }) => sum + file.bytes, 0) };
  const { study } = mapping;
  const rowsOptions = { ...options, projectId: study.id, service: filesService, from };
  return snapshotOfRows(rowsOptions, { clock, log, signal }, async (writer) => {
    const experiment = { id: study.id, name: study.name ?? study.id, type: study.type ?? null };
    const sources = all.map(({ name, file }) => ({
      name,
      path: file.source.path,
      sha256: file.sha256,
      bytes: file.bytes,
    }));
    const before = writer.previous?.imported;
    const reused = before === undefined ? undefined : await writer.reuse();
    const { units, lists, untaken } =
      reused === undefined
        ? await convertLists({ ...writer, isPseudonymised }, mapping, screened, log)
        : { units: reused, lists: before?.lists ?? [], untaken: undefined };
    const left = untaken?.map(({ name, records, source, place }) => {
      const own = all.findIndex(
        ({ name: other, file }) => other === name && file.source === source,
      );
      return { name, records, source: own, place };
    });
    const bad = lists.reduce((sum, { quarantined }) => sum + quarantined, 0);
    if (reused !== undefined)
      log.info("Neither the files nor the mapping changed: the previous rows are kept.");
    else if (bad > 0) log.debug(`${counted(bad, "record")} went to quarantine.`);
    return {
      experiments: [{ ...experiment, state: "complete", reason: null }],
      units: [...units],
      imported: { mapping: own, sources, lists, untaken: left ?? before?.untaken ?? [] },
    };
  });
}

/** Those that the query lacks are null. */
async function inColumns(warehouse: Warehouse, table: TableName, sql: string): Promise<string> {
  const described = await warehouse.all(`describe ${sql}`);
  const given = new Set(described.map((row) => textOf(row, "column_name")));
  const columns = Object.entries(columnTypes(table)).filter(([name]) => name !== "experiment_id");
  const each = columns.map(
    ([name, type]) =>
      `cast(${given.has(name) ? quoted(name) : "null"} as ${type}) as ${quoted(name)}`,
  );
  return `select ${each.join(", ")} from (${sql})`;
}

const countsOf = ({ name: list, records, taken, quarantined, skipped }: ReadList) => ({
  list,
  records,
  taken,
  quarantined,
  skipped,
});

/** What writes the rows of lists. */
type ListWriter = ListReader & Pick<RowWriter, "writeRows" | "writeRecords">;

/** Reads the lists of a mapping and writes their rows. @throws as `importSnapshot` */
export async function convertLists(
  writer: ListWriter,
  mapping: Mapping,
  screened: ScreenedFiles,
  log: Log,
): Promise<{ units: Unit[]; lists: Imported["lists"]; untaken: readonly Untaken[] }> {
  const { warehouse } = writer;
  const { study } = mapping;
  const read = await readLists(writer, mapping, screened);
  const taken = read.reduce((sum, list) => sum + list.taken, 0);
  for (const list of read.filter(({ quarantined }) => quarantined > 0))
    log.warn(
      `${counted(list.quarantined, "record")} of ${list.name} in quarantine. The first: ` +
        (await firstMisfit(warehouse, list)),
    );
  if (!writer.isPseudonymised && read.length > 0)
    for (const says of await namesAlike(warehouse, read)) log.warn(says);
  for (const { name, lacking } of read)
    for (const says of lackingSays(name, lacking)) log.warn(says);
  if (taken === 0 && read.length > 0) {
    const [first] = read.filter(({ quarantined }) => quarantined > 0);
    const why =
      first === undefined
        ? "the files have no rows, or all are skipped"
        : await firstMisfit(warehouse, first);
    throw new UsageError(`${study.id}: nothing can be imported: ${why}`);
  }
  const directions = await directionsOf(warehouse, mapping, read);
  const of = (operation: OperationName, table: TableName) => ({
    operation,
    table,
    experimentId: study.id,
  });
  const quarantined = read.reduce((sum, list) => sum + list.quarantined, 0);
  const lines = (textOf: (json: string) => string) => misfitLines(warehouse, read, textOf);
  const misfits = quarantined === 0 ? undefined : { count: quarantined, lines };
  const units = [
    await writer.writeRecords(
      { operation: "listExperiments", table: "experiments", experimentId: null },
      [
        {
          id: study.id,
          name: study.name ?? study.id,
          ...(study.type === undefined ? {} : { type: study.type }),
          config: {
            licence: study.licence,
            source: study.source,
            roles: mapping.roles,
            ...(directions.length > 0 && { directions }),
          },
        },
      ],
    ),
  ];
  // Some studies have published numbers only.
  if (read.length > 0) {
    const tables = await convertedTables(warehouse, read, study.id);
    for (const [role, names] of writer.isPseudonymised ? [] : Object.entries(mapping.roles))
      for (const name of asList(names)) {
        const is = `contains(stimulus, ${sqlText(name)})`;
        const some = `select 1 from (${tables.ratings}) where ${is} limit 1`;
        if ((await warehouse.all(some)).length === 0)
          log.warn(
            `${mapping.at(["roles", role])}: roles.${role} names ${JSON.stringify(name)}, which ` +
              "no rating is about.",
          );
      }
    const write = async (
      operation: OperationName,
      table: TableName,
      sql: string,
      left?: typeof misfits,
    ) => writer.writeRows(of(operation, table), await inColumns(warehouse, table, sql), left);
    units.push(await write("listRatings", "ratings", tables.ratings, misfits));
    units.push(await write("listSessions", "sessions", tables.sessions));
    if (tables.slates !== undefined) units.push(await write("listSlates", "slates", tables.slates));
    const jobs: Row[] = await warehouse.all(tables.jobs);
    if (jobs.length > 0) units.push(await writer.writeRecords(of("listJobs", "jobs"), jobs));
  }
  const published = await publishedRecords(writer, mapping, screened, log);
  if (published.length > 0)
    units.push(await writer.writeRecords(of("listResults", "results"), published));
  return { units, lists: read.map(countsOf), untaken: await untakenIn(warehouse, read) };
}
