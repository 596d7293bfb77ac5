import {
  checkAnnounced,
  fileSink,
  NotFoundFailure,
  PermissionFailure,
  RejectionFailure,
  TransientFailure,
  type Sink,
} from "../client/index.js";
import {
  identifierPattern,
  isIdentifier,
  isOfExperiment,
  isSingleRecord,
  lakeTable,
  ownParameter,
  operation,
  secretFields,
  type OperationName,
} from "../contract/index.js";
import { copyTo, readParquet } from "../objects/index.js";
import { keyOf, places, type Misidentified, type Part, type Unit } from "../lake/index.js";
import {
  cachedBy,
  ExportError,
  removeFile,
  type Redact,
  fileMode,
  fs,
  messageOf,
  readText,
} from "../platform/index.js";
import type { ExportContext } from "./context.js";
import { identifierIn, readElements, writeElements, countElements } from "./elements.js";
import { makePart, type BodySource } from "./part.js";
import { childrenOf, type Child, type Resource, type Shape } from "./plan.js";
import { scanBody, type Scan, type Scanning } from "./scan.js";

/** Which instance of a resource is read. */
interface Instance {
  readonly experimentId?: string | undefined;
  /** Path and query parameters other than project, experiment and those of the table. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** Name of its parts beside those of the table itself. */
  readonly part?: string | undefined;
  /** The identifier that is asked for, if the request is about one row of another list. */
  readonly asked?: string | undefined;
  /** The whole list, if the request is for the published numbers of one source. */
  readonly whole?: Part | undefined;
  /** Lists of published numbers that were read whole before. */
  readonly published?: readonly Unit[] | undefined;
}

/** The texts of the details of a list's elements that were read, by identifier, and the units of all of them. */
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
      context.log.warn(`${operation} ${id}: the answer ${problem}. The row has only the fields of ${list}.`);
      return { ...unit, state: "not_offered", body: null, elements: 0, parts: [] };
    }
    texts.set(id, text);
    return { ...unit, parts: [] };
  };
  return { units: await Promise.all(ids.map(read)), texts };
}

/** Rows of whole tables account for all elements of the body. @throws ExportError when they do not. */
function checkCounts(
  { operation, experiment_id, elements }: Fetched["unit"],
  { table, rows, quarantined, repeated = 0 }: Part,
): void {
  if (lakeTable(table).embedded !== undefined || rows + quarantined + repeated === elements) return;
  const of = experiment_id === null ? "" : ` of ${experiment_id}`;
  throw new ExportError(
    `${operation}${of}: the body holds ${elements} elements, but it became ${rows} rows and ${quarantined} quarantined ones.`,
  );
}

/** The part that answers for the whole of a list, among those that were read. */
export function wholeOf({ operation, tables }: Resource, published: readonly Unit[]): Part | undefined {
  const unit = published.find((one) => one.operation === operation && one.parameters.source === undefined);
  return unit?.parts.find(({ table }) => tables.includes(table));
}

/** Reads a child for each identifier; a list of published numbers only if its whole was read. */
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
  const prefix = `${isSource ? "source" : "part"}-${isInFolder || experimentId === undefined ? "" : `${experimentId}-`}`;
  /** A source that two lists name is asked for once: the second answer would be the same rows again. */
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

/** How a body becomes parts. */
export async function sourceOf(
  { operation }: Pick<Resource, "operation">,
  body: ReceivedBody,
  context: ExportContext,
  { asked, whole, experimentId, parameters }: Pick<Instance, "asked" | "whole" | "experimentId" | "parameters">,
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

/**
 * Reads a resource and converts it: its own unit first, then those of its details and of its child resources. If the
 * service says that it is unmodified, or the body has the previous digest, parts are linked from the previous snapshot.
 */
export async function readResource(
  context: ExportContext,
  resource: Resource,
  instance: Instance = {},
): Promise<Unit[]> {
  const { previous, checkpoint } = context;
  const { operation, tables, table } = resource;
  const { experimentId, part: name, asked, whole } = instance;
  const parameters = { ...table.parameters, ...instance.parameters };
  const children = childrenOf(resource, context);
  const needsIds = table.detailOperation !== undefined || children.length > 0;
  const experiment = experimentId ?? null;
  const paths = tables.map((one) => places.part(one, experiment, name));
  // What an answer for one source becomes depends on the whole list too.
  const isAlone = !needsIds && whole === undefined;
  const known = isAlone ? previous.unit({ operation, experiment_id: experiment, parameters }, paths) : undefined;
  const earlier = known !== undefined && (await previous.isIntact(known.parts)) ? known : undefined;
  const { optional } = table;
  const isForOne = asked !== undefined;
  const shape = whole === undefined ? resource.shape : undefined;
  const request = { operation, experimentId: experiment, parameters, optional, isForOne, shape, earlier };
  const { unit, body } = await fetchBody(context, request);
  if (earlier && unit.body?.sha256 === earlier.body?.sha256) {
    await body?.remove();
    return [{ ...unit, parts: await previous.reuse(earlier.parts, checkpoint.staged) }];
  }
  if (body === null) return [{ ...unit, parts: [] }];
  const detailed = `${body.file}.detailed`;
  let isDetailed = false;
  try {
    if (whole !== undefined && unit.elements === 0) return [{ ...unit, parts: [] }];
    const isTakenApart = needsIds && unit.elements > 0;
    if (isTakenApart) body.write();
    const elements = isTakenApart ? await readElements(body.file) : [];
    const { identified, misidentified } = identify(
      elements.map(({ id }, element) => ({ element, id })),
      context.client.redact,
    );
    const ids = identified.map(({ id }) => id);
    // The interface does not show the fields of some records: a list of them that names no identifier lacks none.
    const isNamed = optional !== true || elements.some(({ id }) => id !== null);
    const details = await readDetails(context, resource, experiment, ids);
    const source = await sourceOf(resource, body, context, instance);
    isDetailed = details.texts.size > 0;
    if (isDetailed) await writeElements(detailed, elements, details.texts);
    const parts: Part[] = [];
    let hasSecrets = false;
    for (const one of tables) {
      const made = await makePart(context, isDetailed ? { ...source, file: detailed, form: "lines" } : source, {
        table: one,
        experimentId: experiment,
        name,
      });
      checkCounts(unit, made.part);
      parts.push(made.part);
      hasSecrets ||= made.hasSecrets;
    }
    const own = [{ ...unit, parts }, ...details.units];
    if (hasSecrets) for (const { body: kept } of own) if (kept !== null) await context.raw.drop(kept.sha256);
    const nested = await Promise.all(children.map((child) => readChild(context, child, ids, instance)));
    const [list, ...others] = hasSecrets ? own.map((one): Unit => ({ ...one, is_withheld: true })) : own;
    const odd = isNamed && misidentified.length > 0 ? { misidentified } : {};
    return [{ ...(list as Unit), ...odd }, ...others, ...nested.flat()];
  } finally {
    await body.remove();
    if (isDetailed) await removeFile(detailed);
  }
}

/** A row of a list from which others are read. */
interface ListedRow {
  /** Its place in the list, from 0. */
  readonly element: number;
  /** Its identifier as it is written; null if there is none. */
  readonly id: string | null;
}

/** A row whose identifier a request can name. */
export type IdentifiedRow<T extends ListedRow> = T & { readonly id: string };

/** The rows that can be asked for, each once, and the others with the reason. */
export function identify<T extends ListedRow>(
  rows: readonly T[],
  redact: Redact,
): { readonly identified: IdentifiedRow<T>[]; readonly misidentified: Misidentified[] } {
  const first = new Map<string, IdentifiedRow<T>>();
  const misidentified: Misidentified[] = [];
  for (const row of rows) {
    const { element, id } = row;
    const known = first.get(id ?? "");
    if (id === null || id === "")
      misidentified.push({ element, id: null, reason: "it has no identifier that can be read" });
    else if (!isIdentifier(id))
      misidentified.push({ element, id: redact(id), reason: `its identifier does not match ${identifierPattern}` });
    else if (redact(id) !== id)
      misidentified.push({ element, id: redact(id), reason: "its identifier repeats a secret of this export" });
    else if (known) misidentified.push({ element, id, reason: `element ${known.element} has the same identifier` });
    else first.set(id, { ...row, id });
  }
  return { identified: [...first.values()], misidentified };
}

/** The rows of a part in a file of this machine. From object storage they are read once an export. */
function localPart(context: ExportContext, part: Part): Promise<string> {
  const file = context.store.locate(keyOf(context.checkpoint.staged, part, part.path));
  return part.snapshot === undefined ? Promise.resolve(file) : copyOf(context, file);
}

const copyOf = cachedBy(({ checkpoint, sessions }: ExportContext, file: string) =>
  sessions.use(async (warehouse) => {
    const copy = `${checkpoint.scratchFile()}.parquet`;
    await warehouse.all(copyTo(`(from ${readParquet(file)})`, copy, "format parquet"));
    return copy;
  }),
);

/** One reading operation of an export. */
interface FetchRequest {
  readonly operation: OperationName;
  readonly experimentId: string | null;
  /** Path and query parameters other than project and experiment, as sent; the manifest records them. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /** True when a 404 means that this service does not offer the operation. One about an experiment never ends an export. */
  readonly optional?: boolean | undefined;
  /** True when the request is about one row of another list, so that a refusal concerns only that row. */
  readonly isForOne?: boolean | undefined;
  /** The expected elements of a list that is scanned while it arrives. */
  readonly shape?: Shape | undefined;
  /** An earlier response that the service may confirm with a 304. */
  readonly earlier?: Pick<Unit, "etag" | "body" | "elements" | "secrets" | "is_withheld"> | undefined;
}

/** The result of a request. The body is null when it was refused or not modified; the caller removes its file. */
interface Fetched {
  readonly unit: Omit<Unit, "parts">;
  readonly body: ReceivedBody | null;
}

/** The earlier response to send a condition for: it has a validator, and its body is still kept when it has to be. */
async function conditionFor({ raw }: ExportContext, { earlier }: FetchRequest, isSecret: boolean) {
  if (!earlier?.body || earlier.etag === null) return undefined;
  return isSecret || (await raw.has(earlier.body.sha256)) ? { ...earlier, body: earlier.body } : undefined;
}

function refusalOf(
  error: unknown,
  { optional = false, isForOne = false, experimentId }: FetchRequest,
): Pick<Unit, "state" | "status"> | null {
  if (error instanceof PermissionFailure) return { state: "not_permitted", status: error.status };
  if (error instanceof NotFoundFailure && (optional || isForOne || experimentId !== null))
    return { state: "not_offered", status: error.status };
  return error instanceof RejectionFailure && isForOne ? { state: "not_offered", status: error.status } : null;
}

/** Sends one request. A refusal of an operation is recorded, not thrown. */
export async function fetchBody(context: ExportContext, request: FetchRequest): Promise<Fetched> {
  const { client, projectId, requests, ending, clock, log, raw, checkpoint, maskSecrets } = context;
  const { operation: name, parameters = {}, experimentId, shape } = request;
  const { record } = operation(name);
  const isSecret = (record !== undefined && secretFields(record).length > 0) || request.earlier?.is_withheld === true;
  const condition = await conditionFor(context, request, isSecret);
  const experiment = experimentId === null ? {} : { experiment_id: experimentId };
  const args = { project_id: projectId, ...experiment, ...parameters };
  const started_at = clock.now().toISOString();
  const base = { operation: name, experiment_id: experimentId, parameters, started_at } as const;
  const sink = receiveBody(context, name, checkpoint.scratchFile(), { shape, isSecret });
  try {
    const options = { etag: condition?.etag ?? undefined, signal: ending.signal, limit: requests, mask: maskSecrets };
    const { body: received, etag, ...transfer } = await client.download(name, args, sink, options);
    if (received !== null) {
      const { value: body, sha256, bytes, secrets: found } = received;
      const { elements } = body;
      const secrets = found === 0 ? {} : { secrets: { found, is_masked: maskSecrets } };
      const kept = { body: { sha256, bytes }, elements, ...secrets };
      return { body, unit: { ...base, state: "complete", ...transfer, etag, ...kept } };
    }
    if (!condition) throw new ExportError(`${name}: the service answered 304 to a request without a condition.`);
    const { body, elements, secrets } = condition;
    if (!isSecret) await raw.keepAgain(body.sha256);
    const unit = {
      ...base,
      state: "complete",
      ...transfer,
      etag: etag ?? condition.etag,
      body,
      elements,
      ...(secrets && { secrets }),
    } as const;
    return { body: null, unit };
  } catch (error) {
    const refusal = refusalOf(error, request);
    if (refusal === null) throw error;
    log.debug(
      `${name}: ${refusal.state === "not_permitted" ? "not permitted for this key" : "not offered by this service"}.`,
    );
    return {
      body: null,
      unit: { ...base, ...refusal, attempts: 1, elapsed_ms: 0, etag: null, body: null, elements: 0 },
    };
  }
}

/** A body in a local file. A short one stays in memory until its file is asked for: most lists of small experiments are empty. */
interface ReceivedBody {
  /** Exists after `write`. */
  readonly file: string;
  readonly elements: number;
  readonly scan: Scan | undefined;
  text(): Promise<string>;
  write(): void;
  remove(): Promise<void>;
}

/** The longest body in memory. Thousands may wait for a conversion. */
const shortBody = 4096;

/**
 * Spools a body into a file unless it is short, scans it while it arrives when a shape is expected, counts its elements and
 * keeps it raw unless it holds secrets. A body that the scan does not approve is counted over its bytes.
 */
function receiveBody(
  { raw, progress }: ExportContext,
  name: string,
  file: string,
  { shape, isSecret }: { shape: Shape | undefined; isSecret: boolean },
): Sink<ReceivedBody> {
  let scanning: Scanning | undefined;
  let held: Buffer | undefined;
  const spool = fileSink(file);
  const count = (body: string | Buffer) =>
    countElements(body).catch((error: unknown) => {
      throw new TransientFailure(`${name}: ${messageOf(error)}`, { cause: error });
    });
  return {
    start() {
      scanning = shape && scanBody(shape);
      held = Buffer.alloc(0);
      return Promise.resolve();
    },
    async write(chunk) {
      progress.add({ bytes: chunk.length });
      scanning?.push(chunk);
      if (held !== undefined && held.length + chunk.length <= shortBody) {
        held = Buffer.concat([held, chunk]);
        return;
      }
      if (held !== undefined) {
        await spool.start();
        await spool.write(held);
        held = undefined;
      }
      await spool.write(chunk);
    },
    async finish(body) {
      const short = held;
      if (short === undefined) await spool.finish(body);
      const scan = scanning?.finish();
      scanning = undefined;
      const elements = scan?.elements ?? (await count(short ?? file));
      checkAnnounced(name, elements, body.announced);
      if (!isSecret) await raw.keep(short ?? file, body.sha256);
      let isWritten = short === undefined;
      return {
        file,
        elements,
        scan,
        text: () => (short === undefined ? readText(file) : Promise.resolve(short.toString())),
        write() {
          if (isWritten) return;
          isWritten = true;
          fs.writeFileSync(file, short ?? "", { mode: fileMode });
        },
        remove: () => (isWritten ? removeFile(file) : Promise.resolve()),
      };
    },
    abort: () => spool.abort(),
  };
}
