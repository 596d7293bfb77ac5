/** The import of the files of a study as a new snapshot. */
import { createHash } from "node:crypto";
import {
  snapshotOfRows,
  type ExportReport,
  type RowsOptions,
  type RowWriter,
} from "../extract/index.js";
import { columnTypes, type OperationName, type TableName } from "../contract/index.js";
import { filesService, unnamedFile } from "../lake/index.js";
import {
  counted,
  silentLog,
  sqlText,
  sumOf,
  systemClock,
  UsageError,
  type Clock,
  type Log,
} from "../platform/index.js";
import { quoted, textOf, type Row, type Warehouse } from "../warehouse/index.js";
import { filesNamed, screen, type Screened, type SourceFile } from "./files.js";
import { withQueries, type Queries, type ScreenedFiles } from "./queries.js";
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
} from "./lists.js";
import { lackingSays } from "./lacking.js";
import type { FileSet, Mapping } from "./mapping.js";
import { checkFields, publishedRecords } from "./published.js";
import { asList } from "./schema.js";

type ImportOptions = Pick<RowsOptions, "lake" | "pseudonyms" | "shrink" | "isLocked">;

export interface ImportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly signal?: AbortSignal | undefined;
}

async function filesByName(
  mapping: Mapping,
  { bases }: Pick<Queries, "bases">,
): Promise<{ name: string; files: SourceFile[] }[]> {
  const { ratings, comparisons, published } = mapping;
  const named = [...ratings, ...comparisons, ...published].map(({ from }) => from);
  return Promise.all(
    [...new Set([...named, ...bases])]
      .filter((name) => mapping.files[name]?.sql === undefined)
      .map(async (name) => ({ name, files: await filesNamed(mapping, name) })),
  );
}

/** Reads none of them. @throws UsageError if one is missing. */
export const sourceFiles = async (mapping: Mapping): Promise<readonly SourceFile[]> =>
  (await withQueries(mapping, (queries) => filesByName(mapping, queries))).flatMap(
    ({ files }) => files,
  );

/** Under pseudonyms a file's path is its number. @throws UsageError for what cannot be imported. */
export async function screenAll(
  mapping: Mapping,
  queries: Queries,
  isPseudonymised = false,
): Promise<ScreenedFiles> {
  await checkFields(mapping);
  const screened = new Map<string, Screened[]>();
  let place = 0;
  for (const { name, files } of await filesByName(mapping, queries)) {
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

/** @throws UsageError if two files that lists or queries read have the same bytes. */
function checkDifferent(mapping: Mapping, screened: ScreenedFiles): void {
  const seen = new Map<string, string>();
  const listed = new Set(mappedLists(mapping).map(({ list }) => list.from));
  const isBoard = (name: string) =>
    !listed.has(name) && mapping.published.some(({ from }) => from === name);
  for (const name of [...screened.keys()].filter((one) => !isBoard(one)))
    for (const { sha256, columns, records, source } of screened.get(name) ?? []) {
      const isHeader = columns.length > 0 && records === 0;
      const shown = `${source.path} (files.${name})`;
      const other = seen.get(sha256);
      seen.set(sha256, shown);
      if (other !== undefined && !isHeader)
        throw new UsageError(
          `${mapping.at(["files", name])}: ${other} and ${shown} are equal, so that each ` +
            "record would count twice. Leave one out.",
        );
    }
}

const sourcesOf = (files: readonly { name: string; file: Screened }[]) =>
  files.map(({ name, file: { source, sha256, bytes } }) => ({
    name,
    path: source.path,
    sha256,
    bytes,
  }));

const mappingText = ({ study, files, ratings, comparisons, roles, published }: Mapping) =>
  JSON.stringify({ study, files, ratings, comparisons, roles, published });

/** @throws UsageError for a mapping that the files do not fit, ExportError as `exportSnapshot`. */
export const importSnapshot = (
  mapping: Mapping,
  options: ImportOptions,
  effects: ImportEffects = {},
): Promise<ExportReport> =>
  withQueries(mapping, (queries) => snapshotOfFiles(mapping, queries, options, effects));

async function snapshotOfFiles(
  mapping: Mapping,
  queries: Queries,
  options: ImportOptions,
  { clock = systemClock, log = silentLog, signal }: ImportEffects,
): Promise<ExportReport> {
  const isPseudonymised = options.pseudonyms !== undefined;
  const screened = await screenAll(mapping, queries, isPseudonymised);
  const own = mappingText(mapping);
  const all = [...screened].flatMap(([name, files]) => files.map((file) => ({ name, file })));
  const digests = sourcesOf(all);
  const sha256 = createHash("sha256")
    .update(JSON.stringify([own, digests]))
    .digest("hex");
  const from = { sha256, bytes: sumOf(all.map(({ file }) => file.bytes)) };
  const { study } = mapping;
  const rowsOptions = { ...options, projectId: study.id, service: filesService, from };
  return snapshotOfRows(rowsOptions, { clock, log, signal }, async (writer) => {
    const experiment = { id: study.id, name: study.name ?? study.id, type: study.type ?? null };
    const experiments = [{ ...experiment, state: "complete" as const, reason: null }];
    const before = writer.previous?.imported;
    const reused = before === undefined ? undefined : await writer.reuse();
    if (before !== undefined && reused !== undefined) {
      log.info("Neither the files nor the mapping changed: the previous rows are kept.");
      return { experiments, units: [...reused], imported: before };
    }
    const made = await convertLists(
      { ...writer, isPseudonymised },
      mapping,
      queries,
      screened,
      log,
    );
    all.push(...made.queried);
    const sources = sourcesOf(all);
    const untaken = made.untaken.map(({ source, ...one }) => ({
      ...one,
      source: all.findIndex(({ name, file }) => name === one.name && file.source === source),
    }));
    const imported = { mapping: own, sources, lists: made.lists, untaken };
    return { experiments, units: [...made.units], imported };
  });
}

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

type ListWriter = ListReader & Pick<RowWriter, "writeRows" | "writeRecords">;

/** @throws as `importSnapshot` */
export async function convertLists(
  writer: ListWriter,
  mapping: Mapping,
  queries: Queries,
  files: ScreenedFiles,
  log: Log,
) {
  const { warehouse } = writer;
  const { study } = mapping;
  const { screened, rowless, untold } = await queries.run(files, writer.elementsOf);
  for (const where of untold)
    log.warn(`${where}: without a column line it cannot tell which records gave no row.`);
  const read = await readLists(writer, mapping, screened);
  const left = read.filter(({ quarantined }) => quarantined > 0);
  const firsts = await Promise.all(left.map((list) => firstMisfit(warehouse, list)));
  for (const [i, { name, quarantined }] of left.entries())
    log.warn(`${counted(quarantined, "record")} of ${name} in quarantine. The first: ${firsts[i]}`);
  const hasLists = read.length > 0;
  if (!writer.isPseudonymised && hasLists)
    for (const says of await namesAlike(writer)) log.warn(says);
  for (const { name, lacking } of read)
    for (const says of lackingSays(name, lacking)) log.warn(says);
  if (hasLists && read.every(({ taken }) => taken === 0))
    throw new UsageError(
      `${study.id}: nothing can be imported: ` +
        (firsts[0] ?? "the files have no rows, or all are skipped"),
    );
  const directions = hasLists ? await directionsOf(warehouse, mapping) : [];
  const of = (operation: OperationName, table: TableName) => ({
    operation,
    table,
    experimentId: study.id,
  });
  const misfits = {
    count: sumOf(left.map(({ quarantined }) => quarantined)),
    reasons: [...new Set(left.flatMap(({ reasons }) => reasons))].sort(),
    lines: (textOf: (json: string) => string) => misfitLines(warehouse, read, textOf),
  };
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
  if (hasLists) {
    const tables = await convertedTables(warehouse, read, study.id);
    for (const [role, names] of writer.isPseudonymised ? [] : Object.entries(mapping.roles))
      for (const name of asList(names)) {
        const [one] = await warehouse.all(
          `select 1 from taken where contains(item, ${sqlText(name)}) limit 1`,
        );
        if (one === undefined)
          log.warn(
            `${mapping.at(["roles", role])}: roles.${role} names ${JSON.stringify(name)}, which ` +
              "no rating is about.",
          );
      }
    const write = async (
      operation: OperationName,
      table: TableName,
      sql: string,
      ...left: (typeof misfits)[]
    ) => writer.writeRows(of(operation, table), await inColumns(warehouse, table, sql), ...left);
    const own = misfits.count > 0 ? [misfits] : [];
    units.push(await write("listRatings", "ratings", tables.ratings, ...own));
    units.push(await write("listSessions", "sessions", tables.sessions));
    if (tables.slates !== undefined) units.push(await write("listSlates", "slates", tables.slates));
    const jobs: Row[] = await warehouse.all(tables.jobs);
    if (jobs.length > 0) units.push(await writer.writeRecords(of("listJobs", "jobs"), jobs));
  }
  const published = await publishedRecords(writer, mapping, screened, log);
  if (published.length > 0)
    units.push(await writer.writeRecords(of("listResults", "results"), published));
  const lists = read.map(({ name: list, records, taken, quarantined, skipped }) => ({
    list,
    records,
    taken,
    quarantined,
    skipped,
  }));
  const untaken = [...rowless, ...(await untakenIn(warehouse, read))];
  const queried = [...screened].flatMap(([name, own]) =>
    files.has(name) ? [] : own.map((file) => ({ name, file })),
  );
  return { units, lists, untaken, queried };
}
