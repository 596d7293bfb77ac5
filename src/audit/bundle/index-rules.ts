import { rules, type RulesFor } from "../../platform/index.js";
import type { Acceptance } from "../findings/index.js";
import type { AuditSettings, BundleIndex } from "./contents.js";

const { count, digest, listOf, mapOf, matching, nullOr, number, oneOf, optional, record, text } = rules;

/** A name that a path may contain. */
const name = matching("a name of letters, digits and hyphens", /^[A-Za-z0-9-]+$/);

/** Says why a value is not the index of a bundle; null if it is one. Nothing unchecked reaches a path or SQL. */
export function indexProblem(value: unknown, areConventions: (given: unknown) => boolean): string | null {
  const settings = record({
    conventions: (given, at) => (areConventions(given) ? null : `${at} are not conventions`),
    tolerances: mapOf(record({ absolute: number, relative: number })),
    shapes: mapOf(record({ entries: text, item: text, fields: mapOf(text) })),
    records: mapOf(mapOf(optional(text))),
    limits: nullOr(record({ depth: count, work: count })),
    accept: listOf(
      record({ experiment: text, kind: text, convention: text, reason: text } satisfies RulesFor<Acceptance>),
    ),
  } satisfies RulesFor<AuditSettings>);
  return record({
    format: oneOf(1),
    recount: text,
    project_id: name,
    snapshot: name,
    created_at: text,
    settings,
    files: listOf(
      record({ path: text, sha256: digest, bytes: count } satisfies RulesFor<BundleIndex["files"][number]>),
    ),
  } satisfies RulesFor<BundleIndex>)(value, "");
}
