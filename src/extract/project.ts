import { join } from "node:path";
import type { TableName } from "../contract/index.js";
import { ExportError, fsp, readText } from "../platform/index.js";
import type { Unit } from "../lake/index.js";
import { text } from "../warehouse/index.js";
import { fetchBody } from "./fetch.js";
import { identifiersIn } from "./jobs.js";
import { makePart } from "./part.js";
import type { Request } from "./request.js";
import type { ExportRun } from "./run.js";
import type { Selectable } from "./selection.js";
import { readUnit } from "./unit.js";

/** The project's list of experiments: always read, since everything else follows from it. */
export async function readExperiments(run: ExportRun): Promise<{ unit: Unit; experiments: Selectable[] }> {
  const unit = await readUnit(run, { operation: "listExperiments", parameters: {} }, [{ table: "experiments" }]);
  if (unit.state !== "complete")
    throw new ExportError(
      `listExperiments: this key may not list the experiments of ${run.projectId} (${unit.status}).`,
    );
  const [part] = unit.parts;
  if (!part) return { unit, experiments: [] };
  const file = join(run.staged, part.path);
  return run.converters.use(async (warehouse) => {
    const rows = await warehouse.all(`select id, coalesce(name, '') as name, type from read_parquet(${text(file)})`);
    const experiments = rows.flatMap(({ id, name, type }) =>
      typeof id === "string" ? [{ id, name: name as string, type: typeof type === "string" ? type : null }] : [],
    );
    return { unit, experiments };
  });
}

const projectLists = [
  ["listDatasets", "datasets"],
  ["listMetrics", "metrics"],
  ["listWebhooks", "webhooks"],
  ["listBillingEvents", "billing_events"],
] as const;

async function readRubrics(run: ExportRun): Promise<Unit[]> {
  const rubrics = await fetchBody(run, { operation: "listRubrics", parameters: {}, optional: true });
  if (rubrics.file === null) return [{ ...rubrics.unit, parts: [] }];
  const ids = identifiersIn(await readText(rubrics.file));
  const part = await makePart(run, { files: [rubrics.file], form: "list" }, { table: "rubrics" });
  await fsp.rm(rubrics.file, { force: true });
  const boards = run.tables.has("leaderboards") ? ids : [];
  const units = await Promise.all(
    boards.map((rubric_id) =>
      readUnit(run, { operation: "listLeaderboards", parameters: { rubric_id }, optional: true }, [
        { table: "leaderboards", name: `part-${rubric_id}` },
      ]),
    ),
  );
  return [{ ...rubrics.unit, parts: [part] }, ...units];
}

export interface Organization {
  readonly organization_id: string;
  readonly billing_id: string;
}

/** What belongs to the project as a whole. An operation that the key may not use is recorded, not a failure. */
export async function readProject(run: ExportRun, organization: Organization | undefined): Promise<Unit[]> {
  const one = (request: Request, table: TableName) => readUnit(run, request, [{ table }]);
  const lists = projectLists
    .filter(([, table]) => run.tables.has(table))
    .map(([name, table]) => one({ operation: name, parameters: {}, optional: true }, table));
  const billing =
    organization && run.tables.has("organization_billing_events")
      ? [
          one(
            { operation: "listOrganizationBillingEvents", parameters: { ...organization }, optional: true },
            "organization_billing_events",
          ),
        ]
      : [];
  const units = await Promise.all([...lists, ...billing]);
  return run.tables.has("rubrics") ? [...units, ...(await readRubrics(run))] : units;
}
