import type { PlannedModel } from "./plan.js";
import { layers } from "./models.js";

/** Every model in words, as Markdown: what docs/models.md holds. */
export function describeModels(plan: readonly PlannedModel[]): string {
  const parts = ["# Models", "", "Made from the headers of `sql/`; do not edit."];
  for (const layer of layers) {
    parts.push("", `## ${layer}`, "", "| Model | A row is | Units | Nulls | Reads |", "|---|---|---|---|---|");
    const models = plan.filter((model) => model.layer === layer).sort((x, y) => (x.name < y.name ? -1 : 1));
    for (const { name, header, kernel, reads } of models) {
      const made = kernel === null ? "" : ` (kernel \`${kernel}\`)`;
      const cells = [
        `\`${name}\`${made}`,
        header["grain"],
        header["units"],
        header["nulls"],
        reads.map((read) => `\`${read}\``).join(", "),
      ];
      parts.push(`| ${cells.map((cell) => (cell ?? "").replaceAll("|", "\\|")).join(" | ")} |`);
    }
  }
  return `${parts.join("\n")}\n`;
}
