import { lakeTables, type OperationName, type TableName } from "../contract/index.js";
import { ExportError, fsp } from "../platform/index.js";
import { partPath, type Part, type Unit } from "../lake/index.js";
import { fetchBody } from "./fetch.js";
import { makePart } from "./part.js";
import type { Request } from "./request.js";
import type { ExportRun } from "./run.js";
import { shapeOf, type Shape } from "./scan/shape.js";

/** A table that the list of `request` fills. */
export interface UnitTable {
  readonly table: TableName;
  readonly name?: string;
}

const embeddedIn = (table: TableName) => ("embedded" in lakeTables[table] ? "ratings" : undefined);

/** Lists that grow with the study: they are scanned while they arrive, so that most can be read the fast way. */
const scanned: Partial<Record<OperationName, Shape>> = {
  listRatings: shapeOf("ratings"),
  listSlates: shapeOf("slates"),
  listSessions: shapeOf("sessions"),
  listRaters: shapeOf("raters"),
};

/** The parts of an earlier unit, linked into this snapshot. */
async function again(run: ExportRun, { parts }: Unit): Promise<readonly Part[]> {
  await run.before.link(parts, run.staged);
  return parts;
}

/** One request and the parts made of it. Elements = rows + quarantined, or the unit has failed. */
export async function readUnit(
  run: ExportRun,
  request: Request,
  tables: readonly UnitTable[],
  form: "list" | "record" = "list",
): Promise<Unit> {
  const paths = tables.map(({ table, name }) => partPath(table, request.experimentId ?? null, name));
  const before = run.before.unit(request, paths);
  const earlier = before?.etag != null && (await run.before.isSound(before.parts)) ? before : undefined;
  const { unit, file, scan } = await fetchBody(run, { ...request, shape: scanned[request.operation], earlier });
  if (unit.status === 304 && earlier) return { ...unit, parts: await again(run, earlier) };
  if (file === null) return { ...unit, parts: [] };
  const parts: Part[] = [];
  try {
    if (before && before.body?.sha256 === unit.body?.sha256 && (await run.before.isSound(before.parts))) {
      return { ...unit, parts: await again(run, before) };
    }
    for (const { table, name } of tables) {
      const embedded = embeddedIn(table);
      const part = await makePart(
        run,
        { files: [file], form, scan, ...(embedded === undefined ? {} : { embedded }) },
        {
          table,
          ...(request.experimentId === undefined ? {} : { experimentId: request.experimentId }),
          ...(name === undefined ? {} : { name }),
        },
      );
      if (embedded === undefined && part.rows + part.quarantined !== unit.elements) {
        throw new ExportError(
          `${request.operation}${request.experimentId ? ` of ${request.experimentId}` : ""}: the body holds ${unit.elements} elements, ` +
            `but ${part.rows} rows and ${part.quarantined} quarantined ones came of it.`,
        );
      }
      parts.push(part);
    }
  } finally {
    await fsp.rm(file, { force: true });
  }
  return { ...unit, parts };
}
