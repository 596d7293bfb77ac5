import { auditExitCode, countVerdicts, type AuditReport, type AuditRow } from "../audit/index.js";
import { counted, exitCodes, thousands } from "../platform/index.js";

/** Whether a reader may rely on numbers, has to decide about them, or should not trust them. */
export type Tone = "ok" | "doubt" | "bad";

const tones: Readonly<Record<number, Tone>> = { [exitCodes.ok]: "ok", [exitCodes.unexplained]: "bad" };

export const toneOf = (verdict: AuditRow["verdict"]): Tone => toneOfRows([{ verdict }]);

/** The worst tone of some numbers. */
export const toneOfRows = (rows: readonly Pick<AuditRow, "verdict">[]): Tone =>
  tones[auditExitCode(countVerdicts(rows))] ?? "doubt";

export function toneOfReport({ summary, correctness, shortfalls }: AuditReport): Tone {
  const tone = tones[auditExitCode(summary, correctness)] ?? "doubt";
  return tone === "ok" && shortfalls.length > 0 ? "doubt" : tone;
}

/** The result of an audit in one or two sentences. */
export function verdictSentence({ rows, correctness, shortfalls }: AuditReport): string {
  const total = `${thousands(rows.length)} published number${rows.length === 1 ? "" : "s"}`;
  const count = (tone: Tone): number => rows.filter((row) => toneOf(row.verdict) === tone).length;
  const [bad, doubt] = [count("bad"), count("doubt")];
  const exact = rows.filter((row) => row.verdict === "exact").length;
  const all = rows.length === 1 ? "The only published number follows" : `All ${total} follow`;
  const how =
    exact === rows.length
      ? " exactly"
      : `: ${thousands(exact)} exactly, ${thousands(rows.length - exact)} as explained`;
  const flags = correctness.compared - correctness.equal;
  const also = [
    ...(bad > 0 && doubt > 0 ? [`${thousands(doubt)} more ${doubt === 1 ? "needs" : "need"} a decision.`] : []),
    ...(flags > 0
      ? [`${counted(flags, "correctness flag")} ${flags === 1 ? "contradicts" : "contradict"} the data.`]
      : []),
    ...(shortfalls.length > 0 ? ["The snapshot is not whole."] : []),
  ];
  const said =
    rows.length === 0
      ? "The snapshot contains no published numbers."
      : bad > 0
        ? `${thousands(bad)} of ${total} ${bad === 1 ? "does" : "do"} not follow from the ratings.`
        : doubt > 0
          ? `${thousands(doubt)} of ${total} ${doubt === 1 ? "needs" : "need"} a decision; the others follow from the ratings.`
          : `${all} from the ratings${how}.`;
  return [said, ...also].join(" ");
}
