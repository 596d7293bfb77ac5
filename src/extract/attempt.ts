import { dirname, join } from "node:path";
import {
  type Clock,
  codeOf,
  exists,
  fileMode,
  fsp,
  fsyncDir,
  makeDir,
  readText,
  type Log,
  randomHex,
} from "../platform/index.js";
import { areSound, filesOfPart, type Layout } from "../lake/index.js";
import type { ExportedExperiment } from "./experiment.js";
import { clearLeftovers } from "./leftovers.js";

/** What must be the same for a later run to go on with an earlier one's experiments. */
export type Terms = Readonly<Record<string, unknown>>;

/** One run under way, or taken up again: its snapshot, its folder, and the experiments already whole. */
export interface Attempt {
  readonly snapshot: string;
  readonly created: Date;
  readonly staged: string;
  readonly finished: ReadonlyMap<string, ExportedExperiment>;
  /** Notes an experiment as whole, durably, once all of it is kept: a later run may go on from it. Does not wait. */
  note(read: ExportedExperiment, kept: Promise<unknown>): void;
  /** Waits for the notes under way; throws where one could not be written. */
  settle(): Promise<void>;
  /** How many experiments a later run would find. */
  noted(): number;
  forget(): Promise<void>;
}

const ending = ".resume.jsonl";

/** Sortable by time, to the millisecond; the random end keeps two machines apart. */
const snapshotId = (now: Date) => `${now.toISOString().slice(0, 23).replaceAll(/[-:.]/g, "")}Z-${randomHex(3)}`;

interface Journal {
  readonly snapshot: string;
  readonly created: string;
  readonly experiments: readonly ExportedExperiment[];
}

/** A journal as far as it was written: a last line that a crash tore does not count. Null when its terms are others. */
function readJournal(text: string, terms: Terms): Journal | null {
  const lines = text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
  const [head, ...experiments] = lines as [
    { snapshot: string; created: string; terms: Terms } | undefined,
    ...ExportedExperiment[],
  ];
  if (head === undefined || JSON.stringify(head.terms) !== JSON.stringify(terms)) return null;
  return { snapshot: head.snapshot, created: head.created, experiments };
}

/** The last run's journal; one that had published its snapshot when it was ended has nothing left to go on with. */
async function newestJournal({ staging, snapshots }: Layout, terms: Terms): Promise<Journal | null> {
  const names = await fsp.readdir(staging).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  for (const name of names
    .filter((one) => one.endsWith(ending))
    .toSorted()
    .toReversed()) {
    const journal = readJournal(await readText(join(staging, name)), terms);
    if (journal !== null && !(await exists(join(snapshots, journal.snapshot)))) return journal;
  }
  return null;
}

/** Moves an experiment's files into the fresh folder when each is as it was written; else it is read again. */
async function takeOver(from: string, to: string, { units }: ExportedExperiment): Promise<boolean> {
  const files = units.flatMap(({ parts }) => parts.flatMap(filesOfPart));
  if (!(await areSound(from, files))) return false;
  for (const { path } of files) {
    await makeDir(dirname(join(to, path)));
    await fsp.rename(join(from, path), join(to, path));
  }
  return true;
}

async function append(file: string, line: unknown): Promise<void> {
  const handle = await fsp.open(file, "a", fileMode);
  try {
    await handle.writeFile(`${JSON.stringify(line)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Opens a run: anew, or with `resume` where the last one ended. Only whole experiments are taken over, each with all of
 * its resources from one attempt; whatever else lies in `staging` is removed. The caller holds the project's lock.
 */
export async function openAttempt(
  layout: Layout,
  terms: Terms,
  resume: boolean,
  { clock, log }: { clock: Clock; log: Log },
): Promise<Attempt> {
  const { staging } = layout;
  const journal = resume ? await newestJournal(layout, terms) : null;
  const snapshot = journal?.snapshot ?? snapshotId(clock.now());
  const created = journal === null ? clock.now() : new Date(journal.created);
  const staged = join(staging, snapshot);
  const file = join(staging, `${snapshot}${ending}`);
  const before = join(staging, `.before-${snapshot}`);
  if (journal !== null) {
    await fsp.rm(before, { recursive: true, force: true });
    await fsp.rename(staged, before).catch(() => undefined);
  }
  await makeDir(staged);
  const finished = new Map<string, ExportedExperiment>();
  for (const read of journal?.experiments ?? []) {
    if (await takeOver(before, staged, read)) finished.set(read.experiment.id, read);
  }
  await clearLeftovers(staging, log, new Set(journal === null ? [] : [snapshot]));
  await append(file, { snapshot, created: created.toISOString(), terms });
  for (const read of finished.values()) await append(file, read);
  await fsyncDir(staging);
  if (journal !== null) log.info(`Going on with snapshot ${snapshot}: ${finished.size} experiments are already whole.`);
  let count = finished.size;
  let notes = Promise.resolve();
  return {
    snapshot,
    created,
    staged,
    finished,
    note(read, kept) {
      const isKept = kept.then(
        () => true,
        () => false,
      );
      notes = Promise.all([isKept, notes]).then(async ([is]) => {
        if (!is) return;
        await append(file, read);
        count++;
      });
      notes.catch(() => undefined);
    },
    settle: () => notes,
    noted: () => count,
    forget: () => fsp.rm(file, { force: true }),
  };
}
