import type { Model } from "../../src/warehouse/index.js";

const layers = ["staging", "intermediate", "metrics", "audit", "checks"];

/** Every model in words, as Markdown: what docs/models.md holds. */
export function describeModels(plan: readonly Model[]): string {
  const parts = ["# Models", "", "Made from the headers of `sql/`; do not edit."];
  for (const layer of layers) {
    parts.push("", `## ${layer}`, "", "| Model | A row is | Units | Nulls | Reads |", "|---|---|---|---|---|");
    const models = plan.filter((model) => model.layer === layer).sort((x, y) => (x.name < y.name ? -1 : 1));
    for (const { name, sql, kernel, reads } of models) {
      const header = (key: string) => new RegExp(`^-- ${key}: (.*)$`, "m").exec(sql)?.[1];
      const made = kernel === null ? "" : ` (kernel \`${kernel}\`)`;
      const cells = [
        `\`${name}\`${made}`,
        header("grain"),
        header("units"),
        header("nulls"),
        reads.map((read) => `\`${read}\``).join(", "),
      ];
      parts.push(`| ${cells.map((cell) => (cell ?? "").replaceAll("|", "\\|")).join(" | ")} |`);
    }
  }
  return `${parts.join("\n")}\n`;
}
