import type { Unit } from "../lake/index.js";
import type { ExportContext } from "./context.js";
import { experimentList, resourcesOf } from "./plan.js";
import { readResource } from "./resource.js";

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
