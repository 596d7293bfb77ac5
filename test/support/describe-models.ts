import {
  documentedTables,
  headerLine,
  isWritten,
  layers,
  readColumns,
  type Model,
} from "../../src/warehouse/index.js";

const inCode = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
const sortedIn = (plan: readonly Model[], layer: string) =>
  plan.filter((model) => model.layer === layer).sort((x, y) => (x.name < y.name ? -1 : 1));

function writtenWith(model: Model): string[] {
  if (model.severity !== null || !isWritten(model, "all")) return [];
  if (model.layer === "statistics") return ["Written with `--statistics`."];
  return [isWritten(model, "usual") ? "Written by `transform`." : "Written with `--models all`."];
}

export function describeModels(plan: readonly Model[]): string {
  const parts = [
    "# Models",
    "",
    "Generated from the headers of `sql/` by `npm run docs`; do not edit. [The graph](../../sql/dag.md) shows which model",
    "reads which, [Reuse](lake.md#reuse) how they are written. A column without an entry under Null is never",
    "null.",
  ];
  for (const layer of layers) {
    parts.push("", `## ${layer}`);
    for (const model of sortedIn(plan, layer)) {
      const { name, sql, file, kernel, severity, reads } = model;
      const facts = [
        `Grain: ${headerLine(sql, "grain")}.`,
        `Reads ${inCode(reads)}.`,
        ...(severity === null ? [] : [`Severity: ${severity}.`]),
        ...writtenWith(model),
        ...(kernel === null ? [] : [`Computed by the kernel \`${kernel}\`.`]),
        `[SQL](../../sql/${file})`,
      ];
      parts.push("", `### ${name}`, "", facts.join(" "));
      for (const [table, columns] of documentedTables(model)) {
        parts.push(
          "",
          `| Column${table === name ? "" : ` of \`${table}\``} | Meaning | Unit | Null |`,
          "|---|---|---|---|",
        );
        for (const column of columns)
          parts.push(
            `| \`${column.name}\` | ${column.meaning} | ${column.unit} | ${column.nulls} |`.replaceAll(
              "  ",
              " ",
            ),
          );
      }
    }
  }
  return `${parts.join("\n")}\n`;
}

export function drawModels(plan: readonly Model[]): string {
  const maker = new Map(
    plan.flatMap((model) =>
      [...documentedTables(model).keys()].map((table) => [table, model.name]),
    ),
  );
  const edges = plan.flatMap(({ name, reads }) =>
    reads.map((read) => `  ${maker.get(read) ?? read} --> ${name}`),
  );
  const subgraph = (title: string, names: readonly string[]) => [
    // A subgraph and a table may not share an id.
    `  subgraph layer_${title}[${title}]`,
    ...names.map((name) => `    ${name}`),
    "  end",
  ];
  const graph = [
    ...subgraph("lake", Object.keys(readColumns).sort()),
    ...layers.flatMap((layer) =>
      subgraph(
        layer,
        sortedIn(plan, layer).map(({ name }) => name),
      ),
    ),
    ...new Set(edges),
  ];
  return [
    "# Graph of the models",
    "",
    "An arrow leads from a table to the model that reads it. Generated from the headers by `npm run docs`; do not edit.",
    "[docs/reference/models.md](../docs/reference/models.md) describes every model.",
    "",
    "```mermaid",
    "flowchart LR",
    ...graph,
    "```",
    "",
  ].join("\n");
}
