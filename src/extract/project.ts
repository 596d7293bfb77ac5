import type { Unit } from "../lake/index.js";
import type { ExportContext } from "./context.js";
import { experimentList, resourcesOf } from "./plan.js";
import { readResource } from "./resource.js";

export interface BillingAccount {
  readonly organization_id: string;
  readonly billing_id: string;
}

/** The project's lists of published numbers, read whole: the answers for one source are compared with them. */
export async function readPublished(context: ExportContext): Promise<Unit[]> {
  const lists = resourcesOf("project", context.tables).filter(({ table }) => table.sources !== undefined);
  return (await Promise.all(lists.map((resource) => readResource(context, resource)))).flat();
}

/**
 * Exports the other tables of the whole project, and of its organization if one is given.
 * @param published the units of `readPublished`
 */
export async function readProject(
  context: ExportContext,
  organization: BillingAccount | undefined,
  published: readonly Unit[],
): Promise<Unit[]> {
  const project = resourcesOf("project", context.tables).filter(
    ({ operation, table }) => operation !== experimentList.operation && table.sources === undefined,
  );
  const units = await Promise.all([
    ...project.map((resource) => readResource(context, resource, { published })),
    ...(organization ? resourcesOf("organization", context.tables) : []).map((resource) =>
      readResource(context, resource, { parameters: { ...organization } }),
    ),
  ]);
  return units.flat();
}
