import { dirname } from "node:path";
import { lastSuccess, readRuns } from "../lake/index.js";
import { makeDir, mapTexts, writeDurably, type Clock, type ExitCode, type Redact } from "../platform/index.js";
import type { Plan } from "./projects.js";
import type { Measured, RunRecord } from "./record.js";
import { recordOutputNames, recordOutputs } from "./record-outputs.js";
import type { Settings } from "./settings.js";

/** The records of the runs of a pipeline, and the files that show them. */
export interface RunRecords {
  /** Takes the newest record of a project's run and writes the files in which the project appears. */
  note(settings: Settings, record: RunRecord): Promise<void>;
  /** Notes that no more runs follow. */
  finish(exitCode: ExitCode): Promise<void>;
}

/** The last of the earlier runs of a project. */
async function lastRun({ lake, project }: Settings): Promise<Measured | null> {
  if (project === undefined) return null;
  const runs = await readRuns(lake, project).catch(() => []);
  const last = runs.at(-1);
  if (last === undefined) return null;
  const { started_at, ended_at } = last;
  const seconds = ended_at === null ? null : (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  return { ...last, project, seconds, last_success_at: lastSuccess(runs)?.ended_at ?? null };
}

/** @throws from its methods what writing throws */
export async function openRecords({ all, isMany }: Plan, clock: Clock, redact: Redact): Promise<RunRecords> {
  const records = new Map<Settings, RunRecord>();
  const earlier = new Map<Settings, Measured | null>();
  if (isMany) for (const one of all) earlier.set(one, await lastRun(one));
  let end: { ended_at: string; exit_code: ExitCode } | null = null;

  async function write(files: Iterable<{ name: (typeof recordOutputNames)[number]; file: string }>): Promise<void> {
    const writing = [...files].map(async ({ name, file }) => {
      const shown = all.filter(({ outputs }) => outputs[name] === file);
      const runs = shown.flatMap((one) => records.get(one) ?? []);
      const last = shown.flatMap((one) => records.get(one) ?? earlier.get(one) ?? []);
      await makeDir(dirname(file));
      await writeDurably(file, await recordOutputs[name].text({ runs, last, isMany, end }));
    });
    for (const written of await Promise.allSettled(writing)) if (written.status === "rejected") throw written.reason;
  }

  const filesOf = ({ outputs }: Settings) =>
    recordOutputNames.flatMap((name) => {
      const file = outputs[name];
      return file === undefined ? [] : [{ name, file }];
    });

  return {
    note(settings, record) {
      records.set(settings, mapTexts(record, redact));
      return write(filesOf(settings));
    },
    async finish(exit_code) {
      end = { ended_at: clock.now().toISOString(), exit_code };
      if (!isMany) return;
      const files = all.filter((one) => records.has(one)).flatMap(filesOf);
      await write(new Map(files.map((one) => [`${one.name} ${one.file}`, one])).values());
    },
  };
}
