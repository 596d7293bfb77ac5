import { createHash } from "node:crypto";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip, gzip } from "node:zlib";
import pLimit from "p-limit";
import {
  bodyKey,
  rawName,
  unpackedDigest,
  type LakeStore,
  type RawBody,
  type Unit,
} from "../lake/index.js";
import { ExportError, fileMode, fs, fsp, removeFile, type Digest } from "../platform/index.js";

/** Keeps response bodies by digest, in the background: compressing takes longer than converting. */
export interface RawKeeper {
  /**
   * Takes a body, its file by a separate link, so that the caller may remove it. Does not wait for
   * the compression.
   */
  keep(body: string | Buffer, sha256: string): Promise<void>;
  /** Whether an earlier snapshot's file of this body exists, intact. */
  has(sha256: string): Promise<boolean>;
  /** Keeps that file for this snapshot too. @throws ExportError when it is gone. */
  keepAgain(sha256: string): Promise<void>;
  /** Keeps a body no longer, and removes its file if this export made it. */
  drop(sha256: string): Promise<void>;
  /**
   * Waits until these bodies are kept, but not durably: whoever finds them after a crash checks
   * them.
   */
  kept(bodies: readonly string[]): Promise<readonly RawBody[]>;
  /**
   * Waits until all bodies are kept durably, and lists those of `units`: not what was read again.
   * Undefined if none are kept.
   */
  finish(units: readonly Unit[]): Promise<RawBody[] | undefined>;
  /** Drops what is queued and stops what runs. */
  close(): Promise<void>;
}

/** Bodies that are compressed at once. Two use both cores only while nothing else needs them. */
const keepersAtOnce = 2;

const compression = { level: 1 };

/** Bodies up to this size are compressed in memory, in half the time. */
const smallBody = 1 << 16;

/** Compresses a body into a file, and returns the digest of that. */
async function compressTo(from: string | Buffer, to: string, signal: AbortSignal): Promise<Digest> {
  const hash = createHash("sha256");
  if (typeof from !== "string") {
    const packed = await promisify(gzip)(from, compression);
    await fsp.writeFile(to, packed, { mode: fileMode });
    return { sha256: hash.update(packed).digest("hex"), bytes: packed.length };
  }
  if ((await fsp.stat(from)).size <= smallBody)
    return compressTo(await fsp.readFile(from), to, signal);
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const source = fs.createReadStream(from, { highWaterMark: 1 << 18 });
  await pipeline(
    source,
    createGzip(compression),
    counted,
    fs.createWriteStream(to, { mode: fileMode }),
    { signal },
  );
  return { sha256: hash.digest("hex"), bytes };
}

const doNothing = () => Promise.resolve();

export const keepNoBodies: RawKeeper = {
  keep: doNothing,
  has: () => Promise.resolve(true),
  keepAgain: doNothing,
  drop: doNothing,
  kept: () => Promise.resolve([]),
  finish: () => Promise.resolve(undefined),
  close: doNothing,
};

interface Keeping {
  readonly projectId: string;
  /** Key of the folder in which each body is kept once, as `<sha256>.json.gz`. */
  readonly folder: string;
  /** The snapshot that has the folder; undefined if all snapshots share it. */
  readonly snapshot?: string | undefined;
  /** Folder on this machine for what is queued. */
  readonly scratch: string;
  /** The bodies that the previous snapshot recorded. */
  readonly recorded: readonly RawBody[];
}

export function createRawKeeper(
  store: LakeStore,
  { projectId, folder, snapshot, scratch, recorded }: Keeping,
): RawKeeper {
  const limit = pLimit({ concurrency: keepersAtOnce, rejectOnClear: true });
  const before = new Map(recorded.map((one) => [one.body, one]));
  const own = snapshot === undefined ? {} : { snapshot };
  const kept = new Map<string, Promise<RawBody>>();
  /** Bodies whose files this keeper has made. */
  const made = new Set<string>();
  const ending = new AbortController();
  const keyOf = (body: string) => `${folder}/${rawName(body)}`;

  /**
   * The file already kept for a body, when it is intact: by the digest that was recorded, or by its
   * content.
   */
  async function keptBefore(body: string): Promise<RawBody | null> {
    const known = before.get(body);
    if (known !== undefined && (await store.holds(bodyKey(projectId, known), known.sha256)))
      return known;
    const key = keyOf(body);
    if (!(await store.isFile(key))) return null;
    const inner = await unpackedDigest(store, key).catch(() => null);
    return inner?.body === body ? { ...inner, ...own } : null;
  }

  async function compress(from: string | Buffer, body: string): Promise<RawBody> {
    const earlier = await keptBefore(body);
    if (earlier) return earlier;
    const temporary = join(scratch, `${body}.gz`);
    const digest = await compressTo(from, temporary, ending.signal);
    await store.adopt(temporary, keyOf(body));
    made.add(body);
    return { body, ...digest, ...own };
  }

  return {
    async keep(from, sha256) {
      if (ending.signal.aborted || kept.has(sha256)) return;
      const link = join(scratch, `${sha256}.raw`);
      const isFile = typeof from === "string";
      const taken = isFile ? fsp.link(from, link) : Promise.resolve();
      const work = isFile
        ? taken.then(() => limit(() => compress(link, sha256).finally(() => removeFile(link))))
        : limit(() => compress(from, sha256));
      work.catch(() => undefined);
      kept.set(sha256, work);
      await taken;
    },
    has: async (sha256) => (await keptBefore(sha256)) !== null,
    async keepAgain(sha256) {
      if (kept.has(sha256)) return;
      const earlier = await keptBefore(sha256);
      if (earlier === null)
        throw new ExportError(
          `${store.locate(keyOf(sha256))} disappeared during the export. Run the export again.`,
        );
      kept.set(sha256, Promise.resolve(earlier));
    },
    async drop(sha256) {
      await kept.get(sha256)?.catch(() => undefined);
      kept.delete(sha256);
      if (made.delete(sha256)) await store.remove(keyOf(sha256));
    },
    kept: (bodies) => Promise.all(bodies.flatMap((sha256) => kept.get(sha256) ?? [])),
    async finish(units) {
      const all = await Promise.all(kept.values());
      // Together, which costs many small files far less than one by one. What a snapshot recorded
      // is durable already.
      const unsure = all.filter((one) => before.get(one.body)?.sha256 !== one.sha256);
      if (unsure.length > 0) await store.sync([...unsure.map(({ body }) => keyOf(body)), folder]);
      const received = new Set(units.map(({ body }) => body?.sha256));
      return all
        .filter(({ body }) => received.has(body))
        .toSorted((a, b) => (a.body < b.body ? -1 : 1));
    },
    async close() {
      ending.abort();
      limit.clearQueue();
      await Promise.allSettled(kept.values());
    },
  };
}
