// What an interrupted export leaves behind, and how the next one continues it.
import { posix } from "node:path";
import {
  areIntact,
  filesOf,
  keptBodiesFolder,
  namesIn,
  type LakeStore,
  type Layout,
  type ManifestExperiment,
  type RawBody,
  type Unit,
} from "../lake/index.js";
import { makeDir, messageOf, randomHex, type Clock, type Log, jsonIn } from "../platform/index.js";

export interface ExportedExperiment {
  readonly experiment: ManifestExperiment;
  readonly units: readonly Unit[];
}

export type ExportTerms = Readonly<Record<string, unknown>>;

/** The files that an export keeps in `staging/` until it publishes. */
export interface Checkpoint {
  readonly snapshot: string;
  readonly created: Date;
  readonly staged: string;
  scratchFile(): string;
  readonly scratch: string;
  readonly finished: ReadonlyMap<string, ExportedExperiment>;
  /** Durably, once its bodies are kept. */
  record(read: ExportedExperiment, kept: Promise<readonly RawBody[]>): void;
  settle(): Promise<void>;
  /** Whether an export that fails from now on may be resumed. True at first. */
  allowResume(is: boolean): void;
  close(): Promise<void>;
}

interface CheckpointJournal {
  readonly snapshot: string;
  readonly created: string;
  readonly experiments: readonly ExportedExperiment[];
}

const journalEnding = ".resume.jsonl";

const newSnapshotId = (now: Date) =>
  `${now.toISOString().slice(0, 23).replaceAll(/[-:.]/g, "")}Z-${randomHex(3)}`;

/** A crash may have torn the last line. Null when its settings differ. */
function parseJournal(text: string, terms: ExportTerms): CheckpointJournal | null {
  const lines = text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => jsonIn(line) ?? []);
  const [head, ...experiments] = lines as [
    (CheckpointJournal & { terms: ExportTerms }) | undefined,
    ...ExportedExperiment[],
  ];
  if (head === undefined || JSON.stringify(head.terms) !== JSON.stringify(terms)) return null;
  return { snapshot: head.snapshot, created: head.created, experiments };
}

async function newestJournal(
  store: LakeStore,
  { staging, snapshots }: Layout,
  terms: ExportTerms,
): Promise<CheckpointJournal | null> {
  const names = (await namesIn(store, staging)).filter((name) => name.endsWith(journalEnding));
  for (const name of names.toReversed()) {
    const journal = parseJournal((await store.read(`${staging}/${name}`)) ?? "", terms);
    if (journal !== null && !(await store.complete(snapshots)).includes(journal.snapshot))
      return journal;
  }
  return null;
}

/**
 * Takes over what is complete and intact of the interrupted export with the same settings, and
 * removes everything else in `staging/`. The caller holds the project's lock.
 */
export async function openCheckpoint(
  store: LakeStore,
  layout: Layout,
  terms: ExportTerms,
  resume: boolean,
  { clock, log }: { clock: Clock; log: Log },
): Promise<Checkpoint> {
  const { staging } = layout;
  const interrupted = resume ? await newestJournal(store, layout, terms) : null;
  // Never the name of an interrupted upload: no key is written twice.
  const now = clock.now();
  const snapshot = newSnapshotId(now);
  const created = interrupted === null ? now : new Date(interrupted.created);
  const staged = `${staging}/${snapshot}`;
  const finished = interrupted === null ? [] : await takeOver(store, staging, interrupted, staged);
  for (const name of (await namesIn(store, staging)).filter((one) => one !== snapshot)) {
    log.debug(`Removing ${name}, left by an interrupted export.`);
    await store.remove(`${staging}/${name}`);
  }
  const scratchKey = `${staging}/.spool-${snapshot}`;
  const scratch = store.locate(scratchKey);
  await makeDir(scratch);
  const file = `${staging}/${snapshot}${journalEnding}`;
  await store.append(file, JSON.stringify({ snapshot, created: created.toISOString(), terms }));
  for (const read of finished) await store.append(file, JSON.stringify(read));
  await store.sync([staging]);
  if (interrupted !== null)
    log.info(
      `Resuming ${interrupted.snapshot} as ${snapshot}: ${finished.length} experiments are ` +
        "already complete.",
    );

  const journal = appendTo(store, file, finished.length);
  let scratchFiles = 0;
  let isAllowed = true;
  return {
    snapshot,
    created,
    staged,
    scratch,
    finished: new Map(finished.map((read) => [read.experiment.id, read])),
    scratchFile: () => posix.join(scratch, `${scratchFiles++}.json`),
    record: (read, kept) => journal.record(read, kept),
    settle: () => journal.settle(),
    allowResume(is) {
      isAllowed = is;
    },
    async close() {
      await journal.settle().catch(() => undefined);
      const recorded = journal.recorded();
      const isResumable = isAllowed && recorded > 0;
      if (isResumable)
        log.info(
          `${recorded} complete experiments are kept in ${store.locate(staged)}; resume with ` +
            `\`recount export --resume\`.`,
        );
      for (const key of isResumable ? [scratchKey] : [file, scratchKey, staged]) {
        await store.remove(key).catch((error: unknown) => {
          log.warn(
            `Could not remove ${store.locate(key)}: ${messageOf(error)}. The next export ` +
              "removes it.",
          );
        });
      }
    },
  };
}

async function takeOver(
  store: LakeStore,
  staging: string,
  { snapshot, experiments }: CheckpointJournal,
  staged: string,
): Promise<ExportedExperiment[]> {
  const from = `${staging}/${snapshot}`;
  await store
    .adopt(store.locate(keptBodiesFolder(from)), keptBodiesFolder(staged))
    .catch(() => undefined);
  const taken: ExportedExperiment[] = [];
  for (const read of experiments.filter(({ experiment }) => experiment.state === "complete")) {
    const parts = read.units.flatMap((unit) => unit.parts);
    if (!(await areIntact(store, from, parts))) continue;
    const own = parts.filter((part) => part.snapshot === undefined);
    for (const { path, key } of filesOf(own, from))
      await store.adopt(store.locate(key), `${staged}/${path}`);
    taken.push(read);
  }
  return taken;
}

/** @param recorded those the journal has */
function appendTo(store: LakeStore, file: string, recorded: number) {
  let count = recorded;
  let records = Promise.resolve();
  return {
    recorded: () => count,
    settle: () => records,
    record(read: ExportedExperiment, kept: Promise<readonly RawBody[]>): void {
      if (read.experiment.state !== "complete") return;
      const isKept = kept.then(
        () => true,
        () => false,
      );
      records = Promise.all([isKept, records]).then(async ([is]) => {
        if (!is) return;
        await store.append(file, JSON.stringify(read));
        count++;
      });
      records.catch(() => undefined);
    },
  };
}
