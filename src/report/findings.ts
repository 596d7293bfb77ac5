import { type AuditReport, type Finding, type AuditRow, attentionOf, fewValues } from "../audit/index.js";
import { counted, listed } from "../platform/index.js";
import { notWholeLine } from "./lake-text.js";
import { sourceText, shortNumber, whereOf } from "./numbers.js";
import { truncated } from "./table.js";

type Explained = NonNullable<Finding["explanation"]>;
type Nearest = NonNullable<Finding["nearest"]>;

/** "16 of 18 numbers that differ match in each of 2 lists". */
function matchText({ published_in: places }: Finding, { of, differing, matched }: Explained): string {
  const all = differing === 1 ? "the number" : differing === 2 ? "both numbers" : `all ${differing} numbers`;
  const numbers = matched === differing ? all : `${matched} of ${counted(differing, "number")}`;
  const which = differing >= of ? "" : differing === 1 ? " that differs" : " that differ";
  const lists = places.length === 1 ? "" : ` in each of ${places.length} lists`;
  return `${numbers}${which} ${matched === 1 ? "matches" : "match"}${lists}`;
}

/** The text of an explained finding; null without an explanation. */
export function explainedText(finding: Finding): string | null {
  const { explanation } = finding;
  if (explanation === null) return null;
  const { contradicts, rivals, name, says, fitted } = explanation;
  const contrary = contradicts.length === 0 ? "" : `, although the published options state ${contradicts.join(", ")}`;
  const others = rivals.length === 0 ? "" : ` The published numbers cannot distinguish it from: ${rivals.join("; ")}.`;
  return `${matchText(finding, explanation)} when ${says}${contrary} (${name}).${others}${standing(finding, fitted)}`;
}

/** The nearest convention is named if it reproduces at least this share of the differing numbers. */
const worthNaming = 0.5;
/** From this share on it reproduces enough, so that only its evidence is too weak. */
const enough = 0.8;

export function unexplainedText({ nearest, smallest_difference: smallest, tried, untried }: Finding): string {
  const parts = [`no convention explains ${nearest === null ? "them" : differingText(nearest)} (${tried} tried)`];
  if (untried.length > 0) parts.push(`not tried within the work limit: ${untried.join(", ")}`);
  if (smallest !== null) parts.push(smallest.says);
  else if (nearest !== null && nearest.name !== "own" && nearest.matched >= worthNaming * nearest.differing)
    parts.push(nearestText(nearest));
  return `${parts.join("; ")}.`;
}

/** "the 3 of 8 numbers that differ", "the one number of 8 that differs"; what differs includes items that are not published. */
function differingText({ differing, of }: Nearest): string {
  if (differing >= of) return differing === 1 ? "the only number" : `the ${differing} numbers`;
  return differing === 1 ? `the one number of ${of} that differs` : `the ${differing} of ${of} numbers that differ`;
}

/** Why the nearest convention is no explanation: it gives too few numbers, or numbers that chance gives as well. */
function nearestText({ name, matched, differing }: Nearest): string {
  if (matched < enough * differing) return `${name} gives ${matched} of ${differing}, which is too few`;
  const all = differing === 1 ? "it" : differing === 2 ? "both" : `all ${differing}`;
  const them = matched < differing ? `${matched} of ${differing}` : all;
  return `${name} gives ${them}, which may be chance`;
}

/** Who vouches for an explanation. */
function standing({ verdict, accepted }: Finding, fitted: readonly string[]): string {
  if (accepted !== null) return ` Accepted: ${accepted.reason}`;
  if (verdict === "fitted")
    return ` ${listed(fitted)} ${fitted.length === 1 ? "is" : "are"} fitted to the numbers themselves, which proves nothing.`;
  return verdict === "unstated" ? " Nobody has stated or accepted this." : "";
}

/** The lines that accept every explanation that nobody has stated, for a pipeline file; none if there is nothing. */
export function acceptLines({ findings }: AuditReport): string[] {
  const entries = findings
    .filter(({ verdict }) => verdict === "unstated")
    .map(({ experiment_id, kind, explanation }) =>
      [
        `  - experiment: ${JSON.stringify(experiment_id)}`,
        `    kind: ${kind}`,
        `    convention: ${JSON.stringify(explanation?.unstated)}`,
        `    reason: ""`,
      ].join("\n"),
    );
  if (entries.length === 0) return [];
  return [
    "",
    "Nobody has stated these conventions. If they are right, say why in the pipeline file:",
    "",
    "accept:",
    ...new Set(entries),
  ];
}

type Accepted = AuditReport["accepted"][number];

const acceptedText: Record<Exclude<Accepted["state"], "holds">, (numbers: string) => string> = {
  not_needed: (numbers) => `is no longer needed: the ${numbers} match without it`,
  does_not_hold: (numbers) => `does not hold: no result of the ${numbers} follows from it`,
  inconclusive: (numbers) => `could not be checked: the data of the ${numbers} are not whole`,
  not_published: () => "is about no published number",
};

/** The accepted conventions that do not hold. */
function acceptedLines({ accepted }: AuditReport): string[] {
  return accepted.flatMap(({ experiment, kind, convention, numbers, state }) =>
    state === "holds"
      ? []
      : [
          `Accepted convention ${convention} for ${kind} of ${experiment} ${acceptedText[state](counted(numbers, "number"))}.`,
        ],
  );
}

/** One line for each published result that the conventions of the run do not reproduce. */
export function findingLines({ findings, rows }: AuditReport): string[] {
  return findings.map((finding) => {
    const name = rows.find((r) => r.experiment_id === finding.experiment_id)?.experiment_name ?? finding.experiment_id;
    const where = [finding.kind, finding.dimension, sourceText(finding.source)].filter((t) => t !== "").join(", ");
    const places =
      finding.published_in.length === 1 && finding.published_in[0] === "results"
        ? ""
        : ` (${finding.published_in.join(", ")})`;
    return `${name || finding.experiment_id}, ${where}${places}: ${explainedText(finding) ?? unexplainedText(finding)}`;
  });
}

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
