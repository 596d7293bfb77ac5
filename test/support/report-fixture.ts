import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditLake } from "../../src/audit/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { reportPage } from "../../src/report/index.js";
import { exportTo } from "./export-to-lake.js";
import { goldenDir } from "./golden-case.js";
import { kept } from "./kept.js";

/** Text that would end a tag, an attribute, a comment, a script or a style, run a handler, or load something. */
export const attack = [
  `</title></style></script></svg><script>window.attacked=1</script><img src="http://127.0.0.1:9/x" onerror='window.attacked=1'>`,
  `"' onmouseover="window.attacked=1" x='`,
  `--> <!-- ]]> \${window.attacked=1} {{7*7}} &lt;b&gt; datum["x"]`,
].join(" ");

/** Two studies with hostile names: one of comparisons, where an item is lost from one metric, and one of scores. */
export const hostileRules = [
  {
    experiment: "exp1",
    kinds: ["percent_chosen" as const],
    corruption: { damage: "drop_item" as const, item: `A ${attack}` },
  },
  { experiment: "exp5", kinds: ["mean" as const], conventions: { training: "include" as const } },
];

function hostileCase(file: string, folder: string): string {
  const study = JSON.parse(readFileSync(join(goldenDir, `${file}.json`), "utf8")) as unknown;
  const named = new Set(["name", "stimulus", "dimension", "type"]);
  const text = JSON.stringify(study, (field, value: unknown) =>
    named.has(field) && typeof value === "string" && value !== "" && field !== "type"
      ? `${value} ${attack}`
      : value,
  );
  const path = join(folder, `${file}.json`);
  writeFileSync(path, text);
  return path;
}

interface MadeReport {
  readonly folder: string;
  readonly lake: string;
  readonly project: string;
  remove(): void;
}

export async function lakeOfCases(
  files: readonly string[],
  { isHostile = false } = {},
): Promise<MadeReport> {
  const folder = mkdtempSync(join(tmpdir(), "recount-report-"));
  const lake = join(folder, "lake");
  const load = files.map((file) =>
    isHostile ? hostileCase(file, folder) : join(goldenDir, `${file}.json`),
  );
  const service = await startEmulator({ load, ...(isHostile ? { publishing: hostileRules } : {}) });
  try {
    await exportTo(lake, service);
    return {
      folder,
      lake,
      project: service.projectId,
      remove: () => rmSync(folder, { recursive: true }),
    };
  } finally {
    await service.close();
  }
}

export async function pageOf({ lake, project }: MadeReport): Promise<string> {
  const audited = await auditLake(lake, project, { statistics: true });
  try {
    return await reportPage(audited, (text) => text);
  } finally {
    audited.warehouse.close();
  }
}

export const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");

export async function keptPage(): Promise<string> {
  const folder = await kept("page", async (at) => {
    const made = await lakeOfCases(["tiny-pairwise", "acr"], { isHostile: true });
    writeFileSync(join(at, "report.html"), await pageOf(made));
    made.remove();
  });
  return readFileSync(join(folder, "report.html"), "utf8");
}
