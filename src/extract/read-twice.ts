// What is asked for a second time, since it may change meanwhile.
import { isReadTwice } from "../contract/index.js";
import { filesOf, type Unit } from "../lake/index.js";
import { removeFile } from "../platform/index.js";
import type { ExportContext } from "./context.js";
import { fetchBody } from "./fetch.js";
import { convertToPart, partTarget } from "./part.js";
import { resourceOf } from "./plan.js";
import { bodySourceOf, wholeOf } from "./resource.js";

/** If only the order changed, by its sorted part. */
async function isUnchanged(
  context: ExportContext,
  earlier: Unit,
  published: readonly Unit[],
): Promise<boolean> {
  const { operation, experiment_id: experimentId, parameters } = earlier;
  const resource = resourceOf(context.tables, operation);
  const asked = parameters.source;
  const { optional } = resource.table;
  const isForOne = asked !== undefined;
  const shape = isForOne ? undefined : resource.shape;
  const request = { operation, experimentId, parameters, optional, isForOne, shape, earlier };
  const { unit, body } = await fetchBody(context, request);
  const isSame = unit.body?.sha256 === earlier.body?.sha256;
  if (body === null) return isSame;
  try {
    if (isSame) return true;
    if (unit.elements !== earlier.elements || unit.elements === 0)
      return unit.elements === earlier.elements;
    const whole = asked === undefined ? undefined : wholeOf(resource, published);
    const source = await bodySourceOf(resource, body, context, {
      asked,
      whole,
      experimentId: experimentId ?? undefined,
      parameters,
    });
    for (const [i, name] of resource.tables.entries()) {
      const target = partTarget(context, name);
      const { sha256 } = await context.sessions.use((one) => convertToPart(one, source, target));
      await removeFile(target.file);
      if (sha256 !== earlier.parts[i]?.sha256) return false;
    }
    return true;
  } finally {
    await body.remove();
  }
}

/** @param published every list of published numbers that was read */
export async function changedSince(
  context: ExportContext,
  units: readonly Unit[],
  published: readonly Unit[],
): Promise<ReadonlySet<Unit>> {
  const numbers = units.filter(({ operation }) => isReadTwice(operation));
  const isSame = await Promise.all(numbers.map((unit) => isUnchanged(context, unit, published)));
  return new Set(numbers.filter((_, i) => isSame[i] !== true));
}

export async function discard(
  { store, checkpoint }: ExportContext,
  units: readonly Unit[],
): Promise<void> {
  const parts = units
    .flatMap((unit) => unit.parts)
    .filter(({ snapshot }) => snapshot === undefined);
  for (const { key } of filesOf(parts, checkpoint.staged)) await store.remove(key);
}
