import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseProject, readSnapshot, verifyProject } from "../../src/lake/index.js";
import { exitCodes, messageOf, RecountError } from "../../src/platform/index.js";
import { openWarehouse } from "../../src/warehouse/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";
import { testProject } from "../support/project.js";
import { fileDamages, lakeAt, manifestDamages } from "../support/tampering.js";

const {
  service,
  folder: root,
  path,
} = await testProject({
  load: goldenPaths("tiny-pairwise", "approval"),
  faults: [
    { operation: "listRaters", fault: { kind: "raw_value", row: 0, field: "id", text: "[1]" } },
  ],
});
const project = service.projectId;
const intact = path("intact");
await exportTo(intact, service, { tables: ["ratings", "sessions", "results", "raters"] });

async function outcome(
  run: () => Promise<string>,
  failed: number,
): Promise<{ code: number; said: string }> {
  try {
    const said = await run();
    return { code: said.includes(": ") ? failed : exitCodes.ok, said };
  } catch (error) {
    return {
      code: error instanceof RecountError ? error.exitCode : exitCodes.internal,
      said: messageOf(error),
    };
  }
}

const verified = (lake: string) =>
  outcome(async () => {
    const { problems, leftovers } = await verifyProject(lake, await chooseProject(lake, undefined));
    return [
      ...problems.map(({ file, problem }) => `${file}: ${problem}`),
      ...leftovers.map((file) => `${file} (left)`),
    ].join("\n");
  }, exitCodes.export);

const queried = (lake: string) =>
  outcome(async () => {
    const warehouse = await openWarehouse({ sources: (await readSnapshot(lake, project)).tables });
    try {
      await warehouse.all("select count(score) from ratings");
      return "";
    } finally {
      warehouse.close();
    }
  }, exitCodes.internal);

describe("verification and queries", () => {
  it.each([...fileDamages, ...manifestDamages])(
    "a degenerate or tampered lake is reported, and nothing outside is read: $done → $said",
    async (damage) => {
      const at = join(root, "lake");
      cpSync(intact, at, { recursive: true });
      try {
        damage.how(lakeAt(at, project));
        const { code, said } = await verified(at);
        expect(said).toMatch(damage.said);
        expect({ verify: code, query: (await queried(at)).code }).toEqual(damage.codes);
      } finally {
        rmSync(at, { recursive: true, force: true });
      }
    },
  );
});
