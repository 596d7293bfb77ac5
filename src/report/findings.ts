import type { AuditReport, Finding } from "../audit/index.js";
import { counted, listed } from "../platform/index.js";
import { sourceText } from "./places.js";

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
export function acceptedLines({ accepted }: AuditReport): string[] {
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
