/** What an audit found, as sentences that every printer uses. */
import {
  describeFindings,
  findingText,
  numbersIn,
  type AuditReport,
  type AuditRow,
  resultKey,
} from "../audit/index.js";
import type { PublishedDiff } from "../changes/index.js";
import { counted, firstLines, firstOf, joinParts, thousands, visible } from "../platform/index.js";
import { judgedCauses } from "./causes.js";
import { republishedLines } from "./diff-table.js";
import { notWholeLine } from "./lake-text.js";
import { fewOf, shortNumber, verdictText, whereOf } from "./numbers.js";
import { publishedOrderLines } from "./order.js";
import { experimentName } from "./results.js";
import { toneOf } from "./tones.js";

export const causeLines = (report: AuditReport): string[] => [
  ...findingLines(report),
  ...undecidedLines(report),
];

function findingLines(report: AuditReport): string[] {
  return describeFindings(report).map((view) => {
    const isUsual = view.places.length === 1 && view.places[0] === "results";
    const places = isUsual ? "" : ` (${fewOf(view.places)})`;
    return `${view.experiment}, ${view.about}${places}: ${findingText(view)}`;
  });
}

function undecidedLines(report: AuditReport): string[] {
  const explained = new Set(report.findings.map(resultKey));
  const isOpen = (row: AuditRow): boolean =>
    undecided.has(row.verdict) || (toneOf(row.verdict) !== "ok" && !explained.has(resultKey(row)));
  return judgedCauses(report).flatMap(({ verdict, why, rows }) => {
    const own = rows.filter(isOpen);
    if (own.length === 0) return [];
    const fewIn = (of: (row: AuditRow) => string): string => fewOf([...new Set(own.map(of))]);
    const about = joinParts([fewIn(experimentName), fewIn(({ kind }) => kind)]);
    const isResult = own.every(({ item, field }) => item === "" && field === "");
    const what = isResult ? counted(own.length, "result") : counted(numbersIn(own), "number");
    const says =
      verdict === "unstated"
        ? `${own.length === 1 ? "matches" : "match"} as ${why ?? ""}, unstated`
        : joinParts([verdictText(verdict), why], ": ") + ranksText(own);
    return `${about} (${fewIn(({ published_in }) => published_in)}): ${what} ${says}`;
  });
}

/** " (atlas-3: 4, not 5)" of ranks. */
function ranksText(rows: readonly AuditRow[]): string {
  const each = rows
    .filter(({ field, recomputed }) => field === "rank" && recomputed !== null)
    .map(({ item, published, recomputed }) => `${item}: ${published}, not ${recomputed}`);
  return each.length === 0 ? "" : ` (${fewOf(each, "; ")})`;
}

const undecided: ReadonlySet<string> = new Set(["not_auditable", "inconclusive", "contradictory"]);

/**
 * What a night brings: its findings, the new ones among them, and published numbers that moved by
 * themselves.
 */
export interface News {
  readonly findings: readonly string[];
  readonly new_findings: readonly string[];
  readonly republished: readonly string[];
}

const mostNews = 100;

/** @param known the findings of the run before */
export function newsOf(
  report: AuditReport,
  changes: readonly PublishedDiff[],
  known: readonly string[],
): News {
  const open = describeFindings(report).filter(({ verdict }) => verdict !== "explained");
  const findings = open.map(({ experiment, about, verdict, named, cause }) => {
    const why = named.length > 0 ? named.join(" ").replace(/\.$/, "") : cause;
    return visible(joinParts([`${experiment}, ${about}: ${verdictText(verdict)}`, why]));
  });
  const before = new Set(known);
  const moved = changes.filter((change) => !change.is_rating_changed);
  return {
    findings: findings.slice(0, mostNews),
    new_findings: findings.filter((finding) => !before.has(finding)).slice(0, mostNews),
    republished: republishedLines(moved).map(visible).slice(0, mostNews),
  };
}

interface AcceptanceAdvice {
  readonly says: string;
  readonly yaml: readonly string[];
}

export function adviceOf(report: AuditReport): AcceptanceAdvice | null {
  const entries = describeFindings(report).flatMap(({ next }) => next);
  if (entries.length === 0) return null;
  return {
    says: "Nobody has stated these conventions. If they are right, say why in the pipeline file:",
    yaml: ["accept:", ...new Set(entries)],
  };
}

type Accepted = AuditReport["accepted"][number];

const acceptedText: Record<Exclude<Accepted["state"], "holds">, (numbers: string) => string> = {
  not_needed: (numbers) => `is no longer needed: the ${numbers} match without it`,
  does_not_hold: (numbers) => `does not hold: no result of the ${numbers} follows from it`,
  inconclusive: (numbers) => `could not be checked: what its ${numbers} show is inconclusive`,
  not_published: () => "is about no published number",
};

function acceptedLines({ accepted }: AuditReport): string[] {
  return accepted.flatMap(({ experiment, kind, convention, numbers, state }) =>
    state === "holds"
      ? []
      : [
          `Accepted convention ${convention} for ${kind} of ${experiment} ` +
            `${acceptedText[state](counted(numbers, "number"))}.`,
        ],
  );
}

interface Note {
  readonly says: string;
  readonly examples: readonly string[];
}

export function correctnessNote(
  { correctness: { compared, equal, different, inconclusive } }: AuditReport,
  limit: number,
): Note {
  const wrong = different.map(
    (d) =>
      `${d.experiment_id} session ${d.session_id} slate ${d.slate_id} ${d.stimulus}: ` +
      `published ${d.published}, recomputed ${d.recomputed}`,
  );
  const open = inconclusive.map(
    (one) => `${one.experiment_id}: ${counted(one.ratings, "rating")}: ${one.reason}`,
  );
  const all = counted(compared, "rating");
  return {
    says:
      compared > 0
        ? `Correctness flags: ${thousands(equal)} of ${all} agree.`
        : `No correctness ${open.length > 0 ? "flag could be compared" : "flags are published"}.`,
    examples: firstLines([...wrong, ...open], limit),
  };
}

/** Numbers published in two places that cannot be roundings of one number. */
export function contradictionNote({ contradictions }: AuditReport, limit: number): Note | null {
  if (contradictions.length === 0) return null;
  const { shown, note } = firstOf(contradictions, limit);
  const examples = shown.map((one) => {
    const said = fewOf(
      one.published.map(({ value, published_in }) => `${shortNumber(value)} in ${published_in}`),
    );
    return (
      `${experimentName(one)}, ${one.kind} (${whereOf(one)}), ${one.item} ${one.field}: ` + said
    );
  });
  return {
    says: "Published with different values in different places:",
    examples: [...examples, ...note],
  };
}

export const noteLines = (note: Note | null): string[] =>
  note === null ? [] : [note.says, ...note.examples.map((line) => `  ${line}`)];

/** What an audit could not see, and that its snapshot is not whole if it is not. */
export function limitLines(report: AuditReport): string[] {
  const { shortfalls } = report;
  const all = [
    ...[publishedOrderLines, acceptedLines, leftOutLines],
    ...[unreadLines, unreadFieldLines, weightLines],
  ];
  const lines = all.flatMap((linesOf) => linesOf(report));
  return shortfalls.length === 0 ? lines : [...lines, notWholeLine(shortfalls)];
}

function leftOutLines({ left_out: leftOut }: AuditReport): string[] {
  if (leftOut.length === 0) return [];
  const experiments = new Set(leftOut.map((part) => part.experiment_id)).size;
  return [
    `Not in this snapshot: ${counted(experiments, "experiment")}, for which the project's ` +
      `lists publish ${counted(numbersIn(leftOut), "number")}.`,
  ];
}

function weightLines({ weighted = [] }: AuditReport): string[] {
  if (weighted.length === 0) return [];
  return [
    `Votes of ${fewOf(weighted)} have weights. Means, dispersions, shares of approval, ` +
      "agreement, robustness, the fit of pairs and metric_raters count each vote once.",
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
      `the list of ${list}${sources ? ` of ${fewOf(sources)}` : ""} (${whyUnread[reason]})`,
  );
  return [`Not audited: ${each.join(", ")}.`];
}

function unreadFieldLines({ unread_fields: fields }: AuditReport): string[] {
  const lineOf = (says: string, some: AuditReport["unread_fields"], end: string): string[] => {
    const counts = new Map<string, number>();
    for (const { field, kind, numbers } of some) {
      const name = kind === "" ? field : `${field} of ${kind}`;
      counts.set(name, (counts.get(name) ?? 0) + numbers);
    }
    const each = [...counts].map(([name, numbers]) => `${name} (${counted(numbers, "number")})`);
    return each.length === 0 ? [] : [`${says}: ${fewOf(each)}.${end}`];
  };
  const isOpen = ({ ignored }: AuditReport["unread_fields"][number]): boolean => ignored === null;
  return [
    ...lineOf(
      "Fields without a definition, not audited",
      fields.filter(isOpen),
      " If that is right, say why under ignore: in the pipeline file.",
    ),
    ...lineOf(
      "Fields left out, as the pipeline file says",
      fields.filter((one) => !isOpen(one)),
      "",
    ),
  ];
}
