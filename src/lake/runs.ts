import { exitCodes } from "../platform/index.js";
import { layoutOf } from "./layout.js";
import { openStore } from "./snapshot.js";
import { namesIn } from "./store.js";

/** What a lake remembers of one run: a line when it starts and one when it ends, in `runs.jsonl`. */
export interface RunLine {
  /** Identifier of the run; runs sort by it. */
  readonly run: string;
  /** Instants, ISO 8601 in UTC. No end: the run is in progress, or was killed. */
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly exit_code: number | null;
  /** The line that the run ended with; null if it ended with its results. */
  readonly error: string | null;
  readonly snapshot: string | null;
  /** Rows of the snapshot and bytes of its bodies. */
  readonly rows: number | null;
  readonly bytes: number | null;
  /** Published numbers by verdict. */
  readonly numbers: Readonly<Record<string, number>> | null;
  /** The notice of the run's end: to be sent, perhaps sent, or sent. Absent if there is none. */
  readonly notice?: NoticeState | undefined;
}

/** `sending`: an attempt was in progress when this was written. */
export type NoticeState = "due" | "sending" | "sent";

/** Notes the start or the end of a run, durably. Each begins on a new line, even after the partial line of a killed writer. */
export async function noteRun(lake: string, projectId: string, line: RunLine): Promise<void> {
  const store = openStore(lake);
  await store.append(layoutOf(projectId).runs, `\n${JSON.stringify(line)}`);
}

function parsed(text: string): RunLine | null {
  try {
    const line = JSON.parse(text) as Partial<RunLine> | null;
    return typeof line?.run === "string" && typeof line.started_at === "string" ? (line as RunLine) : null;
  } catch {
    return null;
  }
}

/** The runs of a project, oldest first. A line that a killed writer left cut is passed over. */
export async function readRuns(lake: string, projectId: string): Promise<RunLine[]> {
  const text = (await openStore(lake).read(layoutOf(projectId).runs)) ?? "";
  const runs = new Map<string, RunLine>();
  for (const line of text.split("\n").flatMap((one) => parsed(one) ?? [])) runs.set(line.run, line);
  return [...runs.values()];
}

/** The last of `runs`, oldest first, that ended with exit code 0. */
export const lastSuccess = (runs: readonly RunLine[]): RunLine | undefined =>
  runs.findLast(({ exit_code }) => exit_code === exitCodes.ok);

/** The projects of a lake that have runs, by identifier. */
export async function projectsWithRuns(lake: string): Promise<string[]> {
  const store = openStore(lake);
  const names = await namesIn(store, "");
  const has = await Promise.all(names.map((name) => store.isFile(layoutOf(name).runs)));
  return names.filter((_, i) => has[i]);
}

/** Runs that a lake remembers after it has been shortened, and above how many it is. */
const remembered = { kept: 1000, atMost: 1100 };

/** Forgets the oldest runs, except the last that succeeded. The caller holds the project's lock. */
export async function shortenRuns(lake: string, projectId: string, { kept, atMost } = remembered): Promise<void> {
  const runs = await readRuns(lake, projectId);
  if (runs.length <= atMost) return;
  const success = lastSuccess(runs);
  const left = runs.filter((run, i) => i >= runs.length - kept || run === success);
  await openStore(lake).put(layoutOf(projectId).runs, left.map((run) => `${JSON.stringify(run)}\n`).join(""));
}
