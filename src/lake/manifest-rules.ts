import { isIdentifier, isOperationName, isTableName } from "../contract/index.js";
import { rules, type Rule, type RulesFor } from "../platform/index.js";
import { earlierPlaces, isEarlier, isSnapshotName, places, type Places } from "./layout.js";
import {
  formats,
  manifestFormat,
  type Manifest,
  type ManifestExperiment,
  type Misidentified,
  type PackedManifest,
  type Part,
  type RawBody,
  type Tombstone,
  type Unit,
} from "./manifest.js";

const { count, digest, listOf, mapOf, matching, nullOr, number, oneOf, optional, record, text } = rules;

const identifier: Rule = (value, at) =>
  typeof value === "string" && isIdentifier(value) ? null : `${at} is not an identifier`;
const table: Rule = (value, at) => (typeof value === "string" && isTableName(value) ? null : `${at} is not a table`);
const operation: Rule = (value, at) =>
  typeof value === "string" && isOperationName(value) ? null : `${at} is not an operation`;
const instant = matching("an instant in UTC", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

const snapshotName: Rule = (value, at) =>
  typeof value === "string" && isSnapshotName(value) ? null : `${at} is not the name of a snapshot`;

const part = record({
  table,
  path: text,
  rows: count,
  quarantined: count,
  repeated: optional(count),
  quarantine: nullOr(text),
  quarantine_sha256: nullOr(digest),
  bytes: count,
  sha256: digest,
  unknown_fields: mapOf(count),
  reader: oneOf("typed", "judged"),
  snapshot: optional(snapshotName),
} satisfies RulesFor<Part>);

/** The files of a part have the names that follow from its table and experiment: none is outside its snapshot. */
const placedPart =
  (own: Places, experiment: unknown): Rule =>
  (value, at) => {
    const problem = part(value, at);
    if (problem !== null) return problem;
    const { table, path, quarantine } = value as Part;
    const name = own.nameOf(path);
    const isPlaced = /^[A-Za-z0-9-]*$/.test(name ?? "") && path === own.part(table, experiment as string | null, name);
    if (!isPlaced) return `${at}.path is not the place of a part of ${table}: ${JSON.stringify(path)}`;
    return quarantine === null || quarantine === own.quarantine(path)
      ? null
      : `${at}.quarantine is not the place of the rows in quarantine: ${JSON.stringify(quarantine)}`;
  };

const unitFields = record({
  operation,
  experiment_id: nullOr(identifier),
  parameters: mapOf(text),
  state: oneOf("complete", "not_permitted", "not_offered"),
  status: count,
  attempts: count,
  started_at: instant,
  elapsed_ms: number,
  etag: nullOr(text),
  body: nullOr(record({ sha256: digest, bytes: count } satisfies RulesFor<NonNullable<Unit["body"]>>)),
  elements: count,
  secrets: optional(
    record({ found: count, is_masked: oneOf(true, false) } satisfies RulesFor<NonNullable<Unit["secrets"]>>),
  ),
  is_withheld: optional(oneOf(true)),
  is_torn: optional(oneOf(true)),
  misidentified: optional(
    listOf(record({ element: count, id: nullOr(text), reason: text } satisfies RulesFor<Misidentified>)),
  ),
} satisfies RulesFor<Omit<Unit, "parts">>);

const unitIn =
  (own: Places): Rule =>
  (value, at) =>
    unitFields(value, at) ??
    record({ parts: listOf(placedPart(own, (value as Unit).experiment_id)) } satisfies RulesFor<Pick<Unit, "parts">>)(
      value,
      at,
    );

const experiment = record({
  id: identifier,
  name: text,
  type: nullOr(text),
  state: oneOf("complete", "torn", "incomplete"),
  reason: nullOr(text),
} satisfies RulesFor<ManifestExperiment>);

const manifestFields = record({
  format: oneOf(...formats),
  recount: text,
  snapshot: snapshotName,
  project_id: identifier,
  service: text,
  created_at: instant,
  elapsed_ms: number,
  previous: nullOr(text),
  selection: record({ ids: listOf(text), names: listOf(text), types: listOf(text) } satisfies RulesFor<
    Manifest["selection"]
  >),
  experiments: listOf(experiment),
  columns: optional(mapOf(mapOf(text))),
  converter: optional(text),
  pseudonyms: optional(text),
  tombstones: optional(
    listOf(record({ table, experiment_id: nullOr(identifier), ids: listOf(text) } satisfies RulesFor<Tombstone>)),
  ),
  raw: optional(
    listOf(
      record({
        body: digest,
        sha256: digest,
        bytes: count,
        snapshot: optional(snapshotName),
      } satisfies RulesFor<RawBody>),
    ),
  ),
} satisfies RulesFor<Omit<Manifest, "units">>);

const unitsIn = (own: Places) => record({ units: listOf(unitIn(own)) } satisfies RulesFor<Pick<Manifest, "units">>);

const manifest: Rule = (value, at) =>
  manifestFields(value, at) ?? unitsIn(isEarlier((value as Manifest).format) ? earlierPlaces : places)(value, at);

const packedManifest = record({
  format: oneOf(manifestFormat),
  recount: text,
  sha256: digest,
  packed: text,
} satisfies RulesFor<PackedManifest>);

const isLater = rules.record({
  format: (value, at) => (Number.isSafeInteger(value) && (value as number) > manifestFormat ? null : at),
  recount: text,
} satisfies RulesFor<Pick<Manifest, "format" | "recount">>);

const problemBy = (rule: Rule) => (value: unknown) => {
  if (isLater(value, "") === null) {
    const { format, recount } = value as Pick<Manifest, "recount"> & { format: number };
    return `was written by Recount ${recount} in format ${format}, and this version reads formats up to ${manifestFormat}: use Recount ${recount} or later`;
  }
  const problem = rule(value, "");
  return problem === null ? null : `is not a manifest: ${problem}`;
};

/** Says why a value is not a manifest that this version reads; null if it is one. */
export const manifestProblem = problemBy(manifest);

/** Says why a value is not a packed manifest that this version reads; null if it is one. */
export const packedProblem = problemBy(packedManifest);
