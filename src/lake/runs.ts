/** `runs.jsonl`: what a lake remembers of its runs. */
import { counted, exitCodes, jsonIn } from "../platform/index.js";
import { layoutOf } from "./layout.js";
import { openStore } from "./snapshot.js";
import { namesIn } from "./store.js";

/** A line when a run starts and one when it ends, in `runs.jsonl`. */
export interface RunLine {
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
  readonly numbers: Readonly<Record<string, number>> | null;
  readonly shortfalls?: Readonly<Record<string, number>> | undefined;
  /** At most 100 lines, one a finding. */
  readonly findings?: readonly string[] | undefined;
  readonly notice?: NoticeState | undefined;
}

export type NoticeState = "due" | "sending" | "sent";

/** Each note begins on a new line, even after the partial line of a killed writer. */
export async function noteRun(lake: string, projectId: string, line: RunLine): Promise<void> {
  const store = await openStore(lake);
  await store.append(layoutOf(projectId).runs, `\n${JSON.stringify(line)}`);
}

const isInstant = (value: unknown): value is string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));

function runLineIn(text: string): RunLine | null {
  const line = jsonIn(text) as Partial<RunLine> | null | undefined;
  const { run, started_at, ended_at = null } = line ?? {};
  if (
    typeof run !== "string" ||
    !isInstant(started_at) ||
    (ended_at !== null && !isInstant(ended_at))
  )
    return null;
  const unknown = {
    exit_code: null,
    error: null,
    snapshot: null,
    rows: null,
    bytes: null,
    numbers: null,
  };
  return { ...unknown, ...line, run, started_at, ended_at };
}

/** The runs of a project, oldest first. A line that a killed writer left cut is passed over. */
export async function readRuns(lake: string, projectId: string): Promise<RunLine[]> {
  const text = (await (await openStore(lake)).read(layoutOf(projectId).runs)) ?? "";
  const runs = new Map<string, RunLine>();
  for (const line of text.split("\n").flatMap((one) => runLineIn(one) ?? []))
    runs.set(line.run, line);
  return [...runs.values()];
}

/** Leaves out runs that a clock ahead has recorded, with a warning. */
export function runsBefore<R extends Pick<RunLine, "started_at" | "ended_at">>(
  runs: readonly R[],
  now: Date,
  warn: (message: string) => void = () => undefined,
): R[] {
  const isBefore = ({ started_at, ended_at }: R) => new Date(ended_at ?? started_at) <= now;
  const ahead = runs.find((run) => !isBefore(run));
  if (ahead === undefined) return [...runs];
  const left = runs.filter(isBefore);
  const which =
    `${counted(runs.length - left.length, "run")} recorded by a clock ahead, from ` +
    ahead.started_at;
  warn(
    `Ignored ${which}, since it is ${now.toISOString()}. Check the clocks of the hosts that ` +
      "write this lake.",
  );
  return left;
}

export const lastSuccess = (runs: readonly RunLine[]): RunLine | undefined =>
  runs.findLast(({ exit_code }) => exit_code === exitCodes.ok);

export async function projectsWithRuns(lake: string): Promise<string[]> {
  const store = await openStore(lake);
  const names = await namesIn(store, "");
  const has = await Promise.all(names.map((name) => store.isFile(layoutOf(name).runs)));
  return names.filter((_, i) => has[i]);
}

const runHistory = { kept: 1000, atMost: 1100 };

/** The last that succeeded stays. The caller holds the project's lock. */
export async function shortenRuns(
  lake: string,
  projectId: string,
  now: Date,
  { kept, atMost } = runHistory,
): Promise<void> {
  const runs = await readRuns(lake, projectId);
  if (runs.length <= atMost) return;
  const success = lastSuccess(runsBefore(runs, now));
  const left = runs.filter((run, i) => i >= runs.length - kept || run === success);
  await (
    await openStore(lake)
  ).put(layoutOf(projectId).runs, left.map((run) => `${JSON.stringify(run)}\n`).join(""));
}
