/** The verdict about an audit as a sentence and a tone. */
import {
  auditExitCode,
  countVerdicts,
  numbersIn,
  type AuditReport,
  type AuditRow,
} from "../audit/index.js";
import { counted, exitCodes, joinParts, remembered, sumOf, thousands } from "../platform/index.js";
import { verdictCounts } from "./numbers.js";

/** Whether a reader may rely on numbers, has to decide about them, or should not trust them. */
export type Tone = "ok" | "doubt" | "bad";

const tones: Readonly<Record<number, Tone>> = {
  [exitCodes.ok]: "ok",
  [exitCodes.unexplained]: "bad",
};

export const toneOf = remembered((verdict: AuditRow["verdict"]): Tone => toneOfRows([{ verdict }]));

export const toneOfRows = (rows: readonly Pick<AuditRow, "verdict">[]): Tone =>
  tones[auditExitCode(countVerdicts(rows))] ?? "doubt";

/** Nobody can rely on numbers that are not there. */
export function toneOfReport({ rows, summary, correctness, shortfalls }: AuditReport): Tone {
  const tone = tones[auditExitCode(summary, correctness)] ?? "doubt";
  return tone === "ok" && (shortfalls.length > 0 || rows.length === 0) ? "doubt" : tone;
}

type Flags = Pick<AuditReport["correctness"], "compared" | "equal"> &
  Partial<AuditReport["correctness"]>;

/** What is wrong or open about correctness flags. */
export function flagSentences({ compared, equal, inconclusive = [] }: Flags): string {
  const wrong = compared - equal;
  const open = sumOf(inconclusive.map(({ ratings }) => ratings));
  return sentences(
    said(wrong, "correctness flag", "contradicts the data", "contradict the data"),
    said(open, "correctness flag", "needs a decision", "need a decision"),
  );
}

/** What a part of an audit is about, and how many numbers of each verdict it leaves out. */
function partSentence({ experiment_id, kind, others }: NonNullable<AuditReport["part"]>): string {
  const about = [kind, experiment_id].filter((one) => one !== null).join(" of ");
  const count = sumOf(Object.values(others));
  if (count === 0) return `This covers ${about}; no other number is published.`;
  const are = count === 1 ? "number is" : "numbers are";
  return (
    `This covers ${about}; ${thousands(count)} other published ${are} left out ` +
    `(${verdictCounts(others)}).`
  );
}

const sentences = (...all: readonly (string | false | undefined)[]): string => joinParts(all, " ");

/** A sentence about some things; none about nothing. */
const said = (count: number, what: string, one: string, several: string): string | false =>
  count > 0 && `${counted(count, what)} ${count === 1 ? one : several}.`;

/** What was published and not compared. */
function restOf({ rows, unread, unread_fields }: AuditReport): string {
  const notes = rows.filter(({ item }) => item === "");
  const isOption = ({ field }: AuditRow): boolean => field.startsWith("options.");
  const results = notes.filter(({ field }) => field === "");
  const fields = notes.filter((row) => row.field !== "" && !isOption(row));
  const ignored = unread_fields.filter((one) => one.ignored !== null);
  const lists = unread.filter(({ sources }) => sources === undefined);
  return sentences(
    said(numbersIn(fields), "more number", "was not read", "were not read"),
    said(results.length, "result", "was not compared", "were not compared"),
    said(notes.filter(isOption).length, "stated option", "needs a decision", "need a decision"),
    said(
      numbersIn(ignored),
      "number",
      "is left out by the pipeline file",
      "are left out by the pipeline file",
    ),
    said(lists.length, "published list", "was not read", "were not read"),
  );
}

/** What follows from the ratings of the numbers that were compared; null for none. */
function comparedSentence(rows: readonly AuditRow[], isAll: boolean): string | null {
  const isOne = rows.length === 1;
  const compared = isAll ? "" : ` that ${isOne ? "was" : "were"} compared`;
  const total = `${thousands(rows.length)} published number${isOne ? "" : "s"}${compared}`;
  const all = isOne ? `The only published number${compared}` : `All ${total}`;
  const count = (tone: Tone): number => rows.filter((row) => toneOf(row.verdict) === tone).length;
  const bad = count("bad");
  const doubt = count("doubt");
  if (rows.length === 0) return null;
  if (bad > 0)
    return sentences(
      `${thousands(bad)} of ${total} ${bad === 1 ? "does" : "do"} not follow from the ratings.`,
      doubt > 0 && `${thousands(doubt)} more ${doubt === 1 ? "needs" : "need"} a decision.`,
    );
  if (doubt === rows.length) return `${all} ${isOne ? "needs" : "need"} a decision.`;
  if (doubt > 0)
    return (
      `${thousands(doubt)} of ${total} ${doubt === 1 ? "needs" : "need"} a decision; the ` +
      "others follow from the ratings."
    );
  const exact = rows.filter((row) => row.verdict === "exact").length;
  const how =
    exact === rows.length
      ? " exactly"
      : `: ${thousands(exact)} exactly, ${thousands(rows.length - exact)} as explained`;
  return `${all} ${isOne ? "follows" : "follow"} from the ratings${how}.`;
}

/** The result of an audit in a few sentences: what was compared, and what was not. */
export function verdictSentence(report: AuditReport): string {
  const rest = restOf(report);
  const isAll = rest === "";
  const nothing = isAll
    ? "The snapshot contains no published numbers."
    : "No published number was compared with the ratings.";
  const compared = report.rows.filter(({ item }) => item !== "");
  return sentences(
    comparedSentence(compared, isAll) ?? nothing,
    report.part && partSentence(report.part),
    rest,
    flagSentences(report.correctness),
    report.shortfalls.length > 0 && "The snapshot is incomplete.",
  );
}
