import type { AuditReport, Finding } from "../audit/index.js";
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
  const how = explanation.stated ? ", as the published options state" : contrary;
  const rivals =
    explanation.rivals.length === 0
      ? ""
      : ` The published numbers cannot distinguish it from: ${explanation.rivals.join("; ")}.`;
  const part =
    explanation.reproduced === explanation.of
      ? `all ${explanation.of}`
      : `${explanation.reproduced} of ${explanation.of}`;
  return `${part} numbers match when ${explanation.says}${how} (${explanation.name})${parametersOf(finding)}.${rivals}`;
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
