/** What numbers follow from, and why others could not be judged: one cause for each reason. */
import {
  attentionOf,
  resultKey,
  type AuditReport,
  type AuditRow,
  type Finding,
} from "../audit/index.js";
import { cached, capitalized, groupsOf, joinParts, keyOf } from "../platform/index.js";
import { verdictText } from "./numbers.js";
import { isUnderConvention } from "./tones.js";

export interface JudgedCause {
  readonly verdict: AuditRow["verdict"];
  readonly why: string | null;
  readonly says: string;
  /** Such as "training=include"; "" for what is no convention. */
  readonly code: string;
  readonly rows: readonly [AuditRow, ...AuditRow[]];
  readonly status: string;
}

const findingsOf = cached(({ findings }: Pick<AuditReport, "findings">) =>
  groupsOf(findings, resultKey),
);

const findingBehind = (report: AuditReport, row: AuditRow): Finding | undefined =>
  findingsOf(report)
    .get(resultKey(row))
    ?.find(
      ({ explanation, published_in: places }) =>
        explanation !== null && places.includes(row.published_in),
    );

/** Why a person accepts what explains a number; null: nobody does. */
export const acceptanceOf = (report: AuditReport, row: AuditRow): string | null =>
  findingBehind(report, row)?.accepted?.reason ?? null;

/** The causes of what is not simply exact, the most urgent first, for every output. */
export const judgedCauses = cached((report: AuditReport): JudgedCause[] => {
  const rows = report.rows.filter(({ verdict }) => attentionOf(verdict) > 0);
  const shortfalls = new Set(
    report.shortfalls.map(({ message }) => message.slice(message.indexOf(": ") + 2, -1)),
  );
  // What a snapshot lacks is one cause, whatever else is said of a number.
  const whyOf = ({ explanation }: AuditRow): string | null =>
    explanation?.split("; ").find((part) => shortfalls.has(part)) ?? explanation;
  const alike = groupsOf(rows, (row) => {
    const { verdict, experiment_id, kind } = row;
    return keyOf(verdict, whyOf(row) ?? [experiment_id, kind], acceptanceOf(report, row));
  });
  const causes = [...alike.values()].map((own): JudgedCause => {
    const [row] = own;
    const { verdict } = row;
    const why = whyOf(row);
    const explanation = isUnderConvention(verdict)
      ? findingBehind(report, row)?.explanation
      : undefined;
    const reason = acceptanceOf(report, row);
    const states: Partial<Record<typeof verdict, string>> = {
      explained: reason === null ? "stated by the publisher" : `accepted: “${reason}”`,
      unstated: "not stated: accept it or ask the publisher",
    };
    const contrary = explanation?.contradicts ?? [];
    const says = joinParts([
      explanation?.says ?? why ?? verdictText(verdict),
      contrary.length > 0 && `although the published options state ${contrary.join(", ")}`,
    ]);
    return {
      verdict,
      why,
      says: `${capitalized(says).replace(/\.$/, "")}.`,
      code: explanation ? (row.explanation ?? "") : "",
      rows: own,
      status: states[verdict] ?? verdictText(verdict),
    };
  });
  return causes.toSorted((a, b) => attentionOf(b.verdict) - attentionOf(a.verdict));
});
