/** A resource of the interface, read and converted, with the details and children of its rows. */
import {
  identifierPattern,
  isIdentifier,
  isOfExperiment,
  isSingleRecord,
  lakeTable,
  ownParameter,
} from "../contract/index.js";
import { fileKey, places, type Misidentified, type Part, type Unit } from "../lake/index.js";
import { cachedBy, ExportError, removeFile, copyTo, readParquet } from "../platform/index.js";
import type { ExportContext } from "./context.js";
import { identifierIn, readElements, writeElements } from "./elements.js";
import { fetchBody, type Fetched, type ReceivedBody } from "./fetch.js";
import { makePart, type BodySource } from "./part.js";
import { childrenOf, type Child, type Resource } from "./plan.js";

interface Instance {
  readonly experimentId?: string | undefined;
  /** Other than project, experiment and those of the table. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly part?: string | undefined;
  readonly asked?: string | undefined;
  /** If the request is for the published numbers of one source. */
  readonly whole?: Part | undefined;
  readonly published?: readonly Unit[] | undefined;
}

async function readDetails(
  context: ExportContext,
  { table, operation: list }: Resource,
  experimentId: string | null,
  ids: readonly string[],
): Promise<{ units: Unit[]; texts: Map<string, string> }> {
  const operation = table.detailOperation;
  const texts = new Map<string, string>();
  if (operation === undefined) return { units: [], texts };
  const parameter = ownParameter(operation);
  const read = async (id: string): Promise<Unit> => {
    const { unit, body } = await fetchBody(context, {
      operation,
      parameters: { [parameter]: id },
      experimentId,
      isForOne: true,
    });
    if (body === null) return { ...unit, parts: [] };
    const text = await body.text();
    await body.remove();
    const named = identifierIn(text);
    if (named !== id) {
      const problem = named === null ? "cannot be read" : "has another id";
      context.log.warn(
        `${operation} ${id}: the answer ${problem}. The row has only the fields of ${list}.`,
      );
      return { ...unit, state: "not_offered", body: null, elements: 0, parts: [] };
    }
    texts.set(id, text);
    return { ...unit, parts: [] };
  };
  return { units: await Promise.all(ids.map(read)), texts };
}

/** Rows of whole tables account for all elements of the body. @throws ExportError. */
function checkCounts(
  { operation, experiment_id, elements }: Fetched["unit"],
  { table, rows, quarantined, repeated = 0 }: Part,
): void {
  if (lakeTable(table).embedded !== undefined || rows + quarantined + repeated === elements) return;
  const of = experiment_id === null ? "" : ` of ${experiment_id}`;
  throw new ExportError(
    `${operation}${of}: the body holds ${elements} elements, but it became ${rows} rows and ` +
      `${quarantined} quarantined ones.`,
  );
}

export function wholeOf(
  { operation, tables }: Resource,
  published: readonly Unit[],
): Part | undefined {
  const unit = published.find(
    (one) => one.operation === operation && one.parameters.source === undefined,
  );
  return unit?.parts.find(({ table }) => tables.includes(table));
}

async function readChild(
  context: ExportContext,
  { resource, parameter, isSource }: Child,
  ids: readonly string[],
  { experimentId, asked, published = [] }: Instance,
): Promise<Unit[]> {
  const whole = isSource ? wholeOf(resource, published) : undefined;
  if (isSource && whole === undefined) return [];
  const isInFolder = resource.tables.every(isOfExperiment);
  const folder = isInFolder ? experimentId : undefined;
  const prefix = `${isSource ? "source" : "part"}-${
    isInFolder || experimentId === undefined ? "" : `${experimentId}-`
  }`;
  /** A source that two lists name is asked for once: the second answer would be the same. */
  const isOwn = (id: string) => {
    const request = [resource.operation, folder, id].join(" ");
    const own = [experimentId, asked].join(" ");
    const owner = context.owners.get(request) ?? own;
    context.owners.set(request, owner);
    return owner === own;
  };
  const read = (id: string) =>
    readResource(context, resource, {
      experimentId: folder,
      parameters: { [parameter]: id },
      part: `${prefix}${id}`,
      asked: id,
      whole,
      published,
    });
  return (await Promise.all(ids.filter((id) => !isSource || isOwn(id)).map(read))).flat();
}

export async function bodySourceOf(
  { operation }: Pick<Resource, "operation">,
  body: ReceivedBody,
  context: ExportContext,
  {
    asked,
    whole,
    experimentId,
    parameters,
  }: Pick<Instance, "asked" | "whole" | "experimentId" | "parameters">,
): Promise<BodySource> {
  const form = isSingleRecord(operation) ? "record" : "list";
  return {
    file: body.file,
    write: () => body.write(),
    form,
    scan: body.scan,
    asked,
    whole: whole && (await localPart(context, whole)),
    parameters: {
      project_id: context.projectId,
      ...(experimentId === undefined ? {} : { experiment_id: experimentId }),
      ...parameters,
    },
  };
}

const parametersOf = ({ table }: Resource, { parameters }: Instance) => ({
  ...table.parameters,
  ...parameters,
});

async function earlierOf(
  { previous }: ExportContext,
  resource: Resource,
  instance: Instance,
  hasChildren: boolean,
): Promise<Unit | undefined> {
  const { operation, tables, table } = resource;
  const { experimentId: experiment_id = null, part, whole } = instance;
  // An answer for one source depends on the whole list too.
  if (whole !== undefined) return undefined;
  const paths = tables.map((one) => places.part(one, experiment_id, part));
  const known = previous.unit(
    { operation, experiment_id, parameters: parametersOf(resource, instance) },
    paths,
  );
  const isParent = table.detailOperation !== undefined || hasChildren;
  if (known === undefined || (isParent && known.elements > 0)) return undefined;
  return (await previous.isIntact(known.parts)) ? known : undefined;
}

async function readListed({ client }: ExportContext, { table }: Resource, file: string) {
  const elements = await readElements(file);
  const { identified, misidentified } = identifiedRows(
    elements.map(({ id }, element) => ({ element, id })),
    client.redact,
  );
  // The interface does not show the fields of some records: a list of them without identifiers
  // lacks none.
  const isNamed = table.optional !== true || elements.some(({ id }) => id !== null);
  return {
    elements,
    ids: identified.map(({ id }) => id),
    misidentified: isNamed ? misidentified : [],
  };
}

async function makeParts(
  context: ExportContext,
  { tables }: Resource,
  { part: name }: Instance,
  unit: Fetched["unit"],
  source: BodySource,
): Promise<{ parts: Part[]; hasSecrets: boolean }> {
  const parts: Part[] = [];
  let hasSecrets = false;
  for (const table of tables) {
    const made = await makePart(context, source, { table, experimentId: unit.experiment_id, name });
    checkCounts(unit, made.part);
    parts.push(made.part);
    hasSecrets ||= made.hasSecrets;
  }
  return { parts, hasSecrets };
}

/**
 * If the service says that it is unmodified, or the body has the previous digest, parts are linked
 * from the previous snapshot.
 */
export async function readResource(
  context: ExportContext,
  resource: Resource,
  instance: Instance = {},
): Promise<Unit[]> {
  const { operation, table, shape } = resource;
  const { experimentId = null, asked, whole } = instance;
  const children = childrenOf(context, resource);
  const earlier = await earlierOf(context, resource, instance, children.length > 0);
  const { unit, body } = await fetchBody(context, {
    operation,
    experimentId,
    parameters: parametersOf(resource, instance),
    optional: table.optional,
    isForOne: asked !== undefined,
    shape: whole === undefined ? shape : undefined,
    earlier,
  });
  if (earlier && unit.body?.sha256 === earlier.body?.sha256) {
    await body?.remove();
    return [
      { ...unit, parts: await context.previous.reuse(earlier.parts, context.checkpoint.staged) },
    ];
  }
  if (body === null) return [{ ...unit, parts: [] }];
  try {
    if (whole !== undefined && unit.elements === 0) return [{ ...unit, parts: [] }];
    const isListed =
      (table.detailOperation !== undefined || children.length > 0) && unit.elements > 0;
    if (isListed) body.write();
    const { elements, ids, misidentified } = isListed
      ? await readListed(context, resource, body.file)
      : { elements: [], ids: [], misidentified: [] };
    const details = await readDetails(context, resource, experimentId, ids);
    const source = await bodySourceOf(resource, body, context, instance);
    const isDetailed = details.texts.size > 0;
    const detailed = `${body.file}.detailed`;
    if (isDetailed) await writeElements(detailed, elements, details.texts);
    const whence = isDetailed ? ({ ...source, file: detailed, form: "lines" } as const) : source;
    const { parts, hasSecrets } = await makeParts(context, resource, instance, unit, whence);
    if (isDetailed) await removeFile(detailed);
    const listed: Unit = { ...unit, parts, ...(misidentified.length > 0 && { misidentified }) };
    const own = [listed, ...details.units].map((one): Unit =>
      hasSecrets ? { ...one, is_withheld: true } : one,
    );
    if (hasSecrets)
      for (const { body: kept } of own) if (kept !== null) await context.raw.drop(kept.sha256);
    const nested = await Promise.all(
      children.map((child) => readChild(context, child, ids, instance)),
    );
    return [...own, ...nested.flat()];
  } finally {
    await body.remove();
  }
}

interface ListedRow {
  readonly element: number;
  readonly id: string | null;
}

export type IdentifiedRow<T extends ListedRow> = T & { readonly id: string };

export function identifiedRows<T extends ListedRow>(
  rows: readonly T[],
  redact: (text: string) => string,
): { readonly identified: IdentifiedRow<T>[]; readonly misidentified: Misidentified[] } {
  const first = new Map<string, IdentifiedRow<T>>();
  const misidentified: Misidentified[] = [];
  for (const row of rows) {
    const { element, id } = row;
    if (id === null || id === "") {
      misidentified.push({ element, id: null, reason: "it has no identifier that can be read" });
      continue;
    }
    const known = first.get(id);
    const shown = redact(id);
    const reason = !isIdentifier(id)
      ? `its identifier does not match ${identifierPattern}`
      : shown !== id
        ? "its identifier repeats a secret of this export"
        : known && `element ${known.element} has the same identifier`;
    if (reason === undefined) first.set(id, { ...row, id });
    else misidentified.push({ element, id: shown, reason });
  }
  return { identified: [...first.values()], misidentified };
}

/** From object storage, once an export. */
function localPart(context: ExportContext, part: Part): Promise<string> {
  const file = context.store.locate(fileKey(context.checkpoint.staged, part, part.path));
  return part.snapshot === undefined ? Promise.resolve(file) : copyOf(context, file);
}

const copyOf = cachedBy(({ checkpoint, sessions }: ExportContext, file: string) =>
  sessions.use(async (warehouse) => {
    const copy = `${checkpoint.scratchFile()}.parquet`;
    await warehouse.all(copyTo(`(from ${readParquet(file)})`, copy, "format parquet"));
    return copy;
  }),
);
