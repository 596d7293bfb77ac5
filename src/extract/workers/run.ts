import { posix } from "node:path";
import {
  layoutOf,
  noteRunOf,
  ownFiles,
  type LakeStore,
  type Lock,
  type RawBody,
  type Round,
  type SharedFiles,
  type Unit,
} from "../../lake/index.js";
import { newSnapshotId, type Checkpoint } from "../checkpoint.js";
import { checkPseudonyms, openContext, type ExportContext } from "../context.js";
import type { ExportEffects, ExportOptions } from "../options.js";
import { bodiesOf } from "../read/index.js";
import { keyOfExperiment } from "./records.js";
import type { Worker } from "../worker.js";

/** A worker that holds the lock of its share. */
export interface Share {
  readonly worker: Worker;
  readonly round: Round;
  readonly store: LakeStore;
  readonly shared: SharedFiles;
  readonly lock: Lock;
  readonly options: ExportOptions;
  readonly effects: Required<ExportEffects>;
}

/** A part of a round that one process does in one go. Its files get a folder of their own in the lake, as those of a snapshot. */
export interface Run {
  readonly context: ExportContext;
  /** Moves what was read into the lake, and notes it there with `more`, unless that was done before. */
  readonly keep: (key: string, units: readonly Unit[], more: object) => Promise<void>;
}

/** Gives `use` a run, and ends it whatever happens. */
export async function withRun<T>(share: Share, use: (run: Run) => Promise<T>): Promise<T> {
  const { store, shared, round, worker, lock, options, effects } = share;
  const { staging, snapshots } = layoutOf(options.projectId);
  const snapshot = newSnapshotId(effects.clock.now());
  const own = `${staging}-${worker.number}`;
  const staged = `${own}/${snapshot}`;
  await store.remove(own);
  const scratch = await store.scratch(`${own}/.spool-${snapshot}`);
  await noteRunOf(store, round, snapshot);

  const sent = new Map<string, Promise<void>>();
  const send = async (units: readonly Unit[], raw: readonly RawBody[]) => {
    const files = ownFiles(snapshot, units, raw);
    const unsent = files.filter(({ path }) => !sent.has(path));
    const sending = shared.send(staged, `${snapshots}/${snapshot}`, unsent);
    sending.catch(() => undefined);
    for (const { path } of unsent) sent.set(path, sending);
    for (const { path } of files) await sent.get(path);
    for (const { path } of unsent) await store.remove(`${staged}/${path}`);
  };
  const note = async (key: string, units: readonly Unit[], kept: Promise<readonly RawBody[]>, more: object) => {
    const raw = await kept;
    await send(units, raw);
    await lock.confirm();
    const placed = units.map((unit) => ({ ...unit, parts: unit.parts.map((part) => ({ snapshot, ...part })) }));
    await shared.create(key, JSON.stringify({ ...more, units: placed, raw }));
  };

  let scratchFiles = 0;
  const nothing = () => Promise.resolve();
  const checkpoint: Checkpoint = {
    ...{ snapshot, staged, scratch, created: new Date(round.created), finished: new Map() },
    scratchFile: () => posix.join(scratch, `${scratchFiles++}.json`),
    record: ({ experiment, units }, kept) => note(keyOfExperiment(round, experiment.id), units, kept, { experiment }),
    settle: nothing,
    allowResume: () => undefined,
    close: () => store.remove(own),
  };
  try {
    const context = await openContext(store, checkpoint, options, effects);
    try {
      checkPseudonyms(context);
      return await use({
        context,
        keep: (key, units, more) => note(key, units, context.raw.kept(bodiesOf(units)), more),
      });
    } finally {
      await context.close();
    }
  } finally {
    await checkpoint.close();
  }
}
