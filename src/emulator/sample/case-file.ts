import { records } from "../../contract/index.js";
import { fsp, messageOf, UsageError } from "../../platform/index.js";
import { problemFinder } from "../rule-reader.js";
import { grouped } from "../scoring/statistics.js";
import {
  addSession,
  newExperiment,
  newJob,
  newStudy,
  type RaterPool,
  type Rating,
  type RaterSession,
  type Slate,
  type State,
  type Study,
} from "../state.js";

interface CaseFile {
  experiment: { id: string; name: string; type: string; language?: string } & Record<string, unknown>;
  sessions: RaterSession[];
  slates: Slate[];
  ratings: Rating[];
}

const text = { type: "string" };
const problem = problemFinder(
  {
    type: "object",
    required: ["experiment", "sessions", "slates", "ratings"],
    properties: {
      experiment: {
        type: "object",
        required: ["id", "name", "type"],
        properties: { id: { ...text, pattern: "^[a-zA-Z0-9]+$" }, name: text, type: text, language: text },
      },
      sessions: { type: "array", items: records.session["0.8.3"] },
      slates: { type: "array", items: records.slate["0.8.3"] },
      ratings: { type: "array", items: records.rating["0.8.3"] },
    },
  },
  "the file",
);

/** Reads a case file: an experiment with sessions, slates and ratings as in the interface. @throws UsageError. */
export async function readCaseFile(path: string): Promise<CaseFile> {
  const text = await fsp.readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path}: is not JSON (${messageOf(error)}).`);
  }
  const found = problem(value);
  if (found !== null) throw new UsageError(`${path}: ${found}.`);
  const file = value as CaseFile;
  const known = new Set(file.sessions.map(({ id }) => id));
  for (const list of ["slates", "ratings"] as const)
    file[list].forEach(({ session_id: session }, at) => {
      if (known.has(session)) return;
      const field = `${list}.${at}.session_id ${JSON.stringify(session)}`;
      throw new UsageError(`${path}: ${field} is not the id of a session in the file.`);
    });
  return file;
}

/** The study of a case file. */
export function caseStudy(state: State, file: CaseFile, pool: RaterPool): Study {
  const { experiment, sessions, slates, ratings } = file;
  const updated = sessions.map((session) => session.date_updated).sort();
  const [date_created = "2026-01-01T00:00:00Z"] = updated;
  const dates = { date_created, date_updated: updated.at(-1) ?? date_created };
  const textOf = (field: string): string => (typeof experiment[field] === "string" ? experiment[field] : "");
  const study = newStudy(
    newExperiment({
      id: experiment.id,
      name: experiment.name,
      type: experiment.type,
      language: experiment.language ?? "en",
      title: textOf("title"),
      question: textOf("question"),
      description: textOf("description"),
      introduction: textOf("introduction"),
      ...dates,
    }),
    { ratings },
  );
  for (const [id, own] of [...grouped(sessions, (session) => session.job_id)].sort(([a], [b]) => (a < b ? -1 : 1)))
    study.jobs.set(
      id,
      newJob({
        id,
        experiment_id: experiment.id,
        num_sessions: own.length,
        max_repetitions: 1,
        rater_pool: pool,
        pool: 1,
        status: "completed",
        date_launched: date_created,
        ...dates,
      }),
    );
  const bySession = grouped(slates, (slate) => slate.session_id);
  for (const session of sessions)
    addSession(state, study, { ...session, experiment_id: experiment.id }, bySession.get(session.id) ?? []);
  return study;
}
