import type { AuditReport, Finding } from "../audit/index.js";
import { counted, listed } from "./numbers.js";
import { sourceText } from "./places.js";

/** The range of each fitted parameter. */
function parametersOf({ explanation }: Finding): string {
  const parameters = explanation?.parameters ?? [];
  if (parameters.length === 0) return "";
  const ranges = parameters.map(
    ({ name, low, high }) => `${name} between ${low.toPrecision(6)} and ${high.toPrecision(6)}`,
  );
  return `; the published decimals allow ${ranges.join(", ")}`;
}

/** The text of an explained finding; null without an explanation. */
export function explainedText(finding: Finding): string | null {
  const { explanation } = finding;
  if (explanation === null) return null;
  const contrary =
    explanation.contradicts.length === 0
      ? ""
      : `, although the published options state ${explanation.contradicts.join(", ")}`;
  const how = explanation.unstated === "" ? ", as the published options state" : contrary;
  const rivals =
    explanation.rivals.length === 0
      ? ""
      : ` The published numbers cannot distinguish it from: ${explanation.rivals.join("; ")}.`;
  const part =
    explanation.reproduced === explanation.of
      ? `all ${explanation.of}`
      : `${explanation.reproduced} of ${explanation.of}`;
  return `${part} numbers match when ${explanation.says}${how} (${explanation.name})${parametersOf(finding)}.${rivals}${standing(finding, explanation.fitted)}`;
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

export function unexplainedText({ nearest, smallest_difference: smallest, tried, untried }: Finding): string {
  const parts = [`no convention explains them (${tried} tried)`];
  if (untried.length > 0) parts.push(`not tried within the work limit: ${untried.join(", ")}`);
  if (smallest !== null) parts.push(smallest.says);
  else if (nearest !== null && nearest.name !== "own")
    parts.push(`nearest is ${nearest.name}, with ${nearest.reproduced} of ${nearest.of} numbers`);
  return `${parts.join("; ")}.`;
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
