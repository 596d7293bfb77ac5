import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pLimit from "p-limit";
import { ExportError, exists, fileMode, fs, fsp, fsyncDir, fsyncFile, makeDir } from "../platform/index.js";
import { digestOf, unpackedDigest, type RawBody } from "../lake/index.js";

/** Keeps response bodies by digest, behind the export: compressing takes longer than converting. */
export interface RawKeeper {
  /** Takes a body over by a link of its own, so that the spooled file may go. Does not wait for the compression. */
  keep(file: string, sha256: string): Promise<void>;
  /** Waits until these of the bodies taken over are kept. */
  kept(bodies: readonly string[]): Promise<unknown>;
  /** Whether an earlier snapshot's file of this body is there, sound; then `again` keeps it for this one too. */
  has(sha256: string): Promise<boolean>;
  again(sha256: string): Promise<void>;
  /** Waits for everything taken over. */
  finish(): Promise<RawBody[]>;
  /** Drops what waits and ends what runs. */
  abandon(): Promise<void>;
}

export const keepNothing: RawKeeper = {
  keep: () => Promise.resolve(),
  kept: () => Promise.resolve(),
  has: () => Promise.resolve(true),
  again: () => Promise.resolve(),
  finish: () => Promise.resolve([]),
  abandon: () => Promise.resolve(),
};

/** The file already kept for a body, when it is sound: as an earlier manifest recorded it, or by its content. */
async function keptBefore(file: string, body: string, recorded: string | undefined): Promise<RawBody | null> {
  if (!(await exists(file))) return null;
  const outer = await digestOf(file);
  if (outer.sha256 === recorded) return { body, ...outer };
  const inner = await unpackedDigest(file).catch(() => null);
  return inner?.body === body ? { body, ...outer } : null;
}

/**
 * @param folder where bodies are kept, each once, as `<sha256>.json.gz`
 * @param spool folder on the same file system, for what waits
 * @param recorded body digest to digest of the kept file, from the previous snapshot
 */
export function createRawKeeper(folder: string, spool: string, recorded: ReadonlyMap<string, string>): RawKeeper {
  const limit = pLimit({ concurrency: 1, rejectOnClear: true });
  const kept = new Map<string, Promise<RawBody>>();
  const ending = new AbortController();

  async function compress(link: string, body: string): Promise<RawBody> {
    const file = join(folder, `${body}.json.gz`);
    const before = await keptBefore(file, body, recorded.get(body));
    if (before) return before;
    const temporary = join(spool, `${body}.gz`);
    const out = fs.createWriteStream(temporary, { mode: fileMode });
    await pipeline(fs.createReadStream(link, { highWaterMark: 1 << 18 }), createGzip({ level: 1 }), out, {
      signal: ending.signal,
    });
    await fsyncFile(temporary);
    const digest = await digestOf(temporary);
    await makeDir(folder);
    await fsp.rename(temporary, file);
    return { body, ...digest };
  }

  return {
    async keep(file, sha256) {
      if (ending.signal.aborted || kept.has(sha256)) return;
      const link = join(spool, `${sha256}.raw`);
      const linked = fsp.link(file, link);
      const work = linked.then(() => limit(() => compress(link, sha256).finally(() => fsp.rm(link, { force: true }))));
      work.catch(() => undefined);
      kept.set(sha256, work);
      await linked;
    },
    kept: (bodies) => Promise.all(bodies.flatMap((sha256) => kept.get(sha256) ?? [])),
    has: async (sha256) => (await keptBefore(join(folder, `${sha256}.json.gz`), sha256, recorded.get(sha256))) !== null,
    async again(sha256) {
      if (kept.has(sha256)) return;
      const before = await keptBefore(join(folder, `${sha256}.json.gz`), sha256, recorded.get(sha256));
      if (before === null) throw new ExportError(`${folder}: the kept body ${sha256} vanished during the run.`);
      kept.set(sha256, Promise.resolve(before));
    },
    async finish() {
      const all = await Promise.all(kept.values());
      if (all.length > 0) await fsyncDir(folder);
      return all.toSorted((a, b) => (a.body < b.body ? -1 : 1));
    },
    async abandon() {
      ending.abort();
      limit.clearQueue();
      await Promise.allSettled(kept.values());
    },
  };
}
