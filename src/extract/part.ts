/** Response bodies as parts of a snapshot: typed rows in Parquet, the rest in quarantine. */
import { createHash } from "node:crypto";
import {
  embeddedIn,
  lakeTable,
  looksSecret,
  namingColumns,
  secretFields,
  secretNameInJson,
  tableColumns,
  tableNames,
  treatmentOf,
  type Column,
  type TableName,
} from "../contract/index.js";
import { endableLimit } from "../client/index.js";
import { places, type LakeStore, type Part, type Reader } from "../lake/index.js";
import {
  cachedBy,
  digestOf,
  ExportError,
  fileMode,
  fs,
  fsp,
  messageOf,
  RecountError,
  type Digest,
  copyTo,
  readCsv,
  readParquet,
  statement,
} from "../platform/index.js";
import {
  partFormat,
  pseudonymised,
  quoted,
  text,
  type Pseudonyms,
  type Warehouse,
  addPseudonyms,
  openWarehouse,
} from "../warehouse/index.js";
import type { Checkpoint } from "./checkpoint.js";
import { flawMark, writeElementLines } from "./elements.js";
import { maximumElement } from "./scan-record.js";
import { type AskedFor, askedValue, judgedRows, sourceSql, typedRows } from "./part-sql.js";
import type { PreviousSnapshot } from "./previous-snapshot.js";
import type { Scan } from "./scan.js";

export interface PartContext {
  readonly store: LakeStore;
  readonly checkpoint: Checkpoint;
  readonly previous: PreviousSnapshot;
  readonly sessions: SessionPool;
  readonly redact: (text: string) => string;
  /** Undefined keeps persons. */
  readonly pseudonyms: Pseudonyms | undefined;
}

export interface BodySource {
  readonly file: string;
  /**
   * Writes the file if it is not there yet: of the empty lists of a table, only the first needs it.
   */
  readonly write?: (() => void) | undefined;
  readonly form: "list" | "record" | "lines";
  readonly scan?: Scan | undefined;
  readonly asked?: string | undefined;
  /** Parquet file, for the published numbers of one source. */
  readonly whole?: string | undefined;
  /** Of the request: a row that names something else does not fit. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface PartTarget {
  readonly table: TableName;
  readonly file: string;
  /** JSON lines; created only when there are any. */
  readonly quarantine: string;
  readonly isPseudonymised?: boolean;
}

interface ReadRows {
  readonly rows: number;
  readonly quarantined: number;
  readonly reasons?: readonly string[];
  /** Left out of an answer for one source because the whole list has them too. */
  readonly repeated?: number;
  /** Fields that the contract does not know: rows that have them. */
  readonly unknown_fields: Record<string, number>;
  /** A value was left out because its field's name looks like a secret. */
  readonly hasSecrets: boolean;
  readonly reader: Reader;
}

interface Converted extends ReadRows, Digest {}

/** Increased when the same body becomes different rows. */
const converterVersion = 7;
const columnsNow = JSON.stringify([
  converterVersion,
  tableNames.map((table) => [table, tableColumns(table)]),
]);

export function converterId(pseudonyms: Pseudonyms | undefined): string {
  const hash = createHash("sha256").update(columnsNow);
  if (pseudonyms !== undefined) {
    const treatments = tableNames.map((table) =>
      tableColumns(table).map(({ name }) => treatmentOf(table, name)),
    );
    hash.update(JSON.stringify([pseudonyms.keyId, treatments]));
  }
  return hash.digest("hex").slice(0, 16);
}

const redactNames = (counts: Readonly<Record<string, number>>, { redact }: PartContext) =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [redact(name), count]));

export async function makePart(
  context: PartContext,
  body: BodySource,
  {
    table,
    experimentId,
    name,
  }: { table: TableName; experimentId: string | null; name?: string | undefined },
): Promise<{ readonly part: Part; readonly hasSecrets: boolean }> {
  const target = partTarget(context, table);
  const { hasSecrets, ...converted } = await context.sessions.use((warehouse) =>
    convertToPart(warehouse, body, target),
  );
  const unknown_fields = redactNames(converted.unknown_fields, context);
  const path = places.part(table, experimentId, name);
  const part = await storePart(context, path, target, { ...converted, unknown_fields });
  return { part, hasSecrets };
}

/** A part equal to the previous snapshot's becomes a link to it. */
export async function storePart(
  { store, previous, checkpoint }: Pick<PartContext, "store" | "previous" | "checkpoint">,
  path: string,
  { table, file, quarantine: quarantineFile }: PartTarget,
  converted: Omit<Converted, "hasSecrets">,
): Promise<Part> {
  const earlier = previous.part(path);
  const isQuarantined = converted.quarantined > 0;
  // Together: a file with rows in quarantine is not that of rows alone.
  const isEqual =
    !isQuarantined && earlier?.quarantine === null && earlier.sha256 === converted.sha256;
  const isSame = isEqual && (await previous.isIntact([earlier]));
  const [reused] = isSame ? await previous.reuse([earlier], checkpoint.staged) : [];
  if (reused === undefined) await store.adopt(file, `${checkpoint.staged}/${path}`);
  const place = reused?.snapshot === undefined ? {} : { snapshot: reused.snapshot };
  if (!isQuarantined)
    return { table, path, ...converted, quarantine: null, quarantine_sha256: null, ...place };
  const quarantine = places.quarantine(path);
  const { sha256 } = await digestOf(quarantineFile);
  await store.adopt(quarantineFile, `${checkpoint.staged}/${quarantine}`);
  return { table, path, ...converted, quarantine, quarantine_sha256: sha256 };
}

/** Files of this machine, which the caller removes or stores. */
export function partTarget(
  { checkpoint, pseudonyms }: Pick<PartContext, "checkpoint" | "pseudonyms">,
  table: TableName,
): PartTarget {
  const file = `${checkpoint.scratchFile()}.parquet`;
  const isPseudonymised = pseudonyms !== undefined;
  return { table, file, quarantine: `${file}.quarantine`, isPseudonymised };
}

/**
 * Typed rows go to a Parquet part (zstd, sorted), the rest to quarantine with the reason and the
 * raw text. The typed reader reads what a scan has approved; the exact one everything else, element
 * by element. Memory is the sort's, which spills to disk, unless elements are megabytes long.
 */
export async function convertToPart(
  warehouse: Warehouse,
  body: BodySource,
  target: PartTarget,
): Promise<Converted> {
  const prepared = preparedFor(warehouse, target.table);
  if (isApproved(body, target.table)) {
    const isEmpty = body.scan.elements === 0;
    if (isEmpty && prepared.empty !== undefined) {
      // The engine takes far longer to write one.
      fs.writeFileSync(target.file, prepared.empty.bytes, { mode: fileMode });
      return prepared.empty.converted;
    }
    body.write?.();
    try {
      const read = await readTyped(warehouse, body, body.scan, target);
      const converted = { ...read, ...(await digestOf(target.file)) };
      if (isEmpty) prepared.empty = { bytes: await fsp.readFile(target.file), converted };
      return converted;
    } catch (error) {
      // What the typed reader cannot read, the exact one can. Any other error is not about the
      // body.
      if (!(error instanceof RecountError)) throw error;
    }
  }
  body.write?.();
  const read = await withEnoughMemory(warehouse, () => readJudged(warehouse, body, target));
  return { ...read, ...(await digestOf(target.file)) };
}

/** Made once: for each of thousands of conversions it takes as long as sending the requests. */
interface Prepared {
  readonly columns: readonly Column[];
  readonly names: string;
  readonly format: string;
  empty?: { readonly bytes: Buffer; readonly converted: Converted };
}

const preparedFor = cachedBy((_: Warehouse, table: TableName): Prepared => {
  const columns = tableColumns(table);
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  return { columns, names, format: partFormat(table) };
});

/**
 * Returns the rows that the engine wrote: reading the footer costs a third of writing a small part.
 */
export async function writeRows(
  warehouse: Warehouse,
  sql: string,
  { table, file, isPseudonymised = false }: PartTarget,
): Promise<number> {
  const rows = isPseudonymised ? pseudonymised(table, sql) : sql;
  return warehouse.change(copyTo(`(${rows})`, file, preparedFor(warehouse, table).format));
}

/** Null where the text may hold secrets, and under pseudonyms, where nobody knows whom it names. */
export function keptText(
  json: string,
  { table, isPseudonymised = false }: Omit<PartTarget, "file" | "quarantine">,
) {
  if (isPseudonymised || secretFields(lakeTable(table).record).length > 0) return "null::varchar";
  return `case when not ${namesSecret(json)} then ${json} end`;
}

const namesSecret = (json: string) => `regexp_matches(${json}, ${text(secretNameInJson)}, 'i')`;

/** Rows of equal keys stay in the order of the body. */
const orderByOf = (table: TableName) =>
  `order by ${[...(lakeTable(table).sortBy ?? []).map(quoted), "ordinal"].join(", ")}`;

function isApproved(
  body: BodySource,
  table: TableName,
): body is BodySource & { readonly scan: Scan } {
  const { form, scan, whole } = body;
  if (scan === undefined || form === "lines" || whole !== undefined) return false;
  return scan.elements === 0 || secretFields(lakeTable(table).record).length === 0;
}

const askedForOf = (table: TableName, { parameters = {} }: BodySource): AskedFor[] =>
  namingColumns(table).flatMap((one) => {
    const value = parameters[one.parameter];
    return value === undefined ? [] : [{ ...one, value }];
  });

async function readTyped(
  warehouse: Warehouse,
  body: BodySource,
  scan: Scan,
  target: PartTarget,
): Promise<ReadRows> {
  const { file, form, asked } = body;
  const { table } = target;
  const { columns, names } = preparedFor(warehouse, table);
  const { embedded, sortBy } = lakeTable(table);
  const unknown = scan.unknown[table] ?? [];
  const shown = unknown.filter(({ name }) => !looksSecret(name));
  const named = askedForOf(table, body);
  const options = {
    isList: form === "list",
    asked,
    embedded,
    maximumObject: maximumElement,
    named,
  };
  const sql = typedRows(file, columns, shown, options);
  const isOrdered = sortBy === undefined || scan.ordered.includes(table);
  const sorted =
    `select ${names} from (select *, row_number() over () as ordinal from (${sql})) ` +
    orderByOf(table);
  return {
    rows: await writeRows(warehouse, isOrdered ? sql : sorted, target),
    quarantined: 0,
    unknown_fields: Object.fromEntries(unknown.map(({ name, count }) => [name, count])),
    hasSecrets: unknown.some(({ name }) => looksSecret(name)),
    reader: "typed",
  };
}

async function readJudged(
  warehouse: Warehouse,
  body: BodySource,
  target: PartTarget,
): Promise<ReadRows> {
  const { table, file, quarantine } = target;
  const judged = `${file}.judged`;
  try {
    await judgeElements(warehouse, body, table, judged);
    const from = `from ${readParquet(judged)}`;
    const parts = { judged: readParquet(judged), names_secret: namesSecret("_json") };
    const [counts] = await warehouse.all(await statement("extract/judged_counts", parts));
    const rows = Number(counts?.good ?? 0);
    const quarantined = Number(counts?.bad ?? 0);
    const own = preparedFor(warehouse, table)
      .columns.map(
        ({ name, isAsked }) => `${isAsked ? `${askedValue(body.asked)} as ` : ""}${quoted(name)}`,
      )
      .join(", ");
    const written = await writeRows(
      warehouse,
      `select ${own} ${from} where _reason is null and not _repeats ${orderByOf(table)}`,
      target,
    );
    if (written !== rows)
      throw new ExportError(`${file}: ${written} rows were written, but ${rows} fit the record.`);
    if (quarantined > 0) {
      const unfit =
        `(select ordinal - 1 as element, _reason as reason, ${keptText("_json", target)} as ` +
        `raw ${from} where _reason is not null order by ordinal)`;
      await warehouse.all(copyTo(unfit, quarantine, "format json"));
    }
    const unknown_fields = JSON.parse(counts?.unknown_fields as string) as Record<string, number>;
    return {
      rows,
      quarantined,
      ...(quarantined > 0 && { reasons: counts?.reasons as string[] }),
      ...(body.whole === undefined ? {} : { repeated: Number(counts?.repeated ?? 0) }),
      unknown_fields,
      hasSecrets:
        Number(counts?.withheld ?? 0) > 0 || Object.keys(unknown_fields).some(looksSecret),
      reader: "judged",
    };
  } finally {
    await fsp.rm(judged, { force: true });
  }
}

/** Some blanks may be around the largest element. */
const maximumLine = maximumElement + (1 << 22);

/** The buffer's size is stated because 16 lines, the default, do not fit the memory. */
export function lineElements(lines: string): Promise<string> {
  const options = [
    "columns = {'line': 'varchar'}, header = false, auto_detect = false",
    "delim = '', quote = '', escape = '', comment = ''",
    `max_line_size = ${maximumLine}, buffer_size = ${2 * maximumLine}`,
  ];
  return statement("extract/elements", { lines: readCsv(lines, options), mark: text(flawMark) });
}

async function judgeElements(
  warehouse: Warehouse,
  body: BodySource,
  table: TableName,
  judged: string,
): Promise<void> {
  const { record, embedded } = lakeTable(table);
  const ignored = [...secretFields(record), ...[embeddedIn(table)?.field ?? []].flat()];
  const { asked, whole } = body;
  const source =
    asked === undefined || whole === undefined ? undefined : sourceSql(table, asked, whole);
  const isInLines = body.form === "lines";
  const lines = isInLines ? body.file : `${body.file}.lines`;
  try {
    if (!isInLines) await writeElementLines(body.file, lines);
    const named = askedForOf(table, body);
    const rows = judgedRows(await lineElements(lines), tableColumns(table), {
      embedded,
      ignored,
      source,
      named,
    });
    await warehouse.all(copyTo(`(${rows})`, judged, "format parquet"));
  } finally {
    if (!isInLines) await fsp.rm(lines, { force: true });
  }
}

/** Where elements are megabytes long: the engine reads 2,048 of them at a time. */
const largeMemory = "2GB";

export const isOutOfMemory = (error: unknown): boolean =>
  /(^|: )Out of Memory/.test(messageOf(error));

async function withEnoughMemory<T>(warehouse: Warehouse, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    const [setting] = await warehouse.all("select current_setting('memory_limit') as memory");
    await warehouse.all(`set memory_limit = ${text(largeMemory)}`);
    return await task().finally(() =>
      warehouse.all(`set memory_limit = ${text(setting?.memory as string)}`),
    );
  }
}

/** Each session has one thread and runs one conversion at a time. */
interface SessionPool {
  use<T>(task: (warehouse: Warehouse) => Promise<T>): Promise<T>;
  /** Rejects queued and later conversions; resolves when none is running. */
  close(): Promise<void>;
}

interface PoolOptions {
  readonly pseudonyms?: Pseudonyms | undefined;
  readonly lake?: string;
}

async function openConverter(spill: string, { pseudonyms, lake }: PoolOptions): Promise<Warehouse> {
  const warehouse = await openWarehouse({
    sources: {},
    isPartial: true,
    lake,
    threads: 1,
    memory: "300MB",
    spill,
  });
  // The engine takes a file of the same name, size and time for the one that it has read before.
  await warehouse.all("set enable_external_file_cache = false");
  if (pseudonyms !== undefined) addPseudonyms(warehouse, pseudonyms);
  return warehouse;
}

/**
 * Two sessions are the fastest that stay small (docs/records/benchmarks.md). Memory is bounded for
 * each; what does not fit spills to the folder.
 */
export function createSessionPool(spill: string, options: PoolOptions = {}): SessionPool {
  const { run, end } = endableLimit(2);
  const idle: Warehouse[] = [];
  return {
    use: (task) =>
      run(async () => {
        const warehouse = idle.pop() ?? (await openConverter(spill, options));
        try {
          return await task(warehouse);
        } finally {
          idle.push(warehouse);
        }
      }),
    async close() {
      await end();
      idle.splice(0).forEach((warehouse) => warehouse.close());
    },
  };
}
