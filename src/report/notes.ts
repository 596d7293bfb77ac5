import { attentionOf, fewValues, type AuditReport, type AuditRow } from "../audit/index.js";
import { counted } from "../platform/index.js";
import { notWholeLine } from "./export-line.js";
import { acceptedLines } from "./findings.js";
import { shortNumber } from "./numbers.js";
import { whereOf } from "./places.js";
import { truncated } from "./table.js";

/** What an audit says besides its results: what is contradictory, then what it could not see. `limit`: entries of a list. */
export function noteLines(report: AuditReport, limit: number): string[] {
  const { shortfalls } = report;
  return [
    ...contradictionLines(report, limit),
    ...correctnessLines(report, limit),
    ...gapLines(report),
    ...(shortfalls.length > 0 ? [notWholeLine(shortfalls)] : []),
  ];
}

/** What an audit did not or could hardly check. */
export function gapLines(report: AuditReport): string[] {
  return [acceptedLines, leftOutLines, unreadLines, unreadFieldLines, coarseLines].flatMap((lines) => lines(report));
}

export function correctnessLines({ correctness }: AuditReport, limit: number): string[] {
  const { compared, equal, different } = correctness;
  const { shown, more } = truncated(different, limit);
  const lines = shown.map(
    (d) =>
      `  ${d.experiment_id} session ${d.session_id} slate ${d.slate_id} ${d.stimulus}: published ${d.published}, recomputed ${d.recomputed}`,
  );
  return [
    "",
    `Correctness flags: ${equal} of ${counted(compared, "rating")} agree.`,
    ...lines,
    ...(more === null ? [] : [`  ${more}`]),
  ];
}

/** Numbers published in two places that cannot be roundings of one number. */
export function contradictionLines({ contradictions }: AuditReport, limit: number): string[] {
  if (contradictions.length === 0) return [];
  const { shown, more } = truncated(contradictions, limit);
  const lines = shown.map(({ experiment_id, experiment_name, kind, item, field, published, ...where }) => {
    const said = published.map((p) => `${shortNumber(p.value)} in ${p.published_in}`).join(", ");
    return `  ${experiment_name || experiment_id}, ${kind} (${whereOf(where)}), ${item} ${field}: ${said}`;
  });
  return [
    "",
    "Published with different values in different places:",
    "",
    ...lines,
    ...(more === null ? [] : [`  ${more}`]),
  ];
}

function leftOutLines({ left_out: leftOut }: AuditReport): string[] {
  if (leftOut.length === 0) return [];
  const numbers = leftOut.reduce((sum, part) => sum + part.numbers, 0);
  const experiments = new Set(leftOut.map((part) => part.experiment_id)).size;
  return [
    `Not in this snapshot: ${counted(experiments, "experiment")}, for which the project's lists publish ${counted(numbers, "number")}.`,
  ];
}

const whyUnread: Record<AuditReport["unread"][number]["reason"], string> = {
  not_permitted: "permission denied",
  not_offered: "not offered by the service",
  not_exported: "not exported",
};

function unreadLines({ unread }: AuditReport): string[] {
  if (unread.length === 0) return [];
  const each = unread.map(
    ({ list, reason, sources }) =>
      `the list of ${list}${sources ? ` of ${sources.join(", ")}` : ""} (${whyUnread[reason]})`,
  );
  return [`Not audited: ${each.join(", ")}.`];
}

/** Results all of whose numbers agree, but that could hardly do otherwise. */
function coarseLines({ results, rows }: AuditReport): string[] {
  const idOf = (of: Pick<AuditRow, "experiment_id" | "kind" | "dimension" | "source" | "published_in">): string =>
    JSON.stringify([of.experiment_id, of.kind, of.dimension, of.source, of.published_in]);
  const few = results.filter(({ distinguishable }) => distinguishable < fewValues);
  if (few.length === 0) return [];
  const differing = new Set(rows.filter((row) => attentionOf(row.verdict) > 0).map(idOf));
  const names = new Map(rows.map((row) => [row.experiment_id, row.experiment_name || row.experiment_id]));
  const coarse = few.filter((result) => !differing.has(idOf(result)));
  if (coarse.length === 0) return [];
  const each = coarse.map(
    (r) =>
      `${r.kind} of ${names.get(r.experiment_id) ?? r.experiment_id} (${whereOf(r)}, ${r.published_in}: ${counted(r.distinguishable, "value")})`,
  );
  return [`Weak evidence, as the published decimals tell fewer than ${fewValues} values apart: ${each.join("; ")}.`];
}

/** Published fields without a definition, by kind. */
function unreadFieldLines({ unread_fields: fields }: AuditReport): string[] {
  if (fields.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { field, kind, numbers } of fields)
    counts.set(`${field} of ${kind}`, (counts.get(`${field} of ${kind}`) ?? 0) + numbers);
  const each = [...counts].map(([name, numbers]) => `${name} (${counted(numbers, "number")})`);
  return [`Fields without a definition, not audited: ${each.join(", ")}.`];
}
