/** Recount as a library (docs/reference/library.md). Each function loads what it needs when it is called. */
export type * from "./types.js";
import type {
  AuditedNumber,
  AuditRequest,
  AuditResult,
  ExportRequest,
  ExportResult,
  OpenSnapshot,
  RecomputeRequest,
  RecomputeResult,
  SnapshotRequest,
} from "./types.js";

/**
 * Exports a project into a new snapshot of a lake. A failed export leaves the previous snapshot as it is.
 * @throws UsageError for what the caller can mend, ExportError for what the service or the disk does, InterruptedError.
 */
export async function exportSnapshot(request: ExportRequest): Promise<ExportResult> {
  const { createClient } = await import("../client/index.js");
  const extract = await import("../extract/index.js");
  const { baseUrl, project, lake, experiments = [], concurrency, keepRaw, signal, credentials: given } = request;
  const credentials =
    "apiKey" in given
      ? ({ scheme: "api-key", key: given.apiKey } as const)
      : "username" in given
        ? ({ scheme: "basic", ...given } as const)
        : ({ scheme: "cookie", sessionid: given.sessionId } as const);
  const client = createClient({ baseUrl, credentials, ...(signal && { signal }) });
  try {
    const { snapshot, dir, rows, quarantined, bytes, shortfalls } = await extract.exportSnapshot({
      client,
      projectId: project,
      lake,
      selection: { ...extract.everything, ids: experiments },
      ...(concurrency !== undefined && { concurrency }),
      ...(keepRaw !== undefined && { keepRaw }),
    });
    return { snapshot, folder: dir, rows, quarantined, bytes, shortfalls: shortfalls.map(({ message }) => message) };
  } finally {
    await client.close();
  }
}

/** The project and the method of a request. */
async function chosen({ lake, project, pipeline }: SnapshotRequest) {
  const { chooseProject } = await import("../lake/index.js");
  const { readMethod } = await import("../pipeline/index.js");
  const projectId = await chooseProject(lake, project);
  return { projectId, method: await readMethod(pipeline, projectId, process.env) };
}

/** Opens a snapshot for queries. Close it afterwards. @throws UsageError if there is none. */
export async function openSnapshot(request: SnapshotRequest): Promise<OpenSnapshot> {
  const { projectId, method } = await chosen(request);
  const lake = await import("../lake/index.js");
  const { openQueryable } = await import("../pipeline/index.js");
  const { id, manifest } = await lake.openSnapshot(request.lake, projectId, request.snapshot, []);
  const warehouse = await openQueryable(request.lake, projectId, { snapshot: id, method });
  return {
    id,
    project: projectId,
    createdAt: manifest.created_at,
    experiments: manifest.experiments.map((experiment) => ({ id: experiment.id, name: experiment.name })),
    query: (sql) => warehouse.all(sql),
    close: () => warehouse.close(),
  };
}

/** Recomputes the metrics of a snapshot and writes them beside it, as Parquet files and a DuckDB database. */
export async function recompute(request: RecomputeRequest): Promise<RecomputeResult> {
  const { projectId, method } = await chosen(request);
  const { transform } = await import("../pipeline/index.js");
  const { snapshot, dir, written, recomputed } = await transform(request.lake, projectId, {
    snapshot: request.snapshot,
    conventions: method.conventions,
    ...(request.models && { models: request.models }),
  });
  return { snapshot: snapshot.id, folder: dir, models: written.map(({ name }) => name), checks: recomputed.checks };
}

/** Compares every published number of a snapshot with its recomputed value, and explains the differences. */
export async function audit(request: AuditRequest): Promise<AuditResult> {
  const { projectId, method } = await chosen(request);
  const { auditExitCode, auditLake, defaultLimits } = await import("../audit/index.js");
  const { depth = defaultLimits.depth, snapshot } = request;
  const { report, warehouse } = await auditLake(request.lake, projectId, {
    ...method,
    ...(snapshot !== undefined && { snapshot }),
    limits: depth < 1 ? null : { ...defaultLimits, depth },
    models: "audited",
  });
  warehouse.close();
  const numbers = report.rows.map(
    ({ experiment_id, kind, dimension, published_in, item, field, published, recomputed, verdict, explanation }) =>
      ({
        experiment_id,
        kind,
        dimension,
        published_in,
        item,
        field,
        published,
        recomputed,
        verdict,
        explanation,
      }) satisfies AuditedNumber,
  );
  const exitCode = auditExitCode(report.summary, report.correctness, report.shortfalls) as AuditResult["exitCode"];
  return { snapshot: report.snapshot, exitCode, summary: report.summary, numbers };
}
