import { cached, remembered } from "../../platform/index.js";
import { isKind } from "../../metrics/index.js";
import { snakeCase } from "./fields.js";
import { identityKeys } from "./identity.js";
import { isRecord } from "./record.js";
import { readNumber } from "./scores.js";

/** The identifiers in a record that say what its numbers are about. */
export interface References {
  /** The experiment whose results were listed; null for the lists of a project. */
  readonly home: string | null;
  readonly sources: readonly string[];
  readonly experiments: readonly string[];
  readonly jobs: readonly string[];
  readonly leaderboards: readonly string[];
}

/** Keys of a record's numbers, most usual first. */
const scoreKeys = [
  "scores",
  "values",
  "entries",
  "rows",
  "items",
  "ranking",
  "standings",
  "results",
  "data",
  "score",
  "value",
];
const optionKeys = ["options", "parameters", "settings", "conventions"];

/** What is present in a record and not null, by name; of several spellings of a name the first. */
const presentIn = cached((raw: Record<string, unknown>) => {
  const present = new Map<string, unknown>();
  for (const [key, value] of Object.entries(raw)) {
    const name = snakeCase(key);
    if (value !== null && value !== undefined && !present.has(name)) present.set(name, value);
  }
  return present;
});

/** The value of the first of `keys` that is present and not null, in any spelling. */
function fieldIn(raw: Record<string, unknown>, keys: readonly string[]): unknown {
  const present = presentIn(raw);
  const found = keys.find((key) => present.has(key));
  return found === undefined ? undefined : present.get(found);
}

export function textIn(raw: Record<string, unknown>, keys: readonly string[]): string | null {
  const value = fieldIn(raw, keys);
  if (isRecord(value)) return textIn(value, ["name", "kind", "id"]);
  return typeof value === "string" ? value : null;
}

/** A known kind in Recount's spelling, any other as published. */
export function kindNamed(text: string): string {
  return isKind(snakeCase(text)) ? snakeCase(text) : text;
}

/** The metric of a record, or "". A `type` or `name` counts only if it is a metric. */
export function kindOf(raw: Record<string, unknown>): string {
  const named = textIn(raw, ["kind", "metric", "metric_kind", "metric_name"]);
  if (named !== null) return kindNamed(named);
  const [other] = ["type", "name"]
    .map((key) => textIn(raw, [key]))
    .filter((text) => text !== null && isKind(snakeCase(text)));
  return kindNamed(other ?? "");
}

/** Identifiers in a text with commas, a number, an object with an `id`, or a list of those. */
export function idsOf(value: unknown): string[] {
  if (typeof value === "string")
    return value
      .split(",")
      .map((id) => id.trim())
      .filter((id) => id !== "");
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return (value as unknown[]).flatMap(idsOf);
  return isRecord(value) ? idsOf(value.id ?? value.name) : [];
}

export function referencesOf(home: string | null, raw: Record<string, unknown>): References {
  const ids = (...keys: string[]): string[] => [...new Set(idsOf(fieldIn(raw, keys)))];
  return {
    home,
    sources: ids("source", "sources", "source_id", "source_ids"),
    experiments: ids("experiment_id", "experiment_ids", "experiments", "experiment"),
    jobs: ids("job_id", "job_ids", "jobs", "job"),
    leaderboards: ids("leaderboard_id", "leaderboard"),
  };
}

export function optionsOf(raw: Record<string, unknown>): unknown {
  return fieldIn(raw, optionKeys) ?? {};
}

/** The value of a key of numbers: a list or an object if there is one, otherwise a single number. */
export function scoresIn(raw: Record<string, unknown>): unknown {
  const found = scoreKeys.map((key) => fieldIn(raw, [key])).filter((value) => value !== undefined);
  return found.find((value) => typeof value === "object") ?? (hasItem(raw) ? undefined : found[0]);
}

const referenceKeys = ["source", "sources", "experiment", "experiments", "job", "jobs", "leaderboard"];

/** The fields of a record with numbers that are neither its scores nor its options. */
export function leftIn(raw: Record<string, unknown>, scores: unknown): string[] {
  const read = [...optionKeys, ...referenceKeys];
  return Object.keys(raw).filter(
    (key) => raw[key] !== scores && !read.includes(snakeCase(key)) && numbersInField(key, raw[key]),
  );
}

const hasItem = (raw: Record<string, unknown>): boolean =>
  fieldIn(
    raw,
    identityKeys.filter((key) => !["id", "name", "key", "label"].includes(key)),
  ) !== undefined;

const isName = remembered(
  (key) => (identityKeys as readonly string[]).includes(key) || /(^|_)ids?$|^date|_at$/.test(key),
);

/** Whether there is a number that is not an identifier. */
export function numbersIn(value: unknown): boolean {
  if (Array.isArray(value)) return (value as unknown[]).some(numbersIn);
  if (isRecord(value)) return Object.entries(value).some(([key, inner]) => numbersInField(key, inner));
  return readNumber(value) !== undefined;
}

export const numbersInField = (field: string, value: unknown): boolean => !isName(snakeCase(field)) && numbersIn(value);
