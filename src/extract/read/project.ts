import type { Unit } from "../../lake/index.js";
import type { ExportContext } from "../context.js";
import type { BillingAccount } from "../options.js";
import { experimentList, resourcesOf } from "../plan.js";
import { changedSince, discard } from "./read-twice.js";
import { readResource } from "./resource.js";

const listsOf = ({ tables }: ExportContext, isPublished: boolean) =>
  resourcesOf("project", tables).filter(
    ({ operation, table }) => operation !== experimentList.operation && (table.readTwice === true) === isPublished,
  );

/** The project's lists of published numbers: those that are asked for each source first, since answers need the whole. */
export async function readPublished(context: ExportContext): Promise<Unit[]> {
  const lists = listsOf(context, true);
  const wholes = lists.filter(({ table }) => table.sources !== undefined);
  const published = (await Promise.all(wholes.map((resource) => readResource(context, resource)))).flat();
  const others = lists.filter((resource) => !wholes.includes(resource));
  const read = others.map((resource) => readResource(context, resource, { published }));
  return [...published, ...(await Promise.all(read)).flat()];
}

/**
 * The units of `readPublished` if the service still answers the same after everything else. Otherwise these lists are
 * read once more, and marked as torn if they change even then.
 */
export async function settlePublished(context: ExportContext, published: readonly Unit[]): Promise<readonly Unit[]> {
  const changed = await changedSince(context, published, published);
  if (changed.size === 0) return published;
  const names = [...new Set([...changed].map(({ operation }) => operation))].join(", ");
  context.log.warn(`${names}: the project's published numbers changed during the export; reading them again.`);
  await discard(context, published);
  const again = await readPublished(context);
  const torn = await changedSince(context, again, again);
  return again.map((unit) => (torn.has(unit) ? { ...unit, is_torn: true } : unit));
}

/** Exports the other tables of the whole project, and of its organization if one is given. */
export async function readProject(context: ExportContext, organization: BillingAccount | undefined): Promise<Unit[]> {
  const units = await Promise.all([
    ...listsOf(context, false).map((resource) => readResource(context, resource)),
    ...(organization ? resourcesOf("organization", context.tables) : []).map((resource) =>
      readResource(context, resource, { parameters: { ...organization } }),
    ),
  ]);
  return units.flat();
}
