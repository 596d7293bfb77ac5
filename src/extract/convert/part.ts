import type { Client } from "../../client/index.js";
import type { TableName } from "../../contract/index.js";
import { places, type LakeStore, type Part } from "../../lake/index.js";
import { digestOf, type Redact } from "../../platform/index.js";
import type { Checkpoint } from "../checkpoint.js";
import type { PreviousSnapshot } from "../previous-snapshot.js";
import type { Pseudonyms } from "../../warehouse/index.js";
import { convert, type Converted } from "./convert.js";
import type { Bodies } from "./judge.js";
import type { SessionPool } from "./session-pool.js";

/** The parts of an export that a conversion uses. */
export interface PartContext {
  readonly store: LakeStore;
  readonly checkpoint: Checkpoint;
  readonly previous: PreviousSnapshot;
  readonly sessions: SessionPool;
  readonly client: Client;
  /** Replaces what identifies persons; undefined keeps it. */
  readonly pseudonyms: Pseudonyms | undefined;
}

/** Converts bodies into files of this machine, which the caller removes or stores. */
export async function convertBodies(
  { checkpoint, sessions, pseudonyms }: PartContext,
  table: TableName,
  bodies: Bodies,
): Promise<Converted & { readonly file: string; readonly quarantineFile: string }> {
  const file = `${checkpoint.scratchFile()}.parquet`;
  const quarantineFile = `${file}.quarantine`;
  const converted = await sessions.use((warehouse) =>
    convert(warehouse, bodies, { table, file, quarantine: quarantineFile, isPseudonymised: pseudonyms !== undefined }),
  );
  return { ...converted, file, quarantineFile };
}

/** Names of fields are never redacted elsewhere, since they are the program's own. These are the service's. */
const redactNames = (counts: Readonly<Record<string, number>>, redact: Redact) =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [redact(name), count]));

/** Converts bodies into one part of the snapshot. A part equal to the previous snapshot's becomes a link to it. */
export async function makePart(
  context: PartContext,
  bodies: Bodies,
  { table, experimentId, name }: { table: TableName; experimentId: string | null; name?: string | undefined },
): Promise<{ readonly part: Part; readonly hasSecrets: boolean }> {
  const { store, previous, checkpoint, client } = context;
  const path = places.part(table, experimentId, name);
  const { file, quarantineFile, hasSecrets, ...own } = await convertBodies(context, table, bodies);
  const converted = { ...own, unknown_fields: redactNames(own.unknown_fields, client.redact) };
  const earlier = previous.part(path);
  const isQuarantined = converted.quarantined > 0;
  const isSame = !isQuarantined && earlier?.sha256 === converted.sha256 && (await previous.isIntact([earlier]));
  const [reused] = isSame ? await previous.reuse([earlier], checkpoint.staged) : [];
  if (reused === undefined) await store.adopt(file, `${checkpoint.staged}/${path}`);
  const place = reused?.snapshot === undefined ? {} : { snapshot: reused.snapshot };
  if (!isQuarantined)
    return { part: { table, path, ...converted, quarantine: null, quarantine_sha256: null, ...place }, hasSecrets };
  const quarantine = places.quarantine(path);
  const { sha256 } = await digestOf(quarantineFile);
  await store.adopt(quarantineFile, `${checkpoint.staged}/${quarantine}`);
  return { part: { table, path, ...converted, quarantine, quarantine_sha256: sha256 }, hasSecrets };
}
