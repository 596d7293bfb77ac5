import addFormats from "ajv-formats";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { records } from "../../contract/index.js";
import { fsp, messageOf, UsageError } from "../../platform/index.js";
import { fieldOf, valueOf } from "../rule-reader.js";
import { newExperiment, newJob, type RaterPool, type Rating, type Session, type Slate } from "../state/state.js";
import type { StateChange } from "../state/store.js";

interface CaseFile {
  experiment: { id: string; name: string; type: string; language?: string } & Record<string, unknown>;
  sessions: Session[];
  slates: Slate[];
  ratings: Rating[];
}

const plain = (schema: object): object => JSON.parse(JSON.stringify(schema)) as object;
const listOf = (schema: object) => ({ type: "array", items: plain(schema) });

const text = { type: "string" };
const schema = {
  type: "object",
  required: ["experiment", "sessions", "slates", "ratings"],
  properties: {
    experiment: {
      type: "object",
      required: ["id", "name", "type"],
      properties: { id: { ...text, pattern: "^[a-zA-Z0-9]+$" }, name: text, type: text, language: text },
    },
    sessions: listOf(records.session["0.8.3"]),
    slates: listOf(records.slate["0.8.3"]),
    ratings: listOf(records.rating["0.8.3"]),
  },
};

let validate: ValidateFunction<CaseFile> | undefined;

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
  validate ??= addFormats.default(new Ajv({ strict: false, verbose: true })).compile<CaseFile>(schema);
  if (!validate(value)) throw new UsageError(`${path}: ${explain(validate.errors?.[0])}`);
  checkReferences(path, value);
  return value;
}

function explain(error: ErrorObject | undefined): string {
  if (error === undefined) return "is not a case file.";
  const missing = error.params.missingProperty as string | undefined;
  const field = fieldOf(error, missing);
  return missing === undefined
    ? `${field || "the file"} ${error.message ?? "is not valid"}, but is ${valueOf(error)}.`
    : `${field} is missing; a case file has experiment, sessions, slates and ratings as the interface gives them.`;
}

function checkReferences(path: string, { sessions, slates, ratings }: CaseFile): void {
  const known = new Set(sessions.map(({ id }) => id));
  const check = (list: string, rows: readonly { session_id: string }[]): void => {
    const at = rows.findIndex((row) => !known.has(row.session_id));
    const row = rows[at];
    if (row !== undefined)
      throw new UsageError(
        `${path}: ${list}.${at}.session_id ${JSON.stringify(row.session_id)} is not the id of a session in the file.`,
      );
  };
  check("slates", slates);
  check("ratings", ratings);
}

/** The changes that put a case file's study into a project. */
export function caseChanges(
  { experiment, sessions, slates, ratings }: CaseFile,
  project: string,
  pool: RaterPool,
): StateChange[] {
  const updated = sessions.map((session) => session.date_updated).sort();
  const [date_created = "2026-01-01T00:00:00Z"] = updated;
  const { id, name, type, language = "en" } = experiment;
  const date_updated = updated.at(-1) ?? date_created;
  const bySession = new Map<string, Slate[]>();
  for (const slate of slates) bySession.set(slate.session_id, [...(bySession.get(slate.session_id) ?? []), slate]);
  const jobs = [...new Set(sessions.map((session) => session.job_id))].sort();
  const textOf = (field: string): string => (typeof experiment[field] === "string" ? experiment[field] : "");
  return [
    {
      set: "experiment",
      project,
      value: newExperiment({
        ...{ id, name, type, language, date_created, date_updated },
        ...{ title: textOf("title"), question: textOf("question") },
        ...{ description: textOf("description"), introduction: textOf("introduction") },
      }),
      ratings,
    },
    ...jobs.map((job): StateChange => {
      const num_sessions = sessions.filter((session) => session.job_id === job).length;
      const launched = {
        num_sessions,
        date_created,
        date_updated,
        date_launched: date_created,
        status: "completed",
      } as const;
      const value = newJob({ ...launched, id: job, experiment_id: id, rater_pool: pool, pool: 1, max_repetitions: 1 });
      return { set: "job", project, value };
    }),
    ...sessions.map((value): StateChange => ({
      set: "session",
      project,
      value: { ...value, experiment_id: id },
      slates: bySession.get(value.id) ?? [],
    })),
  ];
}
