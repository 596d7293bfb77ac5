/** The verdicts, and the exit code of an audit. */
import type { Shortfall } from "../../lake/index.js";
import type { Redact } from "../../client/index.js";
import { exitCodes, sumOf, type ExitCode } from "../../platform/index.js";

interface VerdictMeaning {
  /** Exit code of an audit in which this is the worst verdict. */
  readonly exitCode: ExitCode;
  /** Higher ones come first; 0: no difference. */
  readonly attention: number;
}

const verdictRows = {
  exact: { exitCode: exitCodes.ok, attention: 0 },
  within_tolerance: { exitCode: exitCodes.ok, attention: 0 },
  explained: { exitCode: exitCodes.ok, attention: 1 },
  unstated: { exitCode: exitCodes.inconclusive, attention: 2 },
  unexplained: { exitCode: exitCodes.unexplained, attention: 5 },
  not_auditable: { exitCode: exitCodes.inconclusive, attention: 3 },
  inconclusive: { exitCode: exitCodes.inconclusive, attention: 4 },
  contradictory: { exitCode: exitCodes.inconclusive, attention: 4 },
} as const satisfies Record<string, VerdictMeaning>;

/** docs/reference/audit.md, "Verdicts". */
export type Verdict = keyof typeof verdictRows;

/** In the order of summaries. */
export const verdicts = Object.keys(verdictRows) as readonly Verdict[];

export const attentionOf = (verdict: Verdict): number => verdictRows[verdict].attention;

export const isPassing = (verdict: Verdict): boolean =>
  verdictRows[verdict].exitCode === exitCodes.ok;

/** A verdict stays a verdict, even if a secret is the same word. */
export const exceptVerdicts =
  (redact: Redact): Redact =>
  (text) =>
    Object.hasOwn(verdictRows, text) ? text : redact(text);

interface Counted {
  readonly verdict: Verdict;
  readonly numbers?: number | undefined;
}

export const numbersIn = (rows: readonly Pick<Counted, "numbers">[]): number =>
  sumOf(rows.map(({ numbers = 1 }) => numbers));

export function countVerdicts(rows: readonly Counted[]): Record<Verdict, number> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<
    Verdict,
    number
  >;
  for (const { verdict, numbers = 1 } of rows) counts[verdict] += numbers;
  return counts;
}

interface FlagCounts {
  readonly compared: number;
  readonly equal: number;
  readonly inconclusive?: readonly unknown[];
}

/** 1, a mismatch, precedes 2, a doubt. A wrong flag is a mismatch, a broken rule a doubt. */
export function auditExitCode(
  summary: Readonly<Record<Verdict, number>>,
  { compared, equal, inconclusive = [] }: FlagCounts = { compared: 0, equal: 0 },
  shortfalls: readonly Pick<Shortfall, "kind">[] = [],
): ExitCode {
  const codes = verdicts
    .filter((verdict) => summary[verdict] > 0)
    .map((verdict) => verdictRows[verdict].exitCode);
  if (equal < compared) codes.push(exitCodes.unexplained);
  if (inconclusive.length > 0 || shortfalls.some(({ kind }) => kind === "checks"))
    codes.push(exitCodes.inconclusive);
  return (
    codes.find((code) => code === exitCodes.unexplained) ??
    codes.find((code) => code !== exitCodes.ok) ??
    exitCodes.ok
  );
}
