/** An audit as JUnit XML. */
import type { AuditReport, AuditRow } from "../audit/index.js";
import { counted, groupsOf, joinParts, textPieces, visible } from "../platform/index.js";
import { escaped } from "./document.js";
import { shortNumber, signedDifference, verdictText, whereOf } from "./numbers.js";
import { experimentName } from "./results.js";
import { toneOf } from "./tones.js";

/** Text for XML 1.0, which has no U+FFFE or U+FFFF, and few control characters. */
const xml = (text: string): string => escaped(visible(text).replace(/[\ufffe\uffff]/g, "\ufffd"));

interface Case {
  readonly name: string;
  readonly outcome: {
    readonly tag: "failure" | "error";
    readonly type: string;
    readonly message: string;
  } | null;
}

/** A number that does not follow is a failure, one that needs a decision an error. */
function caseOf(row: AuditRow): Case {
  const tone = toneOf(row.verdict);
  const name = joinParts([row.item, row.field], " ") || "the result";
  if (tone === "ok") return { name, outcome: null };
  const compared =
    `published ${shortNumber(row.published)}, recomputed ${shortNumber(row.recomputed)}, ` +
    `difference ${signedDifference(row)}`;
  const why = row.explanation === null ? "" : `: ${row.explanation}`;
  const message = row.published === null && row.recomputed === null ? "" : ` (${compared})`;
  return {
    name,
    outcome: {
      tag: tone === "bad" ? "failure" : "error",
      type: row.verdict,
      message: `${verdictText(row.verdict)}${why}${message}`,
    },
  };
}

const flagText = (flag: boolean | null): string =>
  flag === null ? "neither" : flag ? "correct" : "incorrect";

function flagSuite({
  correctness: { compared, equal, different, inconclusive },
}: AuditReport): Case[] {
  return [
    ...(compared === 0 ? [] : [{ name: `${equal} of ${compared} ratings agree`, outcome: null }]),
    ...different.map(
      ({ experiment_id, session_id, slate_id, stimulus, published, recomputed }): Case => ({
        name: `${experiment_id} session ${session_id} slate ${slate_id} ${stimulus}`,
        outcome: {
          tag: "failure",
          type: "correctness",
          message: `published ${flagText(published)}, recomputed ${flagText(recomputed)}`,
        },
      }),
    ),
    ...inconclusive.map(({ experiment_id, reason, ratings }): Case => ({
      name: `${experiment_id}, ${counted(ratings, "rating")}`,
      outcome: { tag: "error", type: "correctness", message: reason },
    })),
  ];
}

/**
 * An audit as JUnit XML, in pieces: a suite for each published result, and a test for each of its
 * numbers.
 */
export function* renderJunit(report: AuditReport): Generator<string> {
  const suiteOf = (row: AuditRow) =>
    `${experimentName(row)}, ${row.kind || "numbers"} of ${whereOf(row)} in ${row.published_in}`;
  const results = [...groupsOf(report.rows, suiteOf)].map(
    ([name, rows]) => [name, rows.map(caseOf)] as const,
  );
  const suites = new Map([...results, ["Correctness of ratings", flagSuite(report)]]);
  const counts = (cases: readonly Case[]): string => {
    const of = (tag: "failure" | "error"): number =>
      cases.filter(({ outcome }) => outcome?.tag === tag).length;
    return `tests="${cases.length}" failures="${of("failure")}" errors="${of("error")}"`;
  };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield (
    `<testsuites name="recount audit ${xml(report.snapshot)}" ` +
    `${counts([...suites.values()].flat())}>\n`
  );
  for (const [name, cases] of suites) {
    const classname = xml(name);
    const test = ({ name: own, outcome }: Case): string => {
      const head = `    <testcase classname="${classname}" name="${xml(own)}"`;
      if (outcome === null) return `${head}/>\n`;
      return (
        `${head}><${outcome.tag} type="${outcome.type}" ` +
        `message="${xml(outcome.message)}"/></testcase>\n`
      );
    };
    yield `  <testsuite name="${classname}" ${counts(cases)}>\n`;
    yield* textPieces(cases, (some) => some.map(test).join(""));
    yield "  </testsuite>\n";
  }
  yield "</testsuites>\n";
}
