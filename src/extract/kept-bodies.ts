// Keeps response bodies by digest, compressed in the background.
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
import { fileMode, fs, fsp, removeFile, type Digest } from "../platform/index.js";

export interface RawKeeper {
  /** Does not wait for the compression. */
  keep(body: string | Buffer, sha256: string): Promise<void>;
  /** Whether a snapshot or an interrupted export has it, intact. */
  keepAgain(sha256: string): Promise<boolean>;
  /** Removes the file if this export made it. */
  drop(sha256: string): Promise<void>;
  /** Not durably: whoever finds them after a crash checks them. */
  kept(bodies: readonly string[]): Promise<readonly RawBody[]>;
  /** Durably. Lists the bodies of `units`, not what was read again; undefined if none are kept. */
  finish(units: readonly Unit[]): Promise<RawBody[] | undefined>;
  close(): Promise<void>;
}

/** Two use both cores only while nothing else needs them. */
const keepersAtOnce = 2;

const compression = { level: 1 };

/** Bytes. Compressed in memory, in half the time. */
const smallBody = 1 << 16;

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
  keepAgain: () => Promise.resolve(true),
  drop: doNothing,
  kept: () => Promise.resolve([]),
  finish: () => Promise.resolve(undefined),
  close: doNothing,
};

interface Keeping {
  readonly projectId: string;
  /** Key of the folder with each body once, as `<sha256>.json.gz`. */
  readonly folder: string;
  /** Undefined if all snapshots share the folder. */
  readonly snapshot?: string | undefined;
  readonly scratch: string;
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
  const made = new Set<string>();
  const ending = new AbortController();
  const keyOf = (body: string) => `${folder}/${rawName(body)}`;

  /** Intact by the digest that was recorded, or by its content. */
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
    async keepAgain(sha256) {
      if (kept.has(sha256)) return true;
      const earlier = await keptBefore(sha256);
      if (earlier === null) return false;
      kept.set(sha256, Promise.resolve(earlier));
      return true;
    },
    async drop(sha256) {
      await kept.get(sha256)?.catch(() => undefined);
      kept.delete(sha256);
      if (made.delete(sha256)) await store.remove(keyOf(sha256));
    },
    kept: (bodies) => Promise.all(bodies.flatMap((sha256) => kept.get(sha256) ?? [])),
    async finish(units) {
      const all = await Promise.all(kept.values());
      // Many small files together cost far less than one by one. What a snapshot recorded is
      // durable already.
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
