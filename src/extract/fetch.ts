/** One reading request of an export: its unit in the manifest, and its body. */
import {
  checkAnnounced,
  fileSink,
  NotFoundFailure,
  PermissionFailure,
  RejectionFailure,
  TransientFailure,
  type Sink,
} from "../client/index.js";
import { operation, secretFields, type OperationName } from "../contract/index.js";
import type { Unit } from "../lake/index.js";
import { ExportError, fileMode, fs, messageOf, readText, removeFile } from "../platform/index.js";
import type { ExportContext } from "./context.js";
import { countElements, piecesOf } from "./elements.js";
import type { Shape } from "./plan.js";
import { scanBody, type Scan } from "./scan.js";

interface FetchRequest {
  readonly operation: OperationName;
  readonly experimentId: string | null;
  /** Other than project and experiment. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  /**
   * A 404 means that this service does not offer the operation. One about an experiment never ends
   * an export.
   */
  readonly optional?: boolean | undefined;
  /** About one row of another list: a refusal concerns only that row. */
  readonly isForOne?: boolean | undefined;
  readonly shape?: Shape | undefined;
  readonly earlier?:
    Pick<Unit, "etag" | "body" | "elements" | "secrets" | "is_withheld"> | undefined;
}

/** The body is null when refused or not modified; the caller removes its file. */
export interface Fetched {
  readonly unit: Omit<Unit, "parts">;
  readonly body: ReceivedBody | null;
}

/** Only if it has a validator, and its body is still kept when it has to be. */
async function conditionFor({ raw }: ExportContext, { earlier }: FetchRequest, isSecret: boolean) {
  if (!earlier?.body || earlier.etag === null) return undefined;
  return isSecret || (await raw.keepAgain(earlier.body.sha256))
    ? { ...earlier, body: earlier.body }
    : undefined;
}

function refusedList(
  error: unknown,
  { optional = false, isForOne = false, experimentId }: FetchRequest,
): Pick<Unit, "state" | "status"> | null {
  if (error instanceof PermissionFailure) return { state: "not_permitted", status: error.status };
  if (error instanceof NotFoundFailure && (optional || isForOne || experimentId !== null))
    return { state: "not_offered", status: error.status };
  return error instanceof RejectionFailure && isForOne
    ? { state: "not_offered", status: error.status }
    : null;
}

/** A refusal of an operation is recorded, not thrown. */
export async function fetchBody(context: ExportContext, request: FetchRequest): Promise<Fetched> {
  const { client, projectId, requests, ending, clock, log, checkpoint, maskSecrets } = context;
  const { operation: name, parameters = {}, experimentId } = request;
  const { record } = operation(name);
  const isSecret =
    (record !== undefined && secretFields(record).length > 0) ||
    request.earlier?.is_withheld === true;
  const condition = await conditionFor(context, request, isSecret);
  const experiment = experimentId === null ? {} : { experiment_id: experimentId };
  const args = { project_id: projectId, ...experiment, ...parameters };
  const started_at = clock.now().toISOString();
  const base = { operation: name, experiment_id: experimentId, parameters, started_at } as const;
  const sink = receiveBody(context, name, checkpoint.scratchFile(), { ...request, isSecret });
  try {
    const options = {
      etag: condition?.etag ?? undefined,
      signal: ending.signal,
      limit: requests,
      mask: maskSecrets,
    };
    const { body: received, etag, ...transfer } = await client.download(name, args, sink, options);
    if (received !== null) {
      const { value: body, sha256, bytes, secrets: found } = received;
      const { elements } = body;
      const secrets = found === 0 ? {} : { secrets: { found, is_masked: maskSecrets } };
      const kept = { body: { sha256, bytes }, elements, ...secrets };
      return { body, unit: { ...base, state: "complete", ...transfer, etag, ...kept } };
    }
    if (!condition)
      throw new ExportError(`${name}: the service answered 304 to a request without a condition.`);
    const { body, elements, secrets } = condition;
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
    const refusal = refusedList(error, request);
    if (refusal === null) throw error;
    const isForbidden = refusal.state === "not_permitted";
    log.debug(
      `${name}: not ${isForbidden ? "permitted for this key" : "offered by this service"}.`,
    );
    return {
      body: null,
      unit: {
        ...base,
        ...refusal,
        attempts: 1,
        elapsed_ms: 0,
        etag: null,
        body: null,
        elements: 0,
      },
    };
  }
}

/**
 * A short body stays in memory until its file is asked for: most lists of small experiments are
 * empty.
 */
export interface ReceivedBody {
  /** Exists after `write`. */
  readonly file: string;
  readonly elements: number;
  readonly scan: Scan | undefined;
  text(): Promise<string>;
  write(): void;
  remove(): Promise<void>;
}

/** Bytes. Thousands may wait for a conversion. */
const shortBody = 4096;

/** Bytes that are held until the digest of the whole is known. */
const heldBody = 1 << 20;

async function scanned(body: string | Buffer, shape: Shape): Promise<Scan | undefined> {
  const scanning = scanBody(shape);
  for await (const piece of piecesOf(body)) scanning.push(piece);
  return scanning.finish();
}

/**
 * A body with the digest of an earlier one that is kept is not parsed. What the scan does not
 * approve is counted over its bytes.
 */
function receiveBody(
  { raw, progress }: ExportContext,
  name: string,
  file: string,
  { shape, earlier, isSecret }: Pick<FetchRequest, "shape" | "earlier"> & { isSecret: boolean },
): Sink<ReceivedBody> {
  let held: Buffer[] | undefined;
  let bytes = 0;
  const spool = fileSink(file);
  async function spoolHeld(): Promise<void> {
    const pieces = held ?? [];
    held = undefined;
    await spool.start();
    for (const piece of pieces) await spool.write(piece);
  }
  const count = (body: string | Buffer) =>
    countElements(body).catch((error: unknown) => {
      throw new TransientFailure(`${name}: ${messageOf(error)}`, { cause: error });
    });
  return {
    start() {
      held = [];
      bytes = 0;
      return Promise.resolve();
    },
    async write(chunk) {
      progress.add({ bytes: chunk.length });
      bytes += chunk.length;
      if (held === undefined) return spool.write(chunk);
      held.push(chunk);
      if (bytes > heldBody) await spoolHeld();
    },
    async finish(body) {
      const isEqual = body.sha256 === earlier?.body?.sha256;
      const isKnown = isEqual && (isSecret || (await raw.keepAgain(body.sha256)));
      if (!isKnown && bytes > shortBody && held !== undefined) await spoolHeld();
      // Nobody reads a known one: its parts are those of the earlier one.
      const content = held === undefined ? file : Buffer.concat(isKnown ? [] : held);
      held = undefined;
      let isWritten = typeof content === "string";
      if (isWritten) await spool.finish(body);
      const scan = isKnown || !shape ? undefined : await scanned(content, shape);
      const elements = isKnown ? earlier.elements : (scan?.elements ?? (await count(content)));
      checkAnnounced(name, elements, body.announced);
      if (!isSecret && !isKnown) await raw.keep(content, body.sha256);
      return {
        file,
        elements,
        scan,
        text: async () => (typeof content === "string" ? readText(content) : content.toString()),
        write() {
          if (isWritten) return;
          isWritten = true;
          fs.writeFileSync(file, content, { mode: fileMode });
        },
        remove: () => (isWritten ? removeFile(file) : Promise.resolve()),
      };
    },
    abort: () => spool.abort(),
  };
}
