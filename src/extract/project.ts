import { ExportError } from "../platform/index.js";
import type { Unit } from "../lake/index.js";
import { text } from "../warehouse/index.js";
import type { ExportContext } from "./context.js";
import { experimentList, resourcesOf } from "./plan.js";
import { readResource } from "./resource.js";
import type { Selectable } from "./selection.js";

/** The project's list of experiments. @throws ExportError when the key may not read it. */
export async function readExperiments(context: ExportContext): Promise<{ units: Unit[]; experiments: Selectable[] }> {
  const { store, checkpoint, projectId, sessions } = context;
  const units = await readResource(context, experimentList);
  const refused = units.find(({ state }) => state !== "complete");
  if (refused)
    throw new ExportError(
      `${refused.operation}: this key may not list the experiments of ${projectId} (${refused.status}).`,
    );
  const files = units.flatMap(({ parts }) => parts.map(({ path }) => store.locate(`${checkpoint.staged}/${path}`)));
  return sessions.use(async (warehouse) => {
    const rows = await warehouse.all(
      `select id, coalesce(name, '') as name, type from read_parquet([${files.map(text).join(", ")}])`,
    );
    const experiments = rows.flatMap(({ id, name, type }) =>
      typeof id === "string" ? [{ id, name: name as string, type: typeof type === "string" ? type : null }] : [],
    );
    return { units, experiments };
  });
}

export interface BillingAccount {
  readonly organization_id: string;
  readonly billing_id: string;
}

/** Exports the tables of the whole project, and of its organization if one is given. */
export async function readProject(context: ExportContext, organization: BillingAccount | undefined): Promise<Unit[]> {
  const project = resourcesOf("project", context.tables).filter(
    ({ operation }) => operation !== experimentList.operation,
  );
  const units = await Promise.all([
    ...project.map((resource) => readResource(context, resource)),
    ...(organization ? resourcesOf("organization", context.tables) : []).map((resource) =>
      readResource(context, resource, { parameters: { ...organization } }),
    ),
  ]);
  return units.flat();
}
