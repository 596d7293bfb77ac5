/** What a verdict means to a reader. */
import { auditExitCode, countVerdicts, type AuditReport, type AuditRow } from "../audit/index.js";
import { exitCodes, remembered } from "../platform/index.js";

/** Whether a reader may rely on numbers, has to decide about them, or should not trust them. */
export type Tone = "ok" | "doubt" | "bad";

const tones: Readonly<Record<number, Tone>> = {
  [exitCodes.ok]: "ok",
  [exitCodes.unexplained]: "bad",
};

export const toneOf = remembered((verdict: AuditRow["verdict"]): Tone => toneOfRows([{ verdict }]));

export const toneOfRows = (rows: readonly Pick<AuditRow, "verdict">[]): Tone =>
  tones[auditExitCode(countVerdicts(rows))] ?? "doubt";

export const isUnderConvention = (verdict: AuditRow["verdict"]): boolean =>
  verdict === "explained" || verdict === "unstated";

/** Nobody can rely on numbers that are not there. */
export function toneOfReport({ rows, summary, correctness, shortfalls }: AuditReport): Tone {
  const tone = tones[auditExitCode(summary, correctness)] ?? "doubt";
  return tone === "ok" && (shortfalls.length > 0 || rows.length === 0) ? "doubt" : tone;
}
