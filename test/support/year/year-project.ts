import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failureOf } from "../../../src/commands/failure.js";
import { createClient } from "../../../src/client/index.js";
import { startEmulator, type PublishingRule, type RunningEmulator } from "../../../src/emulator/index.js";
import { exportSnapshot } from "../../../src/extract/index.js";
import { defaultRetention, pruneSnapshots } from "../../../src/lake/index.js";
import { runPipeline } from "../../../src/pipeline/index.js";
import { settingsOf } from "../../../src/pipeline/settings.js";
import { seededRandom, silentLog, systemClock, type Clock } from "../../../src/platform/index.js";
import { recount } from "../command-line.js";
import { preload } from "../crash-fixture.js";
import { goldenDir } from "../golden-case.js";
import type { Night } from "./plan.js";

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
