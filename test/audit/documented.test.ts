import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { populationFamilies, populations, scorings } from "../../src/audit/explain/hypotheses.js";
import { kinds, metricKind, type Kind } from "../../src/metrics/kinds.js";

const document = readFileSync(join(import.meta.dirname, "../../docs/audit-conventions.md"), "utf8");

/** Kinds as the document names them: all, a family, or one by one. */
function kindsText(own: readonly Kind[]): string {
  const families = (["pairwise", "scored"] as const).filter((family) =>
    kinds.every((kind) => own.includes(kind) === (metricKind(kind).family === family)),
  );
  return own.length === kinds.length ? "all" : (families[0] ?? own.join(", "));
}

/** The rows of docs/audit-conventions.md, one for each entry of the catalogue. */
const rows = [...populations, ...populationFamilies, ...scorings].map(
  ({ name, kinds: own, says }) => `| \`${name}\` | ${kindsText(own)} | ${says} |`,
);

test("docs/audit-conventions.md lists every hypothesis with its text", () => {
  for (const row of rows) expect(document).toContain(row);
});

test("names are unique within a kind", () => {
  for (const kind of kinds) {
    const names = [...populations, ...populationFamilies, ...scorings]
      .filter((h) => h.kinds.includes(kind))
      .map((h) => h.name);
    expect(new Set(names).size).toBe(names.length);
  }
});

test("docs/audit-conventions.md lists every value of a parameter that counts as a convention", () => {
  for (const kind of kinds) {
    const values = Object.entries(metricKind(kind).inUse ?? {}).map(([name, own]) => `\`${name}\` ${own.join(", ")}`);
    if (values.length > 0) expect(document).toContain(`| ${kind} | ${values.join("; ")} |`);
  }
});
