import { ExportError, mapTexts } from "../../platform/index.js";
import { keyOf, type Part, type Unit } from "../../lake/index.js";
import { text } from "../../warehouse/index.js";
import type { ExportContext } from "../context.js";
import { experimentList } from "../plan.js";
import { readResource } from "./resource.js";
import type { Selectable } from "../selection.js";

/** An experiment of the project's list. */
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

/** What can be read of a row in quarantine, even if a control character makes it no JSON. */
function recordIn(raw: string | null): Readonly<Record<string, unknown>> {
  const readable = (raw ?? "").replaceAll(/\p{Cc}/gu, " ");
  try {
    const value: unknown = JSON.parse(readable.slice(Math.max(0, readable.indexOf("{"))));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textIn = (value: unknown) => (typeof value === "string" ? value : null);

async function quarantinedRows({ store, checkpoint }: ExportContext, part: Part): Promise<ListedExperiment[]> {
  const { quarantine } = part;
  const lines = quarantine === null ? "" : ((await store.read(keyOf(checkpoint.staged, part, quarantine))) ?? "");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { element, reason, raw } = JSON.parse(line) as QuarantinedRow;
      const { id, name, type } = recordIn(raw);
      const identifier = Number.isSafeInteger(id) ? String(id) : textIn(id);
      return { element, id: identifier, name: textIn(name) ?? "", type: textIn(type), misfit: reason };
    });
}

/** The rows of a part, which has no sort order, and those in quarantine, in the order of the list. */
async function rowsOf(context: ExportContext, part: Part): Promise<ListedExperiment[]> {
  const { store, checkpoint, sessions } = context;
  const unfit = await quarantinedRows(context, part);
  const fitting = await sessions.use((warehouse) =>
    warehouse.all(
      `select id, coalesce(name, '') as name, type from read_parquet(${text(store.locate(keyOf(checkpoint.staged, part, part.path)))})`,
    ),
  );
  const rows = [...unfit];
  const taken = new Set(unfit.map(({ element }) => element));
  let element = 0;
  for (const { id, name, type } of fitting) {
    while (taken.has(element)) element++;
    rows.push({ element, id: textIn(id), name: name as string, type: textIn(type), misfit: null });
    element++;
  }
  return rows.toSorted((a, b) => a.element - b.element);
}

/** The project's list of experiments, rows in quarantine included. @throws ExportError when the key may not read it. */
export async function readExperiments(
  context: ExportContext,
): Promise<{ unit: Unit; experiments: ListedExperiment[] }> {
  const [unit] = (await readResource(context, experimentList)) as [Unit];
  if (unit.state !== "complete")
    throw new ExportError(
      `${unit.operation}: this key may not list the experiments of ${context.projectId} (${unit.status}).`,
    );
  const rows = await Promise.all(unit.parts.map((part) => rowsOf(context, part)));
  const experiments = rows.flat().map((row) => ({ ...mapTexts(row, context.client.redact), id: row.id }));
  return { unit, experiments };
}
