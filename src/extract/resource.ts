import { isIdentifier, isSingleRecord, lakeTable, ownParameter } from "../contract/index.js";
import { partPath, type Part, type Unit } from "../lake/index.js";
import { ExportError, fsp, readText } from "../platform/index.js";
import type { ExportContext } from "./context.js";
import { makePart, type Bodies } from "./convert/index.js";
import { fetchBody, type Fetched } from "./fetch/index.js";
import { childrenOf, type Resource } from "./plan.js";

/** Which instance of a resource is read. */
interface Instance {
  readonly experimentId?: string | undefined;
  /** Path parameters other than project and experiment. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** File name of its parts, `part-0` by default. */
  readonly part?: string | undefined;
}

/** Identifiers in a list of small records. A record without a usable one is left to the conversion to judge. */
async function identifiersIn(file: string): Promise<string[]> {
  const list: unknown = JSON.parse(await readText(file));
  if (!Array.isArray(list)) return [];
  return list.flatMap((record: unknown) => {
    const id = typeof record === "object" && record !== null && "id" in record ? record.id : undefined;
    return typeof id === "string" && isIdentifier(id) ? [id] : [];
  });
}

/** The details of a list's elements. */
async function fetchDetails(
  context: ExportContext,
  { table }: Resource,
  experimentId: string | null,
  ids: readonly string[],
): Promise<Fetched[]> {
  const operation = table.detailOperation;
  if (operation === undefined) return [];
  const parameter = ownParameter(operation);
  return Promise.all(
    ids.map((id) => fetchBody(context, { operation, parameters: { [parameter]: id }, experimentId, optional: true })),
  );
}

/** Rows of a whole table account for all elements of the body. @throws ExportError when they do not. */
function checkCounts(
  { operation, experiment_id, elements }: Fetched["unit"],
  { table, rows, quarantined }: Part,
): void {
  if (lakeTable(table).embedded !== undefined || rows + quarantined === elements) return;
  const of = experiment_id === null ? "" : ` of ${experiment_id}`;
  throw new ExportError(
    `${operation}${of}: the body holds ${elements} elements, but it became ${rows} rows and ${quarantined} quarantined ones.`,
  );
}

/**
 * Reads a resource and converts it: its own unit first, then those of its details and of its child resources. If the
 * service says that it is unmodified, or the body has the previous digest, parts are linked from the previous snapshot.
 */
export async function readResource(
  context: ExportContext,
  resource: Resource,
  { experimentId, parameters: path, part: name }: Instance = {},
): Promise<Unit[]> {
  const { previous, checkpoint } = context;
  const { operation, tables, table, shape } = resource;
  const parameters = { ...table.parameters, ...path };
  const children = childrenOf(resource, context.tables);
  const needsIds = table.detailOperation !== undefined || children.length > 0;
  const experiment = experimentId ?? null;
  const paths = tables.map((one) => partPath(one, experiment, name));
  const known = needsIds ? undefined : previous.unit({ operation, experiment_id: experiment, parameters }, paths);
  const earlier = known !== undefined && (await previous.isIntact(known.parts)) ? known : undefined;
  const request = { operation, experimentId: experiment, parameters, optional: table.optional, shape, earlier };
  const { unit, body } = await fetchBody(context, request);
  if (earlier && unit.body?.sha256 === earlier.body?.sha256) {
    if (body) await fsp.rm(body.file, { force: true });
    await previous.link(earlier.parts, checkpoint.staged);
    return [{ ...unit, parts: earlier.parts }];
  }
  if (body === null) return [{ ...unit, parts: [] }];
  const ids = needsIds ? await identifiersIn(body.file) : [];
  const details = await fetchDetails(context, resource, experiment, ids);
  const detailFiles = details.flatMap((one) => one.body?.file ?? []);
  try {
    const hasDetails = details.length > 0 && details.length === unit.elements && detailFiles.length === details.length;
    const bodies: Bodies = hasDetails
      ? { files: detailFiles, form: "record" }
      : { files: [body.file], form: isSingleRecord(operation) ? "record" : "list", scan: body.scan };
    const parts: Part[] = [];
    for (const one of tables) {
      const part = await makePart(context, bodies, { table: one, experimentId: experiment, name });
      checkCounts(unit, part);
      parts.push(part);
    }
    const nested = await Promise.all(
      children.flatMap((child) =>
        ids.map((id) => {
          const own = { [ownParameter(child.operation)]: id };
          return readResource(context, child, { experimentId, parameters: own, part: `part-${id}` });
        }),
      ),
    );
    return [{ ...unit, parts }, ...details.map((one) => ({ ...one.unit, parts: [] })), ...nested.flat()];
  } finally {
    for (const file of [body.file, ...detailFiles]) await fsp.rm(file, { force: true });
  }
}
