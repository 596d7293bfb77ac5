import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "../../src/client/index.js";
import { failureOf } from "../../src/commands/failure.js";
import { type FaultRule, type PublishingRule, startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { exportSnapshot } from "../../src/extract/index.js";
import { defaultRetention, pruneSnapshots } from "../../src/lake/index.js";
import { runPipeline } from "../../src/pipeline/index.js";
import { settingsOf } from "../../src/pipeline/settings.js";
import { seededRandom, type Random, silentLog, systemClock, type Clock } from "../../src/platform/index.js";
import { recount } from "./command-line.js";
import { preload } from "./crash-fixture.js";
import { goldenDir } from "./golden-case.js";

/** Something that happens to one project in one night, and how the run of that night ends. */
export interface Happening {
  readonly name: string;
  /** One of these; null: the process is killed. */
  readonly exitCodes: readonly (number | null)[];
  readonly faults?: readonly FaultRule[];
  readonly publishing?: readonly PublishingRule[];
  /** The environment of test/support/failing-files.mjs, for a run in a process of its own. */
  readonly process?: (random: Random) => Record<string, string>;
}

const status = (code: number): FaultRule => ({ fault: { kind: "status", status: code } });
const at = (random: Random, from: number, to: number) => String(from + Math.floor(random() * (to - from)));

/** What may happen, each as likely as the others. */
export const happenings: readonly Happening[] = [
  { name: "outage", exitCodes: [3], faults: [status(503)] },
  { name: "short outage", exitCodes: [0], faults: [{ times: 2, fault: { kind: "status", status: 503 } }] },
  { name: "maintenance", exitCodes: [3], faults: [{ fault: { kind: "html" } }] },
  { name: "revoked key", exitCodes: [4], faults: [status(401)] },
  {
    name: "broken connection",
    exitCodes: [3],
    faults: [{ operation: "listRatings", fault: { kind: "cut", after: 300, framing: "content-length" } }],
  },
  { name: "new fields", exitCodes: [0], faults: [{ operation: "listRatings", fault: { kind: "unknown_fields" } }] },
  {
    name: "a field of another type",
    exitCodes: [2],
    faults: [{ operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } }],
  },
  {
    name: "no sessions",
    exitCodes: [3],
    faults: [{ operation: "listSessions", fault: { kind: "short_list", rows: 0 } }],
  },
  {
    // With few ratings no convention is found, with more it is found and nobody has stated it.
    name: "another convention",
    exitCodes: [1, 2],
    publishing: [{ kinds: ["elo"], conventions: { elo: { k: 16 } }, options: "silent" }],
  },
  {
    name: "a killed export",
    exitCodes: [null],
    process: (random) => ({ FILES_ON: "/staging/", FILES_AT: at(random, 2, 12), FILES_DO: "kill" }),
  },
  {
    name: "a full disk",
    exitCodes: [3],
    process: (random) => ({ FILES_ON: "/staging/", FILES_AT: at(random, 2, 12), FILES_DO: "ENOSPC" }),
  },
];

/** One night of one project. */
export interface Night {
  readonly night: number;
  readonly project: number;
  /** Null: nothing happens. */
  readonly happening: Happening | null;
  /** Whether this night's run recomputes and audits; otherwise it exports and prunes. */
  readonly isAudited: boolean;
  /** Sessions that the experiment has; they grow over the year. */
  readonly sessions: number;
  /** A number for what the night draws itself. */
  readonly seed: number;
}

/** The nights of a year, the same for the same seed, in order. Something happens to a project once in 20 nights. */
export function planYear(seed: number, nights: number, projects: number): Night[] {
  const random = seededRandom(seed);
  return Array.from({ length: nights * projects }, (_, i) => {
    const [night, project] = [Math.floor(i / projects), i % projects];
    const drawn = happenings[Math.floor(random() * happenings.length)] ?? null;
    // The first night succeeds: only then is there something to shrink or to resume.
    const happening = night > 0 && random() < 1 / 20 ? drawn : null;
    return {
      ...{ night, project, happening },
      isAudited: happening !== null || (night + project) % 60 === 0,
      sessions: 4 + Math.floor((night + 3 * project) / 30),
      seed: Math.floor(random() * 2 ** 32),
    };
  });
}

/** A project of the year: its service, its lake, and its nights one after another. */
export interface YearProject {
  readonly lake: string;
  /** Runs one night, and returns the exit code; null if the process was killed. */
  run(night: Night): Promise<number | null>;
  close(): Promise<void>;
}

interface Case {
  readonly experiment: object;
  readonly sessions: readonly { readonly id: string }[];
  readonly slates: readonly { readonly id: number; readonly session_id: string; readonly ratings: readonly Rating[] }[];
  readonly ratings: readonly Rating[];
}
interface Rating {
  readonly slate_id: number;
  readonly session_id: string;
}

const base = JSON.parse(readFileSync(join(goldenDir, "tiny-pairwise.json"), "utf8")) as Case;

/** The tiny experiment with this number of sessions: further ones repeat the first under other identifiers. */
function grown(sessions: number): Case {
  const copies = Array.from({ length: Math.max(0, sessions - base.sessions.length) }, (_, i) => {
    const origin = base.sessions[i % base.sessions.length]?.id;
    const own = <R extends Rating>(row: R) => ({
      ...row,
      slate_id: row.slate_id + 1000 * (i + 1),
      session_id: `grown${i}`,
    });
    return {
      sessions: base.sessions.filter(({ id }) => id === origin).map((one) => ({ ...one, id: `grown${i}` })),
      slates: base.slates
        .filter(({ session_id }) => session_id === origin)
        .map((one) => ({
          ...one,
          id: one.id + 1000 * (i + 1),
          session_id: `grown${i}`,
          ratings: one.ratings.map(own),
        })),
      ratings: base.ratings.filter(({ session_id }) => session_id === origin).map(own),
    };
  });
  return {
    experiment: base.experiment,
    sessions: [...base.sessions, ...copies.flatMap((one) => one.sessions)],
    slates: [...base.slates, ...copies.flatMap((one) => one.slates)],
    ratings: [...base.ratings, ...copies.flatMap((one) => one.ratings)],
  };
}

const tables = ["ratings", "sessions", "results"] as const;

/**
 * @param clockAt the clock of a night; processes have the machine's
 * @param hook where notices go: below it, `failure` and `unexplained`
 */
export function createYearProject(
  root: string,
  number: number,
  clockAt: (night: number) => Clock,
  hook: string,
): YearProject {
  const lake = join(root, `lake-${number}`);
  const file = join(root, `case-${number}.json`);
  const pipeline = join(root, `p${number}.yaml`);
  const configured = {
    tables: [...tables],
    lake: `lake-${number}`,
    export: { sources: "whole" as const },
    outputs: { summary: `summary-${number}.json` },
    on_failure: { url: `${hook}/failure` },
    on_unexplained: { url: `${hook}/unexplained` },
  };
  writeFileSync(pipeline, JSON.stringify(configured));
  let service: RunningEmulator | undefined;
  let shown = "";

  /** The service on its port, with these sessions and rules; it starts again only if they change. */
  async function serve(
    sessions: number,
    publishing: readonly PublishingRule[],
    clock: Clock,
  ): Promise<RunningEmulator> {
    const wanted = JSON.stringify([sessions, publishing]);
    if (service !== undefined && wanted === shown) return service;
    const port = service === undefined ? 0 : Number(new URL(service.url).port);
    await service?.close();
    writeFileSync(file, JSON.stringify(grown(sessions)));
    service = await startEmulator({ load: [file], port, publishing: [...publishing] }, clock);
    shown = wanted;
    return service;
  }

  async function runNight(night: Night, own: RunningEmulator, clock: Clock): Promise<number | null> {
    const connection = {
      baseUrl: own.url,
      credentials: { scheme: "api-key" as const, key: own.apiKey },
      retry: { totalMs: 5000, baseMs: 1, capMs: 1000 },
    };
    const { projectId } = own;
    const settings = settingsOf({ ...configured, service: { project: projectId } }, pipeline);
    if (!night.isAudited) {
      const client = createClient(connection, { clock });
      try {
        await exportSnapshot({ client, projectId, resume: true, ...settings }, { clock });
        if (night.night % 7 === number % 7) await pruneSnapshots(lake, projectId, defaultRetention);
        return 0;
      } finally {
        await client.close();
      }
    }
    const plan = { all: [settings], projects: [settings], isMany: false };
    const { exitCode } = await runPipeline(plan, {
      ...{ clock, redact: (text: string) => text, failureOf, connect: () => Promise.resolve(connection) },
      ...{ hide: () => undefined, network: () => Promise.resolve({}) },
      show: () => ({ log: silentLog, onProgress: () => undefined, onTasks: () => undefined, stop: () => undefined }),
    });
    return exitCode;
  }

  return {
    lake,
    async run(night) {
      const clock = clockAt(night.night);
      const { happening, seed, sessions } = night;
      const own = await serve(sessions, happening?.publishing ?? [], clock);
      own.faults.set(happening?.faults ?? []);
      own.faults.clearJournal();
      if (happening?.process === undefined) return runNight(night, own, clock);
      const { code } = await recount(["run", pipeline, "-q", "--base-url", own.url, "--project", own.projectId], {
        RECOUNT_API_KEY: own.apiKey,
        NODE_OPTIONS: `--import ${preload}`,
        FILES_UNDER: lake,
        ...happening.process(seededRandom(seed)),
      });
      return code;
    },
    close: async () => service?.close(),
  };
}

/** A clock whose wall time starts at an instant. */
export function clockFrom(start: number): Clock {
  const began = systemClock.monotonicMs();
  return { ...systemClock, now: () => new Date(start + Math.round(systemClock.monotonicMs() - began)) };
}
