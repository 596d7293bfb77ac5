import {
  currentSnapshot,
  joinRound,
  layoutOf,
  LockHeldError,
  lockProject,
  openStore,
  readManifest,
  runsOf,
  shortfallsOf,
  type LakeStore,
  type Lock,
  type Round,
} from "../../lake/index.js";
import {
  ExportError,
  InterruptedError,
  settings,
  silentLog,
  systemClock,
  UsageError,
  type Clock,
} from "../../platform/index.js";
import { exportFailure } from "../export.js";
import type { ExportEffects, ExportOptions, ExportReport } from "../options.js";
import { readEach, readOpening, readProject } from "../read/index.js";
import { checkAgreement, termsOfRound } from "./agreement.js";
import { publishRound } from "./publish-round.js";
import * as records from "./records.js";
import { withRun, type Share } from "./run.js";
import { concurrencyOf, isRoundName, shareOf, type Worker } from "../worker.js";

interface ShareOptions extends Omit<ExportOptions, "resume" | "isLocked"> {
  readonly worker: Worker;
  /** Name of the round, equal for all its workers; default: the one that continues the current snapshot. */
  readonly round?: string | undefined;
  /** Milliseconds to wait for a share that no worker is at work on; default 10 minutes. */
  readonly waitMs?: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** The snapshot that another worker has published. */
type Published = Pick<ExportReport, "snapshot" | "shortfalls"> & { readonly rows?: undefined };

/** Milliseconds between two looks at what the other workers have done. */
const lookMs = 2000;

/** What the workers of a round agree on before they read. */
async function join(store: LakeStore, options: ShareOptions, clock: Clock): Promise<Round> {
  const { projectId, lake, worker, round: name } = options;
  if (name !== undefined && !isRoundName(name))
    throw new UsageError("--round must be a name of letters, digits and . _ : + -, such as 2026-11-22.");
  const previous = await currentSnapshot(lake, projectId);
  const chosen = name ?? `after-${previous ?? "nothing"}`;
  const terms = termsOfRound(options, worker);
  const round = await joinRound(store, projectId, chosen, { previous, created: clock.now().toISOString(), terms });
  checkAgreement(chosen, round.terms, terms);
  return round;
}

/** The snapshot that a worker of the round has published; null if none has. @throws ExportError when none can any more */
async function outcomeOf(
  store: LakeStore,
  { projectId, lake }: ExportOptions,
  round: Round,
): Promise<Published | null> {
  const current = await currentSnapshot(lake, projectId);
  if (current === round.previous) return null;
  const runs = await runsOf(store, round.folder);
  const published = [current ?? "", ...(await store.complete(layoutOf(projectId).snapshots))];
  const own = published.find((id) => runs.includes(id));
  if (own !== undefined) return { snapshot: own, shortfalls: shortfallsOf(await readManifest(lake, projectId, own)) };
  throw new ExportError(
    `${store.locate(round.folder)} continues ${round.previous ?? "no snapshot"}, but another export has published ${current ?? "none"} since. Start another round with --round.`,
  );
}

const ifFree = (lock: Promise<Lock>): Promise<Lock | null> =>
  lock.catch((error: unknown) => {
    if (error instanceof LockHeldError) return null;
    throw error as Error;
  });

/** What was read first, by this worker or by the one that does so now. */
async function openingOf(share: Share, pause: () => Promise<void>): Promise<records.KeptOpening> {
  const { store, round, options, effects } = share;
  for (;;) {
    const kept = await records.readOpeningOf(store, round);
    if (kept !== null) return kept;
    const lock = await ifFree(store.lock(records.openingLock(round), effects.clock));
    if (lock === null) {
      await pause();
      continue;
    }
    try {
      if ((await records.readOpeningOf(store, round)) !== null) continue;
      await withRun(share, async ({ context, keep }) => {
        const { list, chosen, published } = await readOpening(context, options.selection);
        await keep(records.openingKey(round), [list, ...published], { chosen });
      });
    } finally {
      await lock.release();
    }
  }
}

/** Reads what is missing of the share. The first worker's has the other lists of the project. */
async function readShare(share: Share, opening: records.KeptOpening): Promise<void> {
  const { store, shared, round, worker, options, effects } = share;
  const whole = records.wholeKey(round, worker.number);
  if (await store.exists(whole)) return;
  const known = await records.experimentsIn(store, round);
  const own = shareOf(opening.chosen, worker);
  const missing = own.filter(({ id }) => !known.has(id));
  const isWithProject = worker.number === 1 && !(await store.exists(records.projectKey(round)));
  effects.log.info(
    `Worker ${worker.number}/${worker.of}: ${missing.length} of ${own.length} experiments are to be read.`,
  );
  await withRun(share, async ({ context, keep }) => {
    const readBeside = async () =>
      keep(records.projectKey(round), await readProject(context, options.organization), {});
    const beside = isWithProject ? readBeside() : Promise.resolve();
    await readEach(context, missing, opening, options.concurrency ?? settings.concurrency.default, beside);
  });
  await shared.create(whole, `${worker.number}\n`);
}

/** Publishes, unless another worker does or did. */
async function publishOnce(
  share: Share,
  opening: records.KeptOpening,
  started: number,
  outcome: () => Promise<Published | null>,
): Promise<ExportReport | null> {
  const { options, effects } = share;
  const lock = await ifFree(lockProject(options.lake, options.projectId, effects.clock));
  if (lock === null) return null;
  try {
    if ((await outcome()) !== null) return null;
    return await publishRound(share, opening, started);
  } catch (error) {
    if ((await outcome().catch(() => null)) !== null) return null;
    throw error;
  } finally {
    await lock.release();
  }
}

/** Publishes once all shares are whole, or waits until another worker has. @throws ExportError when nobody is at work on a share */
async function finish(
  share: Share,
  opening: records.KeptOpening,
  started: number,
  { waitMs, pause }: { waitMs: number; pause: () => Promise<void> },
): Promise<ExportReport | Published> {
  const { store, shared, round, worker, options, effects } = share;
  const outcome = () => outcomeOf(store, options, round);
  let seen: { readonly signs: string; readonly since: number } | undefined;
  for (;;) {
    const published = await outcome();
    if (published !== null) return published;
    const whole = await records.wholeShares(store, round);
    const open = Array.from({ length: worker.of }, (_, i) => i + 1).filter((number) => !whole.includes(number));
    if (open.length === 0) {
      const report = await publishOnce(share, opening, started, outcome);
      if (report !== null) return report;
    } else {
      const named = open.map((number) => `${number}/${worker.of}`).join(", ");
      const signs = await Promise.all(open.map((number) => shared.sign(records.shareLock(round, number))));
      const now = { signs: JSON.stringify([open, signs]), since: effects.clock.monotonicMs() };
      if (seen === undefined)
        effects.log.info(`Worker ${worker.number}/${worker.of} has read its share, and waits for ${named}.`);
      if (seen?.signs !== now.signs) seen = now;
      else if (now.since - seen.since >= waitMs)
        throw new ExportError(
          `Nothing is published yet: no worker is at work on ${named}. Run this command with --worker ${open[0] ?? 0}/${worker.of} on any machine; what is read is not read again.`,
        );
    }
    await pause();
  }
}

/**
 * Reads one worker's share of a project into the lake. The first worker that finds all shares whole publishes them as one
 * snapshot and reports it as `exportSnapshot`, the others wait for that. @throws ExportError, UsageError, InterruptedError.
 */
export async function exportShare(all: ShareOptions, effects: ExportEffects = {}): Promise<ExportReport | Published> {
  const { clock = systemClock, log = silentLog, onProgress = () => undefined } = effects;
  const { worker, waitMs = settings.wait.default * 1000, signal, lake, projectId } = all;
  const options = { ...all, concurrency: concurrencyOf(all.concurrency ?? settings.concurrency.default, worker) };
  const store = openStore(lake);
  const { shared } = store;
  if (shared === null)
    throw new UsageError(
      `--worker needs a lake in object storage (s3://bucket/folder): ${lake} is a folder, which one process writes at a time.`,
    );
  const pause = () =>
    clock.sleep(lookMs, signal).catch(() => {
      throw new InterruptedError("Interrupted; what this worker has read is in the lake.");
    });
  const started = clock.monotonicMs();
  try {
    const round = await join(store, options, clock);
    const published = await outcomeOf(store, options, round);
    if (published !== null) return published;
    const lock = await store.lock(records.shareLock(round, worker.number), clock);
    const share: Share = { worker, round, store, shared, lock, options, effects: { clock, log, onProgress } };
    try {
      const opening = await openingOf(share, pause);
      await readShare(share, opening);
      return await finish(share, opening, started, { waitMs, pause });
    } finally {
      await lock.release();
    }
  } catch (error) {
    throw exportFailure(error, store.locate(layoutOf(projectId).project));
  }
}
