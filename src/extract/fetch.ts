import { NotFoundFailure, PermissionFailure, type Transfer } from "../client/index.js";
import { operation, secretFields } from "../contract/index.js";
import { ExportError, fsp } from "../platform/index.js";
import type { Unit } from "../lake/index.js";
import { createBodyCheck } from "./body-check.js";
import type { Request } from "./request.js";
import type { ExportRun } from "./run.js";
import type { Scan } from "./scan/list-scanner.js";

/** A fetched body on disk, or null where the key may not or the service does not. */
export interface Fetched {
  readonly unit: Omit<Unit, "parts">;
  readonly file: string | null;
  readonly scan?: Scan | undefined;
}

function isRefusal(error: unknown, optional: boolean): error is PermissionFailure | NotFoundFailure {
  return error instanceof PermissionFailure || (optional && error instanceof NotFoundFailure);
}

/** The earlier answer that a 304 could stand for: one with a validator, and with its body where bodies are kept. */
async function conditionOf(run: ExportRun, { earlier }: Request, isSecret: boolean): Promise<Request["earlier"]> {
  if (!earlier?.body || earlier.etag === null) return undefined;
  return isSecret || (await run.raw.has(earlier.body.sha256)) ? earlier : undefined;
}

/** Sends one reading operation, counts what came, keeps the raw body, and leaves it spooled for conversion. */
export async function fetchBody(run: ExportRun, request: Request): Promise<Fetched> {
  const { operation: name, parameters, experimentId, optional = false } = request;
  const file = run.nextSpool();
  const startedAt = run.clock.now().toISOString();
  const base = { operation: name, experiment_id: experimentId ?? null, parameters, started_at: startedAt };
  const args = {
    project_id: run.projectId,
    ...(experimentId === undefined ? {} : { experiment_id: experimentId }),
    ...(operation(name).query === "training" ? { training: "true" } : {}),
    ...parameters,
  };
  const check = createBodyCheck(name, file, run.scanner, request.shape);
  const { onAttempt, verify } = check;
  const onBytes = (bytes: number) => {
    check.onBytes(bytes);
    run.onBytes(bytes);
  };
  const { record } = operation(name);
  const isSecret = record !== undefined && secretFields(record).length > 0;
  const condition = await conditionOf(run, request, isSecret);
  let transfer: Transfer;
  try {
    transfer = await run.requests(() =>
      run.client.download(name, args, file, {
        verify,
        onAttempt,
        onBytes,
        etag: condition?.etag ?? undefined,
        signal: run.ending.signal,
        onPushback: () => run.requests.pushedBack(),
      }),
    );
  } catch (error) {
    if (!isRefusal(error, optional)) throw error;
    const refused = error instanceof PermissionFailure;
    run.log.debug(`${name}: ${refused ? "not permitted for this key" : "not offered by this service"}.`);
    return {
      file: null,
      unit: {
        ...base,
        state: refused ? "not_permitted" : "not_offered",
        status: refused ? 403 : 404,
        attempts: 1,
        elapsed_ms: 0,
        etag: null,
        body: null,
        elements: 0,
      },
    };
  }
  const { status, attempts, elapsed_ms, etag, sha256, bytes } = transfer;
  if (status === 304) {
    await fsp.rm(file, { force: true });
    if (!condition?.body)
      throw new ExportError(`${name}: the service answered 304, but nothing was asked under a condition.`);
    if (!isSecret) await run.raw.again(condition.body.sha256);
    const { body, elements } = condition;
    return {
      file: null,
      unit: { ...base, state: "complete", status, attempts, elapsed_ms, etag: etag ?? condition.etag, body, elements },
    };
  }
  if (!isSecret) await run.raw.keep(file, sha256);
  const unit = {
    ...base,
    state: "complete",
    status,
    attempts,
    elapsed_ms,
    etag,
    body: { sha256, bytes },
    elements: check.elements(),
  } as const;
  return { file, scan: check.scan(), unit };
}
