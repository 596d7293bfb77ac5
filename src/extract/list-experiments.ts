// The list of experiments, with the rows that are in quarantine.
import { fileKey, type Part, type Unit } from "../lake/index.js";
import { ExportError, jsonIn, mapTexts, readParquet, textOrNull } from "../platform/index.js";
import type { ExportContext } from "./context.js";
import type { Selectable } from "./options.js";
import { experimentList } from "./plan.js";
import { readResource } from "./resource.js";

export interface ListedExperiment extends Selectable {
  readonly element: number;
  /** Why its row is in quarantine; null if it is not. */
  readonly misfit: string | null;
}

interface QuarantinedRow {
  readonly element: number;
  readonly reason: string;
  readonly raw: string | null;
}

/** Of a row in quarantine, even if a control character makes it no JSON. */
function recordIn(raw: string | null): Readonly<Record<string, unknown>> {
  const readable = (raw ?? "").replaceAll(/\p{Cc}/gu, " ");
  const value = jsonIn(readable.slice(Math.max(0, readable.indexOf("{"))));
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

async function quarantinedExperiments(
  { store, checkpoint }: ExportContext,
  part: Part,
): Promise<ListedExperiment[]> {
  const { quarantine } = part;
  if (quarantine === null) return [];
  const lines = await store.read(fileKey(checkpoint.staged, part, quarantine));
  return (lines ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { element, reason, raw } = JSON.parse(line) as QuarantinedRow;
      const { id, name, type } = recordIn(raw);
      const identifier = Number.isSafeInteger(id) ? String(id) : textOrNull(id);
      return {
        element,
        id: identifier,
        name: textOrNull(name) ?? "",
        type: textOrNull(type),
        misfit: reason,
      };
    });
}

async function experimentRows(context: ExportContext, part: Part): Promise<ListedExperiment[]> {
  const { store, checkpoint, sessions } = context;
  const unfit = await quarantinedExperiments(context, part);
  const fitting = await sessions.use((warehouse) =>
    warehouse.all(
      "select id, coalesce(name, '') as name, type from " +
        readParquet(store.locate(fileKey(checkpoint.staged, part, part.path))),
    ),
  );
  const rows = [...unfit];
  const taken = new Set(unfit.map(({ element }) => element));
  let element = 0;
  for (const { id, name, type } of fitting) {
    while (taken.has(element)) element++;
    rows.push({
      element,
      id: textOrNull(id),
      name: name as string,
      type: textOrNull(type),
      misfit: null,
    });
    element++;
  }
  return rows.toSorted((a, b) => a.element - b.element);
}

/** Rows in quarantine included. @throws ExportError when the key may not read it. */
export async function readExperiments(
  context: ExportContext,
): Promise<{ unit: Unit; experiments: ListedExperiment[] }> {
  const [unit] = (await readResource(context, experimentList)) as [Unit];
  if (unit.state !== "complete")
    throw new ExportError(
      `${unit.operation}: this key may not list the experiments of ${context.projectId} ` +
        `(${unit.status}).`,
    );
  const rows = await Promise.all(unit.parts.map((part) => experimentRows(context, part)));
  const experiments = rows
    .flat()
    .map((row) => ({ ...mapTexts(row, context.client.redact), id: row.id }));
  return { unit, experiments };
}
