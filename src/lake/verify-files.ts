/** Verifies kept bodies and footers of Parquet files. */
import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { operation, secretFields } from "../contract/index.js";
import {
  type Digest,
  duckdb,
  messageOf,
  readFooters,
  readParquet,
  letEngineRead,
} from "../platform/index.js";
import { type Layout, manifestName } from "./layout.js";
import type { Manifest, Part, PartColumns, RawBody, Unit } from "./manifest-schema.js";
import { bodyKey } from "./manifest.js";
import type { LakeStore, Tree } from "./store.js";

export interface LakeProblem {
  readonly file: string;
  readonly problem: string;
}

export interface Findings {
  readonly problems: LakeProblem[];
  /** Files and folders that interrupted runs left, and that no snapshot needs. */
  readonly leftovers: string[];
  files: number;
  bytes: number;
}

export interface Verification extends Findings {
  readonly store: LakeStore;
  readonly layout: Layout;
  readonly tree: Tree;
  /** Digests of what was read, by identity: shared bytes are read once. */
  readonly digests: Map<string, Digest>;
  readonly footers: FooterReader;
  readonly report: (path: string, problem: string) => void;
}

/** A request as problems name it, for example "listRatings of exp1 (training=true)". */
export function requestName({ operation, parameters, experiment_id }: Unit): string {
  const named = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  const of = experiment_id === null ? "" : ` of ${experiment_id}`;
  return `${operation}${of}${named.length === 0 ? "" : ` (${named.join(", ")})`}`;
}

const isSecret = (unit: Unit) => {
  const { record } = operation(unit.operation);
  return unit.is_withheld === true || (record !== undefined && secretFields(record).length > 0);
};

export function unmatchedBodies({ units, raw }: Manifest): string[] {
  if (raw === undefined) return [];
  const kept = new Set(raw.map(({ body }) => body));
  const received = new Set(units.map(({ body }) => body?.sha256));
  const lost = units.filter(
    (unit) => unit.body !== null && !kept.has(unit.body.sha256) && !isSecret(unit),
  );
  const strange = raw.filter(({ body }) => !received.has(body));
  return [
    ...lost.map((unit) => `does not list the body of ${requestName(unit)} among the kept ones`),
    ...strange.map(({ body }) => `lists the kept body ${body}, which no request received`),
  ];
}

type Receivers = readonly { readonly snapshot: string; readonly unit: Unit }[];

async function bodyProblem(
  path: string,
  stated: RawBody,
  receivers: Receivers,
  verification: Verification,
): Promise<string | null> {
  const { store, layout, tree, report } = verification;
  const entry = tree.get(path);
  if (entry === undefined) return "is missing";
  if (entry.kind !== "file") return null; // reported with the places
  if (entry.bytes !== stated.bytes)
    return `has ${entry.bytes} bytes, the manifest says ${stated.bytes}`;
  verification.files++;
  verification.bytes += entry.bytes;
  const limit = receivers.reduce((most, { unit }) => Math.max(most, unit.body?.bytes ?? 0), 0);
  const { problem, elements } = await checkRawBody(
    store,
    `${layout.project}/${path}`,
    stated,
    limit,
  );
  if (problem !== null) return problem;
  for (const { snapshot, unit } of receivers.filter((one) => one.unit.elements !== elements))
    report(
      `snapshots/${snapshot}/${manifestName}`,
      `states ${unit.elements} elements for ${requestName(unit)}, but its kept body has ` +
        `${elements}`,
    );
  return null;
}

export async function checkBodies(
  manifests: readonly Manifest[],
  verification: Verification,
): Promise<void> {
  const receivers = new Map<string, Receivers[number][]>();
  for (const { snapshot, units } of manifests)
    for (const unit of units) {
      if (unit.body === null) continue;
      const own = receivers.get(unit.body.sha256) ?? [];
      own.push({ snapshot, unit });
      receivers.set(unit.body.sha256, own);
    }
  const { project } = verification.layout;
  const stated = new Map(
    manifests.flatMap(({ raw = [] }) => raw.map((one) => [bodyKey(project, one), one] as const)),
  );
  for (const [key, one] of stated) {
    const path = key.slice(project.length + 1);
    const problem = await bodyProblem(path, one, receivers.get(one.body) ?? [], verification);
    if (problem !== null) verification.report(path, problem);
  }
}

interface Unpacking {
  /** Bytes after which unpacking fails; without limit by default. */
  readonly limit?: number;
  readonly each?: (piece: Buffer) => void;
}

/** Digests of a compressed file and of its content. Throws when it does not decompress. */
export async function unpackedDigest(
  store: LakeStore,
  key: string,
  { limit = Infinity, each = () => undefined }: Unpacking = {},
): Promise<{ body: string; sha256: string; bytes: number }> {
  const [inner, outer] = [createHash("sha256"), createHash("sha256")];
  let [bytes, unpacked] = [0, 0];
  const read = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      outer.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await pipeline(
    await store.stream(key),
    read,
    createGunzip(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        unpacked += chunk.length;
        if (unpacked > limit)
          throw new Error(`more than the ${limit} bytes that the manifest states`);
        inner.update(chunk);
        each(chunk);
      }
    },
  );
  return { body: inner.digest("hex"), sha256: outer.digest("hex"), bytes };
}

/**
 * Reads a kept body: what is wrong with it, or the number of its elements.
 * @param limit bytes of the content, as the manifest states them
 */
async function checkRawBody(
  store: LakeStore,
  key: string,
  { body, sha256 }: RawBody,
  limit: number,
): Promise<{ problem: string | null; elements: number }> {
  const counter = createElementCounter();
  const problemOf = async () => {
    try {
      const found = await unpackedDigest(store, key, { limit, each: counter.add });
      if (found.body !== body)
        return `holds a body whose SHA-256 is ${found.body}, not the one in its name`;
      return found.sha256 === sha256
        ? null
        : `its SHA-256 is ${found.sha256}, the manifest says ${sha256}`;
    } catch (error) {
      return `does not decompress: ${messageOf(error)}`;
    }
  };
  return { problem: await problemOf(), elements: counter.elements() };
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** JSON's blanks (RFC 8259, 2). */
const blanks: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];
const inText = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte === quote || byte === backslash),
);
const outsideText = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number([quote, comma, openBrace, closeBrace, openBracket, closeBracket].includes(byte)),
);

interface ElementCounter {
  readonly add: (piece: Uint8Array) => void;
  readonly elements: () => number;
}

/** By commas and brackets alone: the export counts with a tokenizer. */
export function createElementCounter(): ElementCounter {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let isList: boolean | undefined;
  let commas = 0;
  let hasContent = false;
  return {
    add(piece) {
      let at = Number(isEscaped && piece.length > 0);
      if (at > 0) isEscaped = false;
      for (; at < piece.length; at++) {
        const stops = isText ? inText : outsideText;
        if (depth === 1 && !isText && !hasContent) {
          const byte = piece[at] as number;
          if (!blanks.includes(byte) && byte !== closeBracket) hasContent = true;
        } else while (at < piece.length && stops[piece[at] as number] === 0) at++;
        const byte = piece[at];
        if (isText) {
          if (byte === quote) isText = false;
          else if (byte === backslash) isEscaped = ++at === piece.length;
        } else if (byte === quote) isText = true;
        else if (byte === openBrace || byte === openBracket) {
          isList ??= byte === openBracket;
          depth++;
        } else if (byte === closeBrace || byte === closeBracket) depth--;
        else if (byte === comma && depth === 1) commas++;
      }
    },
    elements: () => (isList === false ? 1 : hasContent ? commas + 1 : 0),
  };
}

interface FooterReader {
  /** Says where the footer differs from what the manifest states; null if it does not. */
  problem(file: string, part: Part, columns: PartColumns | undefined): Promise<string | null>;
  close(): void;
}

async function parquetColumns(connection: DuckDBConnection, path: string): Promise<string[]> {
  const read = await connection.runAndReadAll(
    `select column_name || ' ' || column_type from (describe select * from ${readParquet(path)})`,
  );
  return read.getRows().map(([column]) => String(column));
}

async function parquetRows(connection: DuckDBConnection, path: string): Promise<number> {
  const read = await connection.runAndReadAll(
    `select coalesce(sum(num_rows), 0)::double from ${readFooters(path)}`,
  );
  return Number(read.getRows()[0]?.[0]);
}

export async function openFooterReader(lake: string): Promise<FooterReader> {
  const instance = await duckdb().DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await letEngineRead(connection, [lake]);
  return {
    async problem(file, { table, rows }, stated) {
      try {
        const found = await parquetRows(connection, file);
        if (found !== rows) return `its footer counts ${found} rows, the manifest ${rows}`;
        const columns = await parquetColumns(connection, file);
        if (stated === undefined) return null;
        const expected = Object.entries(stated).map(
          ([name, type]) => `${name} ${type === "TIMESTAMPTZ" ? "TIMESTAMP WITH TIME ZONE" : type}`,
        );
        const differing = [
          ...expected.filter((c) => !columns.includes(c)),
          ...columns.filter((c) => !expected.includes(c)),
        ];
        return differing.length === 0
          ? null
          : `its columns are not those of ${table}: ${differing.join(", ")}`;
      } catch (error) {
        return `cannot be read as Parquet: ${messageOf(error)}`;
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
